import { mailFault } from './failures.ts';

/** How to log in to a mail server. */
export type MailLogin = { method: 'plain' | 'login'; username: string; password: string };

/** What a mail server offered when it was greeted, as far as we use it. */
type Offers = { logins: string[]; hasSmtpUtf8: boolean };

/**
 * Throws if the server does not offer what the conversation needs: the type of login, and SMTPUTF8 for addresses whose
 * part before the @ is not ASCII. A server that never offered a login must not get a password. `greeting`: its whole reply
 * to EHLO or HELO.
 */
export function requireOffers(
  greeting: string,
  { login, from, to }: { login: MailLogin | undefined; from: string | undefined; to: string | undefined },
): void {
  const offers = readOffers(greeting);
  if (login && !offers.logins.includes(login.method.toUpperCase())) {
    const offered = offers.logins.length === 0 ? 'none' : offers.logins.join(', ').toLowerCase();
    throw mailFault(
      `does not offer the type of login in auth (${login.method}); it offers: ${offered}. Set auth to what it offers, or use its port for submission (587 or 465)`,
      'auth',
    );
  }
  if (offers.hasSmtpUtf8) return;
  const needed = 'does not offer SMTPUTF8, which an address needs whose part before the @ is not ASCII';
  if (isInternational(from)) throw mailFault(needed, 'sender');
  if (isInternational(to)) throw mailFault(needed, 'test-email-address');
}

function readOffers(greeting: string): Offers {
  const lines = greeting.split(/\r?\n/).map((line) =>
    line
      .replace(/^\d+[ -]/, '')
      .trim()
      .toUpperCase(),
  );
  const logins = lines.flatMap((line) => (/^AUTH[ =]/.test(line) ? line.slice(5).split(/[ =]+/) : []));
  return { logins: [...new Set(logins)].filter(Boolean), hasSmtpUtf8: lines.includes('SMTPUTF8') };
}

function isInternational(address = ''): boolean {
  return /[^\p{ASCII}]/u.test(address);
}
