import type { Keyring } from '../../crypto/keyring.ts';
import type { Database } from '../../db/connect.ts';
import { RequestError } from '../../errors/request-error.ts';
import type { Commands } from '../../commands/commands.ts';
import type { MailState } from '../../commands/settings-commands.ts';
import { loadDocument } from '../../settings/documents.ts';
import { smtpSettings } from '../../settings/smtp.ts';
import { failed, passed, skipped, type Finding } from './finding.ts';

// A little more than the worker takes.
const LIMIT_MS = 12_000;

type Asking = { db: Database; keyring: Keyring; commands: Pick<Commands, 'call'> };

/** Whether the mail server lets a settings worker log in. Nothing is said where email is not enabled. */
export async function examineMail({ db, keyring, commands }: Asking): Promise<Finding[]> {
  const { attributes } = await loadDocument({ db, keyring }, smtpSettings);
  if (!attributes['enabled']) return [];
  try {
    const found = await commands.call('settings', 'check-mail', null, { timeoutMs: LIMIT_MS });
    return describeMail(found, attributes['auth'] !== 'none');
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const why = error.problems.map(({ detail }) => detail.replace(/; nothing was done$/, '')).join('; ');
    return [skipped('mail', `no settings worker could try the mail server: ${why}`)];
  }
}

function describeMail(found: MailState, hasLogin: boolean): Finding[] {
  if (found.state === 'disabled') return [];
  if (found.state === 'works')
    return [
      passed(
        'mail',
        hasLogin
          ? `the mail server ${found.server} accepts connections and the login`
          : `the mail server ${found.server} accepts connections; no login is set`,
      ),
    ];
  const advice = found.isLogin
    ? 'correct the authentication, user name and password in the SMTP settings'
    : "correct host, port and STARTTLS in the SMTP settings, and let settings workers reach the server; the mail server's log tells what its code means";
  return [failed('mail', found.detail, advice)];
}
