import { Type } from 'typebox';
import { SHARED_CAUSES } from '../../libs/connector/causes.ts';
import type { AlertSettings } from '../../libs/store/notifications/rules.ts';
import { WEEKDAYS } from '../../libs/time/quiet-hours.ts';

// What can happen, as rules name it, and as people read it.
const HAPPENINGS = {
  'associations.failing': 'Secrets fail to sync, or an entry was changed in its store',
  'workers.missing': 'No worker runs',
  'key.rotated': 'A key was rotated',
  'dead-letters.appeared': 'A message could not be read',
};

const DAYS: Record<(typeof WEEKDAYS)[number], string> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

const CAUSES = Object.fromEntries(
  Object.entries(SHARED_CAUSES).map(([code, { message }]) => [
    code,
    `${message.replace('{store}', 'the store').replace(/^t/, 'T').replace(/\.$/, '')} (${code})`,
  ]),
);

/** What a field is if nobody has set it. */
export const alertDefaults: AlertSettings & { enabled: boolean } = {
  enabled: true,
  channel: 'email',
  addresses: [],
  happenings: [],
  causes: [],
  destinations: [],
  namespaces: [],
  minutes: 15,
  resolved: true,
  muted_until: '',
  quiet_from: '',
  quiet_to: '',
  quiet_days: [],
  quiet_time_zone: '',
};

const CLOCK = {
  clock: true,
  pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9])?$',
  errorMessage: 'must be a time such as 22:00',
};

const patterns = (title: string, description: string, more: object = {}) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 256 }), { title, description, maxItems: 100, ...more }));

/** The fields of a rule for alerts, in the order of the form. */
export const alertFields = {
  enabled: Type.Optional(
    Type.Boolean({
      title: 'Enabled',
      description: 'A rule that is off sends nothing, and drops what it has not sent.',
    }),
  ),
  channel: Type.Optional(
    Type.Enum(['email', 'webhook'], {
      title: 'Channel',
      words: { email: 'Email', webhook: 'Webhook' },
      description: 'How alerts are sent: by email with the SMTP settings of the site, or to a webhook.',
    }),
  ),
  addresses: Type.Optional(
    Type.Array(Type.String({ maxLength: 320 }), {
      title: 'Email addresses',
      applies: { channel: 'email' },
      description: 'Addresses without display names. Each gets its own message.',
      maxItems: 20,
    }),
  ),
  url: Type.Optional(
    Type.String({
      title: 'Webhook URL',
      applies: { channel: 'webhook' },
      description: 'The address that gets each alert as a POST with JSON. It is never shown again.',
      sensitive: true,
      visible: true,
      maxLength: 2048,
    }),
  ),
  secret: Type.Optional(
    Type.String({
      title: 'Signing secret',
      applies: { channel: 'webhook' },
      description:
        'Signs each call, by Standard Webhooks: `whsec_` and base64, or any text of 16 characters or more. It is never shown again.',
      sensitive: true,
      maxLength: 512,
    }),
  ),
  happenings: Type.Optional(
    Type.Array(Type.Enum(Object.keys(HAPPENINGS)), {
      title: 'Events',
      words: HAPPENINGS,
      description:
        'If none is ticked, the rule is about all of them. All but the first concern the whole installation and need a rule of the root namespace.',
      maxItems: Object.keys(HAPPENINGS).length,
    }),
  ),
  minutes: Type.Optional(
    Type.Integer({
      title: 'Notify after (minutes)',
      description: 'How long a link must have failed, or a worker must have been missing. Default: 15.',
      minimum: 1,
      maximum: 10_080,
    }),
  ),
  resolved: Type.Optional(
    Type.Boolean({
      title: 'Notify when resolved',
      description: 'Also sends a message when it no longer fails.',
    }),
  ),
  causes: patterns(
    'Causes',
    'Codes of causes, or their classes. If none is ticked, every cause counts except a rate limit of the store (`rate_limited`), which ends by itself.',
    { words: CAUSES },
  ),
  destinations: patterns(
    'Destinations',
    'Destinations as `type/name`; `*` stands for any characters. Empty: every destination.',
  ),
  namespaces: patterns(
    'Namespaces',
    'Namespaces below that of the rule, such as `team-a/`; `/` is its own, and `*` stands for any characters. Empty: all of them.',
  ),
  muted_until: Type.Optional(
    Type.String({
      title: 'Muted until',
      description:
        'Nothing is sent until this time, such as `2027-01-31T08:00:00Z`: what happens meanwhile is then sent as one message. Empty: it is not muted.',
      maxLength: 40,
    }),
  ),
  quiet_from: Type.Optional(
    Type.String({
      title: 'Quiet from',
      description:
        'Nothing is sent from this time of the day on, such as `22:00`. Empty: there are no quiet hours.',
      ...CLOCK,
    }),
  ),
  quiet_to: Type.Optional(
    Type.String({
      title: 'Quiet to',
      description: 'When the quiet hours end: what was held is then sent as one message.',
      ...CLOCK,
    }),
  ),
  quiet_days: Type.Optional(
    Type.Array(Type.Enum([...WEEKDAYS]), {
      title: 'Quiet days',
      words: DAYS,
      description: 'The days on which the quiet hours begin. If none is ticked, they apply every day.',
      maxItems: WEEKDAYS.length,
    }),
  ),
  quiet_time_zone: Type.Optional(
    Type.String({
      title: 'Time zone',
      description: 'The time zone of the quiet hours, such as `Europe/Berlin`.',
      maxLength: 64,
    }),
  ),
};
