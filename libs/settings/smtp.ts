import { Type, type Static } from 'typebox';
import { isEmailAddress, isHost } from './addresses.ts';
import {
  applying,
  choice,
  flag,
  optionalInteger,
  optionalText,
  secret,
  titled,
  worded,
} from './attributes.ts';
import { attributeProblem, defineSettings } from './definition.ts';

const LOG_INS = { auth: ['plain', 'login'] };

const schema = Type.Object({
  enabled: flag('Send email. Requires host, port and sender.', false),
  host: optionalText('Host name or IP address of the SMTP server.', { address: true }),
  port: optionalInteger('Port of the SMTP server, from 1 to 65535. Port 465 uses TLS from the first byte.', {
    address: true,
  }),
  sender: optionalText('Email address of the sender, without a display name.'),
  auth: titled(
    'Authentication',
    worded(
      {
        none: 'None',
        plain: 'User name and password',
        login: 'User name and password, by the older LOGIN',
      },
      choice(
        'How Sealift logs in to the server. Any way but `none` needs `username` and `password`.',
        ['none', 'plain', 'login'],
        'none',
      ),
    ),
  ),
  starttls: titled(
    'STARTTLS',
    worded(
      {
        auto: 'Required if a password is sent',
        required: 'Always required',
        optional: 'Only if the server offers it',
      },
      choice(
        'Encryption on ports other than 465. Where it is not required and the server does not offer it, everything is sent unencrypted.',
        ['auto', 'required', 'optional'],
        'auto',
      ),
    ),
  ),
  username: applying(LOG_INS, titled('User name', optionalText('User name at the server.'))),
  password: applying(LOG_INS, secret('Password at the server.')),
  'test-email-address': optionalText(
    'Sends a test message to this address before saving. If that fails, nothing is saved. The address itself is never stored.',
    { writeOnly: true },
  ),
});

export type SmtpSettings = Static<typeof schema>;

const OR_NO_LOGIN = 'or set `auth` to none';
const ONE_LINE = 'must not contain line breaks or other control characters';

/** The mail server; enabling it with a test address first sends a message. */
export const smtpSettings = defineSettings({
  kind: 'smtp',
  type: 'smtp-settings',
  schema,
  dropsSecrets: ({ enabled, auth }) => !enabled || auth === 'none',
  findProblems: (document, patch) => {
    if (!document.enabled) return [];
    const { host, port, sender, auth, username, password } = document;
    const recipient = patch['test-email-address'];
    const wantsLogin = auth !== 'none';
    const checks: [string, boolean, string][] = [
      ['host', Boolean(host), 'is required: enter a host'],
      ['host', !host || isHost(host), 'must be a host name or an IP address'],
      ['port', port !== null, 'is required: enter a port'],
      ['port', port === null || (port >= 1 && port <= 65_535), 'must be a port from 1 to 65535'],
      ['sender', Boolean(sender), 'is required: enter an email address'],
      ['sender', !sender || isEmailAddress(sender), 'must be an email address without a display name'],
      ['username', !wantsLogin || Boolean(username), `is required: enter the user name, ${OR_NO_LOGIN}`],
      ['password', !wantsLogin || Boolean(password), `is required: enter the password, ${OR_NO_LOGIN}`],
      ['username', isSingleLine(username), ONE_LINE],
      ['password', isSingleLine(password), ONE_LINE],
      ['test-email-address', !recipient || isEmailAddress(recipient), 'must be an email address'],
    ];
    return checks.filter(([, fits]) => !fits).map(([name, , fault]) => attributeProblem(name, fault));
  },
});

// A null character separates the user name from the password, and a login is one line.
function isSingleLine(text: string | null): boolean {
  return !/[\p{Cc}\p{Cs}]/u.test(text ?? '');
}
