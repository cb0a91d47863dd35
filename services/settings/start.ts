import { serveWorker, type HandlersOf } from '../../libs/commands/commands.ts';
import { mapDatabaseErrors } from '../../libs/commands/map-database-errors.ts';
import { createEventSender } from '../../libs/queue/events.ts';
import type { Context } from '../../libs/service/context.ts';
import type { Service } from '../../libs/service/run-service.ts';
import { createConversations } from './conversations.ts';
import { removeRetentionPolicy, setRetentionPolicy } from './retention.ts';
import { revokeOldCertificate } from './revoke-old-certificate.ts';
import { checkMail } from './smtp/check-mail.ts';
import { sendMail } from './smtp/send-mail.ts';
import { verifySms } from './sms/verify.ts';
import { updateSettings } from './update.ts';

// Commands spend nearly all their time waiting for servers.
const MOST_COMMANDS = 64;
const MOST_CONVERSATIONS = 32;

/** Serves the commands that change settings; any number of these workers may run. */
export async function startSettingsWorker(context: Context): Promise<Service> {
  const events = createEventSender(context.broker, context.topology);
  const services = { ...context, events, conversations: createConversations(MOST_CONVERSATIONS) };
  const handlers: HandlersOf<'settings'> = {
    'update-settings': (body) => updateSettings(services, body),
    'revoke-old-certificate': (body) => revokeOldCertificate(services, body),
    'check-mail': () => checkMail(services),
    'send-mail': (body) => sendMail(services, body),
    'verify-sms': (body) => verifySms(services, body),
    'set-retention-policy': (body) => setRetentionPolicy(services, body),
    'remove-retention-policy': () => removeRetentionPolicy(services),
  };
  const commands = serveWorker(context.broker, {
    ...context,
    worker: 'settings',
    prefetch: MOST_COMMANDS,
    handlers: mapDatabaseErrors(handlers),
  });
  context.broker.start();
  return { stop: () => commands.stop() };
}
