/** Answers about what would happen, and what happened to many secrets. Other code imports only the types, so that it loads nothing. */

import { Type, type Static } from 'typebox';
import { causeAnswer, ofStore } from './associations.ts';
import { byName, closed, nullable, time } from './schema.ts';

const checkStep = Type.Enum(['credentials', 'token', 'exchange', 'role', 'permission']);

export const checkAnswer = closed({
  ok: Type.Boolean(),
  cause: nullable(causeAnswer),
  mode: Type.Enum(['static', 'app', 'federated', 'ambient'], {
    description: 'How the destination signs in, as `identity` says it.',
  }),
  steps: Type.Array(checkStep, { description: 'What the test tries, in order, until something fails.' }),
  step: nullable(
    checkStep,
    'What failed: the stored credentials, our identity token, its exchange, the role or account that it leads to, or the rights there. Null if none of these did.',
  ),
  ms: Type.Integer(),
});

export type CheckAnswer = Static<typeof checkAnswer>;

const actions = [
  'create',
  'rename',
  'update',
  'unchanged',
  'conflict',
  'taken',
  'refused',
  'left_out',
  'delete',
  'retain',
  'overwrite',
  'adopt',
  'unknown',
] as const;

const foundAnswer = closed(
  {
    created_at: nullable(time),
    changed_at: nullable(time, 'When its value was last written.'),
    tags: byName(Type.String(), 'All tags or labels; at Vercel, the environments and the comment.'),
  },
  'Beside `fingerprints`: what the store tells of the entry that has the name. Null where it does not tell.',
);

/** What a store tells of somebody else's entry. */
export type FoundAnswer = Static<typeof foundAnswer>;

const planStepAnswer = closed({
  sub_key: Type.String(),
  external_name: Type.String(),
  action: Type.Enum([...actions], {
    description:
      "`conflict`: the store has an entry of this name that this destination does not manage. `taken`: another association or key has the name, or gets it in this plan. A new link is refused, and one that exists fails. `left_out`: the link is refused because of another of its names. `rename`: the entry is written under this name, and then the one of `former_name` is deleted. `unknown`: the plan needs the store's answer and did not get it.",
  }),
  former_name: Type.Optional(
    Type.String({ description: 'With `rename`: the name of the entry until then.' }),
  ),
  reason: nullable(Type.String()),
  fingerprints: Type.Optional(
    closed(
      { ours: Type.String(), found: nullable(Type.String(), 'Null if its value cannot be read.') },
      'If the plan is of one linked secret, and an entry that isn’t managed by Sealift has the name: how the keyed fingerprints of our value and of its value begin. They are equal if the values are.',
    ),
  ),
  found: Type.Optional(foundAnswer),
  fails_already: Type.Optional(
    Type.Literal(true, {
      description: 'With `conflict`, `taken` or `refused`: the last attempt at the entry failed too.',
    }),
  ),
  may_lose: Type.Optional(
    Type.Literal(true, {
      description:
        'The store did not tell, or is asked about fewer entries: if someone changed this one, that change is lost.',
    }),
  ),
  unchecked: Type.Optional(
    Type.Literal(true, {
      description:
        'With `unchanged`: the store was asked and did not tell whether someone changed the entry, or whose it is. Nothing of anybody else is lost all the same.',
    }),
  ),
  removed_from: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Where the store no longer has the value then, such as environments of Vercel or regions of AWS that the settings no longer name.',
    }),
  ),
});

/** What would happen to one entry. */
export type PlanStepAnswer = Static<typeof planStepAnswer>;

const lookAnswer = closed({
  entries: Type.Integer({ description: "How many entries need the store's answer." }),
  unknown: Type.Integer({ description: 'For how many the answer is missing.' }),
  cause: nullable(causeAnswer, 'The first of `causes`.'),
  causes: Type.Array(closed({ cause: nullable(causeAnswer), entries: Type.Integer() }), {
    description:
      'Why answers are missing, and for how many entries; a cause of null: the store was not asked, or gave no reason.',
  }),
});

/** The result of asking the store. */
export type LookAnswer = Static<typeof lookAnswer>;

