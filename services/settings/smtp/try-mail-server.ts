import { isIP } from 'node:net';
import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { toMailbox } from '../../../libs/settings/addresses.ts';
import { mailFailure, timedOut } from './failures.ts';
import { requireOffers, type MailLogin } from './offers.ts';

/** The address of a mail server, and the login. */
export type MailAccount = {
  host: string;
  port: number;
  sender: string;
  /** Whether to refuse a server that does not encrypt. */
  requireTls: boolean;
  login: MailLogin | undefined;
};

type Message = { from: string; to: string; subject: string; text: string; messageId?: string };

/**
 * One SMTP conversation: greeting, STARTTLS if the server offers it or the account requires it, login, and the message if
 * there is one. Ends within `limitMs`, whatever the server does. A conversation that is given up closes its connection,
 * so nothing is sent afterwards. Throws 401, 500 or 504 as `failures.ts` decides.
 */
export async function tryMailServer(
  account: MailAccount,
  { message: given, limitMs }: { message: Message | undefined; limitMs: number },
): Promise<void> {
  if (limitMs <= 0) throw timedOut();
  const message = given && { ...given, from: mailboxOf(given.from), to: mailboxOf(given.to) };
  const raw = message && (await new MailComposer(message).compile().build());
  const connection = openConnection(account, limitMs);
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(() => reject(timedOut()), limitMs);
      connection.on('error', (error: Error) => reject(mailFailure(error)));
      converse(connection, account, message && raw ? { message, raw } : undefined).then(
        resolve,
        (error: unknown) => reject(mailFailure(error)),
      );
    });
    connection.quit();
  } catch (error) {
    connection.close();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function openConnection({ host, port, requireTls }: MailAccount, limitMs: number): SMTPConnection {
  return new SMTPConnection({
    host,
    port,
    secure: port === 465,
    requireTLS: requireTls,
    // No one can intercept the loopback interface, and no authority issues certificates for it.
    tls: { rejectUnauthorized: !isLoopback(host) },
    connectionTimeout: limitMs,
    greetingTimeout: limitMs,
    socketTimeout: limitMs,
    dnsTimeout: limitMs,
    socketCloseTimeout: 500,
    logger: false,
  });
}

async function converse(
  connection: SMTPConnection,
  { login }: MailAccount,
  mail: { message: Message; raw: Buffer } | undefined,
): Promise<void> {
  await step((done) => connection.connect(done));
  const { from, to } = mail?.message ?? {};
  requireOffers(connection.lastServerResponse || '', { login, from, to });
  if (login) {
    const { method, username: user, password: pass } = login;
    const auth = { method: method.toUpperCase(), credentials: { user, pass } };
    await step((done) => connection.login(auth, done));
  }
  if (!mail || from === undefined || to === undefined) return;
  await step((done) => connection.send({ from, to: [to] }, mail.raw, done));
}

function step(begin: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => begin((error) => (error ? reject(error) : resolve())));
}

// The settings and the environment hold only addresses whose domain can be written so.
function mailboxOf(address: string): string {
  return toMailbox(address) ?? address;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
