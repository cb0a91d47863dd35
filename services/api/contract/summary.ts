/** The answer about the status of everything. Other code imports only the types, so that it loads nothing. */

import { Type, type Static } from 'typebox';
import { causeAnswer, ofStore, scope } from './associations.ts';
import { pauseAnswer } from './pause.ts';
import { byName, closed, nullable, sentTime } from './schema.ts';
import { changeAnswer } from './secrets.ts';

const byStatus = byName(Type.Integer(), 'Number of associations by status.');

const problemAnswer = closed({
  store_type: ofStore.store_type,
  store_name: ofStore.store_name,
  sync_status: Type.String(),
  cause: nullable(causeAnswer),
  messages: Type.Array(Type.String(), {
    description: 'Where the cause has several texts: each of those that the first five associations have.',
  }),
  scope,
  count: Type.Integer(),
  standing: Type.Integer({
    description:
      'Of how many of the first five a decision about the entry stands (`decision`), which is carried out once that no longer fails.',
  }),
  decided: Type.Integer({
    description:
      'Of how many a person has decided about the entry (`conflict_policy`, another name, or the end of the association), which waits for a pause to end.',
  }),
  since: nullable(
    sentTime,
    'Since when the destination has this problem, as its incident says; later if all of few associations that still have it failed later.',
  ),
  failing_since: nullable(
    sentTime,
    'Since when the first of its associations has failed, where that began earlier for another cause; null otherwise, and for many associations.',
  ),
  next_attempt_at: nullable(sentTime),
  example: closed({ mount: Type.String(), secret_name: Type.String() }),
});

export type ProblemAnswer = Static<typeof problemAnswer>;

const destinationSummaryAnswer = closed({
  store_type: ofStore.store_type,
  store_name: ofStore.store_name,
  namespace: Type.String({ description: 'The path of its namespace; empty: the root namespace.' }),
  total: Type.Integer(),
  by_status: byStatus,
  oldest_due_at: nullable(sentTime),
  unclaimed_since: nullable(
    sentTime,
    'Since when what is due could have been taken, while no worker of the type runs. Null: one runs, nothing is due or it has to wait, or that is less than ten seconds ago.',
  ),
  throttled_until: nullable(sentTime),
  held: nullable(causeAnswer, 'Why no worker may push to it, although nothing fails.'),
  paused: nullable(pauseAnswer),
  purge_initiated_at: nullable(sentTime),
  purge_error: nullable(Type.String()),
  problems: Type.Array(problemAnswer),
});

export type DestinationSummaryAnswer = Static<typeof destinationSummaryAnswer>;

/** A page of a list of destinations. */
export const destinationPageAnswer = closed({
  total: Type.Integer({ description: 'Number of the destinations that match.' }),
  groups: Type.Array(closed({ key: Type.String(), count: Type.Integer() }), {
    description: 'For an order by type or status: how many there are of each, in the order of the list.',
  }),
  destinations: Type.Array(destinationSummaryAnswer),
});

export type DestinationPageAnswer = Static<typeof destinationPageAnswer>;

export const summaryAnswer = closed({
  disabled: Type.Boolean(),
  paused: nullable(pauseAnswer, 'The pause of the whole installation.'),
  total: Type.Integer(),
  by_status: byStatus,
  problem_count: Type.Integer({ description: 'How many problems there are; `problems` has at most 100.' }),
  problems: Type.Array(problemAnswer, { description: 'The severest first, at most 100.' }),
  destination_count: Type.Integer({
    description: 'How many destinations there are; `destinations` has at most `most`.',
  }),
  destinations: Type.Array(destinationSummaryAnswer, {
    description: 'The worst first; `sys/sync/summary/destinations` has all of them, in pages.',
  }),
});

export type SummaryAnswer = Static<typeof summaryAnswer>;

const incidentAnswer = closed({
  id: Type.Integer(),
  destination: nullable(
    closed({ type: Type.String(), name: Type.String(), deleted: Type.Boolean() }),
    'Null: it is deleted, and its name forgotten.',
  ),
  cause: causeAnswer,
  opened_at: sentTime,
  changed_at: sentTime,
  closed_at: nullable(sentTime, 'Null: it is open.'),
  associations: Type.Integer({ description: 'How many associations have the cause now.' }),
  most: Type.Integer({ description: 'How many had it at the same time, at most.' }),
  example: nullable(closed({ mount: Type.String(), secret_name: Type.String() })),
  ended: nullable(
    Type.Enum(['itself', 'person', 'removed', 'other_cause']),
    'How it ended: without anybody (`itself`), after something that a person did (`ended_by`), because its associations were removed, or because they failed for another cause from then on. What else helped, such as a change in the store, is not known.',
  ),
  ended_by: nullable(Type.String()),
  ended_after: nullable(
    closed({ cause: Type.String(), version: nullable(Type.Integer()), change: changeAnswer }),
    'Why `example` was last tried before the end, as its history says it, and with which version; `schedule` also if that waited for what the incident is about. Null: it was not, or that is no longer kept.',
  ),
  told: Type.Array(
    closed({
      rule: nullable(Type.String(), 'Null: a rule of a namespace above, or the environment.'),
      deleted: Type.Boolean({ description: 'The rule was deleted since.' }),
      at: sentTime,
      earlier: Type.Boolean({
        description: 'With an earlier incident: `example` has failed since, and a rule tells that once.',
      }),
    }),
    { description: 'Which rules for alerts have told somebody of it, and when the message was delivered.' },
  ),
});

/** One cause at one destination, from its first failure until no association has it any more. */
export type IncidentAnswer = Static<typeof incidentAnswer>;

export const incidentsAnswer = closed({
  incidents: Type.Array(incidentAnswer),
  next_after: nullable(Type.Integer(), 'Send it as `after` for the next page.'),
});

export type IncidentsAnswer = Static<typeof incidentsAnswer>;
