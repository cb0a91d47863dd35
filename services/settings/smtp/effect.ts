import type { Attributes } from '../../../libs/settings/definition.ts';
import { countOutcome } from '../../../libs/metrics/outcome.ts';
import type { Context } from '../../../libs/service/context.ts';
import type { SmtpSettings } from '../../../libs/settings/smtp.ts';
import type { Conversations } from '../conversations.ts';
import type { Effect } from '../effect.ts';
import { addSupport } from './add-support.ts';
import { tryMailServer, type MailAccount } from './try-mail-server.ts';

/** What sending mail needs. */
export type MailServices = Pick<Context, 'db' | 'keyring' | 'metrics'> & { conversations: Conversations };

// Below the ten seconds within which a caller is promised an answer.
const LIMIT_MS = 9500;

/**
 * Sends the test message that a request asks for, only once. If the document is merged again because somebody changed it
 * meanwhile, a different account is only tried by a login. A disabled document sends nothing.
 */
export function createSmtpEffect(sent: Attributes, services: MailServices): Effect {
  const deadline = Date.now() + LIMIT_MS;
  const recipient = sent['test-email-address'];
  let tried: string | undefined;
  return async (document) => {
    const settings = document as SmtpSettings;
    if (!settings.enabled || typeof recipient !== 'string' || recipient === '') return;
    const account = accountOf(settings);
    const fitting = JSON.stringify(account);
    if (tried === fitting) return;
    const message = tried === undefined ? testMessage(account.sender, recipient) : undefined;
    tried = fitting;
    if (message) message.text = await addSupport(services, message.text);
    await services.conversations(() =>
      countOutcome(
        services.metrics.mails,
        tryMailServer(account, { message, limitMs: deadline - Date.now() }),
      ),
    );
  };
}

/** The account that the settings describe. */
export function accountOf(settings: SmtpSettings): MailAccount {
  const { host, port, sender, auth, username, password, starttls } = settings;
  const login =
    auth === 'none' ? undefined : { method: auth, username: username ?? '', password: password ?? '' };
  const requireTls = starttls === 'required' || (starttls === 'auto' && login !== undefined);
  return { host: host ?? '', port: port ?? 0, sender: sender ?? '', login, requireTls };
}

function testMessage(from: string, to: string) {
  return {
    from,
    to,
    subject: 'Test message from Sealift',
    text: 'This message shows that Sealift can send email with the settings that are being saved.\n',
  };
}
