import { RequestError } from '../../../libs/errors/request-error.ts';
import type { MailState } from '../../../libs/commands/settings-commands.ts';
import { loadDocument } from '../../../libs/settings/documents.ts';
import { smtpSettings, type SmtpSettings } from '../../../libs/settings/smtp.ts';
import { accountOf, type MailServices } from './effect.ts';
import { tryMailServer } from './try-mail-server.ts';

const LIMIT_MS = 9500;

/** Greets the stored mail server and logs in, but sends nothing. Never throws for what the mail server does. */
export async function checkMail(services: MailServices): Promise<MailState> {
  const { attributes } = await loadDocument(services, smtpSettings);
  const settings = attributes as SmtpSettings;
  if (!settings.enabled) return { state: 'disabled' };
  const { host, port } = settings;
  try {
    await services.conversations(() =>
      tryMailServer(accountOf(settings), { message: undefined, limitMs: LIMIT_MS }),
    );
    return { state: 'works', server: `${host}:${port}` };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const detail = error.problems.map((problem) => problem.detail).join('; ');
    return {
      state: 'fails',
      detail: detail.replace(/; nothing was saved$/, ''),
      isLogin: error.status === 401,
    };
  }
}
