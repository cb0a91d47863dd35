/** Answers about pauses, and about what people asked for that is still to be done. Other code imports only the types, so that it loads nothing. */

import { Type, type Static } from 'typebox';
import { closed, nullable, time } from './schema.ts';
import { changeAnswer } from './secrets.ts';

/** Since when a destination or the whole installation is paused, and who said why. */
export const pauseAnswer = closed({
  since: nullable(time, 'Null if syncing was disabled before this was recorded.'),
  by: nullable(Type.String(), 'Who paused it, or last changed the reason or the end.'),
  reason: nullable(Type.String()),
  until: nullable(time, 'When the pause ends by itself.'),
  changed_at: nullable(time, 'When `by` did that. Equal to `since` if nobody has changed the pause.'),
});

/** Whether what a call paused or resumed was paused before it. */
export const wasPaused = Type.Boolean({ description: 'Whether it was paused before this call.' });

export type PauseAnswer = Static<typeof pauseAnswer>;

const sparesChanges = Type.Optional(
  Type.Boolean({
    description:
      'Of a decision: whether what someone changes in the entry after it stays. It does where the decision named the entry in `expected`, and with `only_seen` where the entry is one that someone had changed before, if the store shows its value and no newer version waits.',
  }),
);

const withdrawUnlinks = Type.Optional(
  Type.Literal(true, {
    description: 'An unlinking was taken back with it. It goes on if this is withdrawn.',
  }),
);

const aboutKeys = Type.Optional(
  Type.Array(Type.String(), {
    description: 'The keys of the secret whose entries the decision is about. Absent: all of them.',
  }),
);

const decisionKind = Type.Enum(['overwrite', 'adopt']);

export const waitingAnswer = closed(
  {
    cause: Type.String({ description: 'Why it is due, as the history names it.' }),
    by: nullable(Type.String(), 'The display name of the person; null if no person caused it.'),
    change: changeAnswer,
    decision: nullable(decisionKind, 'What a person decided about an entry that is not managed by Sealift.'),
    withdrawable: Type.Boolean({ description: 'Whether `withdraw` still takes it back.' }),
    overwrites_drift: Type.Boolean({
      description: 'It replaces or deletes what someone changed in the store.',
    }),
    spares_changes: sparesChanges,
    withdraw_unlinks: withdrawUnlinks,
    keys: aboutKeys,
    recreates: Type.Optional(
      Type.Literal(true, { description: 'It writes again what someone deleted there.' }),
    ),
  },
  'What is carried out once the pause ends; absent if nothing waits for that.',
);

export type WaitingAnswer = Static<typeof waitingAnswer>;

const decisionAnswer = closed(
  {
    kind: Type.Enum(['overwrite', 'adopt', 'recreate'], {
      description: '`recreate`: what someone deleted in the store is written again.',
    }),
    by: nullable(Type.String(), 'The display name of the person.'),
    spares_changes: sparesChanges,
    withdraw_unlinks: withdrawUnlinks,
    keys: aboutKeys,
  },
  'What a person decided about an entry that is not managed by Sealift, or that someone changed or deleted in the store. It stands until an attempt carries it out, however many fail before that; `withdraw` takes it back.',
);

export type DecisionAnswer = Static<typeof decisionAnswer>;

/** What an association or an entry of it has of that. */
export const askedAnswer = {
  unlinking: Type.Optional(
    Type.Literal(true, {
      description: 'Someone has unlinked the secret; its entries are still to be deleted.',
    }),
  ),
  waiting: Type.Optional(waitingAnswer),
  decision: Type.Optional(decisionAnswer),
};

/** That an attempt came late. */
export const waitedAnswer = Type.Optional(
  closed(
    {
      since: time,
      for: nullable(
        Type.String(),
        'What held it back: `paused`, or the code of the cause for which the destination failed or asked to wait; null if that is not known.',
      ),
    },
    'Since when it was due; absent unless it had to wait some seconds for its first attempt.',
  ),
);