const seen = nullable(lookAnswer, 'Null if the store was not asked.');
const namedSecret = { mount: Type.String(), secret_name: Type.String() };
const planned = {
  ...namedSecret,
  source_version: nullable(Type.Integer()),
  is_fallback: Type.Boolean({
    description: 'The newest version is deleted or has expired, and an older one would be written.',
  }),
  planned: Type.Array(planStepAnswer),
};

const plannedSecretAnswer = closed({
  ...planned,
  error: nullable(Type.String(), 'Why the secret cannot be planned.'),
  ends_decision: Type.Optional(
    Type.Enum(['overwrite', 'adopt'], {
      description:
        'What someone decided about the entries of the link and is still to be done, if this ends it: the settings of `destination`, or a `secret_name_template` for this secret. Changes of `deletion_policy`, `drift_check` and `owner_check_seconds` end nothing.',
    }),
  ),
  unlinking: Type.Optional(
    Type.Literal(true, {
      description:
        'Someone has unlinked the secret: a retry goes on with that, and so does what is written with other settings. Of secrets that the call names, only with `destination`.',
    }),
  ),
});

export type PlannedSecretAnswer = Static<typeof plannedSecretAnswer>;

function totalsOf<const Words extends string>(words: readonly Words[]) {
  const properties = Object.fromEntries(words.map((word) => [word, Type.Optional(Type.Integer())]));
  return Type.Unsafe<Partial<Record<Words, number>>>(closed(properties));
}

export const planAnswer = closed({
  ...ofStore,
  secrets: Type.Array(plannedSecretAnswer),
  totals: totalsOf([...actions, 'error']),
  next_after: nullable(Type.String()),
  look: seen,
});

export type PlanAnswer = Static<typeof planAnswer>;

/** The plan of one secret. */
export const secretPlanAnswer = closed({ ...ofStore, ...planned, look: seen });

export const previewAnswer = closed({
  names: Type.Array(
    closed({
      ...namedSecret,
      sub_key: Type.String(),
      external_name: Type.String(),
      secret_name_template: nullable(
        Type.String(),
        'The template that the linked secret has for itself, which names it instead; null: none.',
      ),
      fault: nullable(Type.String(), 'Why there is no name.'),
    }),
  ),
});

export type PreviewAnswer = Static<typeof previewAnswer>;

const outcomes = ['linked', 'refreshed', 'removing', 'absent', 'refused', 'unknown', 'not_tried'] as const;

const bulkOutcome = closed({
  ...namedSecret,
  outcome: Type.Enum([...outcomes], {
    description: 'Send the secret again if it is `unknown` or `not_tried`; that is harmless.',
  }),
  error: nullable(Type.String()),
});

/** The outcome for one secret. */
export type BulkOutcome = Static<typeof bulkOutcome>;

export const bulkAnswer = closed({
  ...ofStore,
  secrets: Type.Array(bulkOutcome),
  totals: totalsOf(outcomes),
  next_after: nullable(Type.String()),
});

export type BulkAnswer = Static<typeof bulkAnswer>;

export const retriedAnswer = closed({ retried: Type.Integer() });

export type RetriedAnswer = Static<typeof retriedAnswer>;

/** What a test of a cluster came to. */
export const clusterCheckAnswer = closed({
  reachable: Type.Boolean({ description: 'Whether the API server answered, whatever it said.' }),
  fault: nullable(Type.String(), 'Why not, as a sentence without its mark.'),
  field: nullable(Type.Enum(['kubernetes_host', 'kubernetes_ca_cert']), 'What the fault is about.'),
});

export type ClusterCheckAnswer = Static<typeof clusterCheckAnswer>;

export const verifiedAnswer = closed({
  ...ofStore,
  entries: Type.Array(
    closed({
      sub_key: Type.String(),
      external_name: Type.String(),
      state: Type.String(),
      version: Type.Optional(
        Type.Integer({
          description: 'The version whose value is there, if it is not the one that was known to be written.',
        }),
      ),
      cause: nullable(causeAnswer),
    }),
  ),
});
