import { Type, type Static } from 'typebox';
import { isEmailAddress, isHost } from './addresses.ts';
import { choice, flag, optionalInteger, optionalText, secret } from './attributes.ts';
import { attributeProblem, defineSettings } from './definition.ts';

const schema = Type.Object({
  enabled: flag(false),
  host: optionalText({ address: true }),
  port: optionalInteger({ address: true }),
  sender: optionalText(),
  auth: choice(['none', 'plain', 'login'], 'none'),
  // Encryption on ports other than 465, which uses TLS from the first byte. `auto` requires it if a password is sent.
  starttls: choice(['auto', 'required', 'optional'], 'auto'),
  username: optionalText(),
  password: secret(),
  'test-email-address': optionalText({ writeOnly: true }),
});

export type SmtpSettings = Static<typeof schema>;

/** The mail server; enabling it with a test address first sends a message. */
export const smtpSettings = defineSettings({
  kind: 'smtp',
  type: 'smtp-settings',
  schema,
  findProblems: (document, asked) => {
    if (!document.enabled) return [];
    const { host, port, sender, auth, username, password } = document;
    const recipient = asked['test-email-address'];
    const wantsLogin = auth !== 'none';
    const checks: [string, boolean, string][] = [
      ['host', isHost(host ?? ''), 'must be a host name or an IP address'],
      ['port', port !== null && port >= 1 && port <= 65_535, 'must be a port from 1 to 65535'],
      ['sender', isEmailAddress(sender ?? ''), 'must be an email address without a display name'],
      ['username', !wantsLogin || Boolean(username), `is required where auth is ${auth}`],
      ['password', !wantsLogin || Boolean(password), `is required where auth is ${auth}`],
      ['test-email-address', !recipient || isEmailAddress(recipient), 'must be an email address'],
    ];
    return checks.filter(([, fits]) => !fits).map(([name, , fault]) => attributeProblem(name, fault));
  },
});
