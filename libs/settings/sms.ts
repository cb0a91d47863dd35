import { Type, type Static } from 'typebox';
import { flag, optionalText, secret, titled } from './attributes.ts';
import { attributeProblem, defineSettings } from './definition.ts';

const schema = Type.Object({
  enabled: flag(
    'Send SMS through Twilio. Requires all other attributes. Sealift itself sends nothing but the test message.',
    false,
  ),
  'account-sid': titled(
    'Account SID',
    optionalText('Account SID at Twilio. It begins with AC.', { address: true }),
  ),
  'auth-token': titled('Authentication token', secret('Authentication token of that Twilio account.')),
  'from-number': optionalText('Sender of the messages: a phone number or sender id of that Twilio account.'),
});

export type SmsSettings = Static<typeof schema>;

/** The account at the SMS provider; only the verify action tries it. */
export const smsSettings = defineSettings({
  kind: 'sms',
  type: 'sms-settings',
  schema,
  findProblems: (document) => {
    if (!document.enabled) return [];
    const checks: [string, boolean, string][] = [
      // The provider's client inserts it into a URL.
      [
        'account-sid',
        /^[\w-]{1,100}$/.test(document['account-sid'] ?? ''),
        'must be an account SID: letters, digits, _ and -',
      ],
      ['auth-token', Boolean(document['auth-token']), 'is required'],
      [
        'auth-token',
        // It becomes a part of a header. An empty one is reported above.
        /^[!-~]*$/.test(document['auth-token'] ?? ''),
        'must have printable characters without spaces or line breaks',
      ],
      ['from-number', isSender(document['from-number'] ?? ''), 'must be a phone number or a sender id'],
    ];
    return checks.filter(([, fits]) => !fits).map(([name, , fault]) => attributeProblem(name, fault));
  },
});

// Phone numbers have many notations; only the provider knows which of them it accepts.
function isSender(value: string): boolean {
  return value.trim() !== '' && value.length <= 100 && !/\p{C}/u.test(value);
}
