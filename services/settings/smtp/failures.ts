import { RequestError } from '../../../libs/errors/request-error.ts';
import type { SmtpSettings } from '../../../libs/settings/smtp.ts';
import { meaningOf } from './reply-meanings.ts';

type Field = keyof SmtpSettings;

/** Replies of a server that requires a login first, or TLS for the login. */
const LOGIN_WANTED = new Set([530, 538]);

/** Replies that refuse the login, whatever the command was. */
const LOGIN_REFUSED = new Set([534, 535]);

/** The field that a step of the conversation depends on; a refused message concerns no single one. */
const FIELDS: Record<string, Field> = {
  CONN: 'host',
  EHLO: 'host',
  HELO: 'host',
  'AUTH PLAIN': 'auth',
  'AUTH LOGIN': 'auth',
  'MAIL FROM': 'sender',
  'RCPT TO': 'test-email-address',
};

/** 504. */
export function timedOut(): RequestError {
  return refusal('smtp_timeout', 'did not answer in time', 'host');
}

/** 500: the server lacks, or refuses, what the settings need. `said` continues “the SMTP server”. */
export function mailFault(said: string, field?: Field): RequestError {
  return refusal('smtp_failed', said, field);
}

/** The status for a failed conversation: 401 for a refused login, 504 for a timeout, 500 for everything else. */
export function mailFailure(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  const { code, command, responseCode } = error as {
    code?: unknown;
    command?: unknown;
    responseCode?: unknown;
  };
  const reply = typeof responseCode === 'number' ? responseCode : undefined;
  if (code === 'ETIMEDOUT') return timedOut();
  if (reply !== undefined && code === 'ETLS') {
    const advice = 'use port 465, or set starttls to optional (then others can read the mail)';
    return mailFault(`refused STARTTLS, which starttls requires; ${advice}`, 'starttls');
  }
  if (reply !== undefined && LOGIN_WANTED.has(reply)) {
    const check = 'check auth, username, password and starttls';
    return refusal(
      'smtp_login',
      `requires a login, or encryption for it (${codesOf(reply, error)}): ${check}`,
      'auth',
    );
  }
  if (reply !== undefined && (LOGIN_REFUSED.has(reply) || (code === 'EAUTH' && isRefusal(reply)))) {
    return refusal(
      'smtp_login',
      `refused the user name or the password (${codesOf(reply, error)})`,
      'username',
    );
  }
  // The server's own text could repeat what we sent.
  const said = reply === undefined ? describeFailure(code) : describeReply(reply, error);
  return mailFault(`failed: ${said}`, code === 'ETLS' ? 'starttls' : FIELDS[String(command)]);
}

function refusal(
  code: 'smtp_failed' | 'smtp_login' | 'smtp_timeout',
  said: string,
  field?: Field,
): RequestError {
  const detail = `the SMTP server ${said}; nothing was saved`;
  return new RequestError(code, [
    field === undefined ? detail : { detail, pointer: `/data/attributes/${field}` },
  ]);
}

// The codes of SMTP look like those of HTTP and mean something else, so the command stands beside them.
function describeReply(reply: number, error: unknown): string {
  const { command } = error as { command?: unknown };
  const known =
    typeof command === 'string' && /^[A-Z][A-Z0-9 -]{1,20}$/.test(command) ? command : 'a command';
  const meaning = known.startsWith('AUTH') ? undefined : meaningOf(reply, enhancedOf(error));
  return `it replied to ${known} with the ${codesOf(reply, error)}${meaning === undefined ? '' : `: ${meaning}`}`;
}

// The enhanced code (RFC 3463) says more than the other, and is all that we take from the text.
function enhancedOf(error: unknown): string | undefined {
  const { response } = error as { response?: unknown };
  return /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(String(response))?.[1];
}

function codesOf(reply: number, error: unknown): string {
  const enhanced = enhancedOf(error);
  return `SMTP code ${reply}${enhanced === undefined ? '' : ` ${enhanced}`}`;
}

// A permanent failure that is not about the syntax of the command (500 to 504).
function isRefusal(reply: number): boolean {
  return reply > 504 && reply < 600;
}

function describeFailure(code: unknown): string {
  switch (code) {
    case 'EDNS':
      return 'its name does not resolve';
    case 'ETLS':
    case 'EREQUIRETLS':
      return 'the TLS handshake failed';
    case 'EAUTH':
      return 'it does not support this type of login (auth)';
    case 'ESOCKET':
    case 'ECONNECTION':
      return 'it cannot be reached, or it closed the connection';
    default:
      return 'the connection broke';
  }
}
