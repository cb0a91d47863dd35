import type { Config } from '../../../libs/config/config.ts';
import { badRequest } from '../../../libs/errors/request-error.ts';
import { countOutcome } from '../../../libs/metrics/outcome.ts';
import { loadDocument } from '../../../libs/settings/documents.ts';
import { smsSettings, type SmsSettings } from '../../../libs/settings/sms.ts';
import type { Context } from '../../../libs/service/context.ts';
import type { Conversations } from '../conversations.ts';
import { sendSms } from './send.ts';

/** Sends a test message with the stored account. Throws 400 with the reason if that fails. */
export async function verifySms(
  services: Pick<Context, 'db' | 'keyring' | 'metrics'> & {
    config: Pick<Config, 'SMS_API_URL'>;
    conversations: Conversations;
  },
  { number }: { number: string },
): Promise<null> {
  const { attributes } = await loadDocument(services, smsSettings);
  const settings = attributes as SmsSettings;
  if (!settings.enabled) throw badRequest('SMS is not enabled');
  const sms = {
    accountSid: settings['account-sid'] ?? '',
    authToken: settings['auth-token'] ?? '',
    from: settings['from-number'] ?? '',
    to: number,
    text: 'This message shows that Sealift can send SMS with its settings.',
    apiUrl: services.config.SMS_API_URL,
  };
  await services.conversations(() => countOutcome(services.metrics.texts, sendSms(sms)));
  return null;
}
