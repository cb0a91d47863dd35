/** Answers about alerts. Other code imports only the types, so that it loads nothing. */

import { Type, type Static } from 'typebox';
import { byName, closed, nullable, texts, time } from './schema.ts';

/** A rule; `url` and `secret` are masked. Those of the environment have no revision. */
export const alertAnswer = closed({
  name: Type.String(),
  read_only: Type.Boolean({ description: 'The rule is set by the environment of the maintenance worker.' }),
  enabled: Type.Boolean(),
  channel: Type.Enum(['email', 'webhook', 'email and webhook']),
  addresses: texts,
  url: Type.Optional(Type.String()),
  secret: Type.Optional(Type.String()),
  happenings: texts,
  minutes: Type.Integer(),
  resolved: Type.Boolean(),
  causes: texts,
  destinations: texts,
  namespaces: texts,
  muted_until: Type.String({ description: 'Empty: it is not muted.' }),
  quiet_from: Type.String(),
  quiet_to: Type.String(),
  quiet_days: texts,
  quiet_time_zone: Type.String(),
});

export type AlertAnswer = Static<typeof alertAnswer>;

const alertStateAnswer = closed({
  channel: alertAnswer.properties.channel,
  recipients: Type.Array(Type.String(), { description: 'Addresses, or the host of the webhook.' }),
  enabled: Type.Boolean(),
  read_only: Type.Boolean(),
  muted_until: nullable(time, 'Null if it is not muted.'),
  last_delivered: nullable(time),
  failing: nullable(Type.String(), 'Why nothing can be sent, or why the last try for a recipient failed.'),
  held: Type.Integer({
    description:
      'How many notifications wait for the end of the quiet hours, or of the time that it is muted.',
  }),
});

/** What a rule does, in the list of rules. */
export type AlertStateAnswer = Static<typeof alertStateAnswer>;

export const alertListAnswer = closed({
  keys: texts,
  key_info: byName(alertStateAnswer, 'The state of each rule.'),
});

export type AlertListAnswer = Static<typeof alertListAnswer>;

const alertDeliveryAnswer = closed({
  id: Type.String({
    description: 'The id of the message, as the receiver sees it; `held` if it has none yet.',
  }),
  recipient: Type.String({
    description: 'An address, or the host of the webhook; empty for that of the environment.',
  }),
  happenings: Type.Array(Type.String(), { description: '`alert.test` for a test.' }),
  about: Type.Array(Type.String(), {
    description:
      'What it is about: destinations as `type/name: count`, with `rate limited` behind it where that is all, workers, or a key.',
  }),
  outcome: Type.Enum(['delivered', 'waiting', 'held', 'given_up', 'dropped', 'failed'], {
    description: '`failed`: a test that did not arrive, which is not tried again.',
  }),
  detail: nullable(Type.String()),
  queued_at: time,
  attempts: Type.Integer(),
  tried_at: nullable(time),
  next_try_at: nullable(time),
});

/** One message to one recipient. */
export type AlertDeliveryAnswer = Static<typeof alertDeliveryAnswer>;

export const alertDeliveriesAnswer = closed({ deliveries: Type.Array(alertDeliveryAnswer) });

export type AlertDeliveriesAnswer = Static<typeof alertDeliveriesAnswer>;

const alertTryAnswer = closed({ recipient: Type.String(), ok: Type.Boolean(), detail: Type.String() });

export const alertTestAnswer = closed({ ok: Type.Boolean(), tries: Type.Array(alertTryAnswer) });

export type AlertTestAnswer = Static<typeof alertTestAnswer>;
