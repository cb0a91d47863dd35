import type { Mail } from '../../../libs/commands/settings-commands.ts';
import { badRequest } from '../../../libs/errors/request-error.ts';
import { countOutcome } from '../../../libs/metrics/outcome.ts';
import { loadDocument } from '../../../libs/settings/documents.ts';
import { smtpSettings, type SmtpSettings } from '../../../libs/settings/smtp.ts';
import { addSupport } from './add-support.ts';
import { accountOf, type MailServices } from './effect.ts';
import { tryMailServer } from './try-mail-server.ts';

const LIMIT_MS = 9500;

/**
 * Sends one message with the stored account. Throws 400 if email is not enabled, otherwise what `failures.ts` decides.
 */
export async function sendMail(services: MailServices, mail: Mail): Promise<null> {
  const { attributes } = await loadDocument(services, smtpSettings);
  const settings = attributes as SmtpSettings;
  if (!settings.enabled) throw badRequest('email is not enabled');
  const account = accountOf(settings);
  const text = await addSupport(services, mail.text);
  const message = { from: account.sender, ...mail, text };
  await services.conversations(() =>
    countOutcome(services.metrics.mails, tryMailServer(account, { message, limitMs: LIMIT_MS })),
  );
  return null;
}
