import { Type, type Static } from 'typebox';
import type { Cause } from '../store/orders/order.ts';

/** A destination that is not stored, with its credentials; commands are sealed. `mount*` is any mount, to make a name. */
const draftSchema = Type.Object({
  name: Type.String(),
  namespaceId: Type.String(),
  namespace: Type.String(),
  settings: Type.Record(Type.String(), Type.Unknown()),
  template: Type.String(),
  granularity: Type.Enum(['secret-path', 'secret-key']),
  mountPath: Type.Union([Type.String(), Type.Null()]),
  mountAccessor: Type.Union([Type.String(), Type.Null()]),
});

const causeSchema = Type.Unsafe<Cause | null>({ type: ['object', 'null'] });

const checkSchema = Type.Object({ ok: Type.Boolean(), cause: causeSchema, ms: Type.Integer() });

const lookSchema = Type.Object({
  destination: Type.Optional(Type.Integer()),
  draft: Type.Optional(draftSchema),
  names: Type.Array(Type.String()),
});

const sightSchema = Type.Object({
  name: Type.String(),
  state: Type.Enum(['absent', 'ours', 'shared', 'unsure', 'unmarked', 'other', 'unknown']),
  cause: causeSchema,
});

const driftSchema = Type.Object({
  sub_key: Type.String(),
  external_name: Type.String(),
  state: Type.Enum(['in_sync', 'drifted', 'missing', 'present', 'not_written', 'foreign', 'unknown']),
  cause: causeSchema,
});

export type DraftDestination = Static<typeof draftSchema>;

/** The names to look for, in a stored destination or a draft. */
export type LookRequest = Static<typeof lookSchema>;

/** Whether a store accepts the credentials, and after how many milliseconds it answered. */
export type CheckResult = Static<typeof checkSchema>;

/**
 * What a store says about a name that the ledger does not have: the owner of the entry, if there is one. `shared`: another
 * destination of ours manages it. `unsure`: it bears our mark, but the ledger cannot tell whether another destination manages
 * it. `unknown`: the store gave no answer, see `cause`.
 */
export type Sight = Static<typeof sightSchema>;

/**
 * How an external entry compares with what we wrote. `present`: it exists but cannot be read; `not_written`: nothing of ours
 * is there; `foreign`: the same, and an entry of somebody else has the name; `unknown`: see `cause`.
 */
export type Drift = Static<typeof driftSchema>;

/** What the result of `verify` says about each entry of the association. */
export type Verification = { entries: Drift[] };

/**
 * The commands to a connector worker: `check` tries a destination's credentials, `check-draft` those of a destination that
 * is not stored, `look` finds the owners of some names, `verify` looks for drift.
 */
export const connectorCommands = {
  check: { body: Type.Object({ destination: Type.Integer() }), result: checkSchema },
  'check-draft': { body: Type.Object({ draft: draftSchema }), result: checkSchema },
  look: {
    body: lookSchema,
    result: Type.Object({ entries: Type.Array(sightSchema) }),
  },
  verify: {
    body: Type.Object({ association: Type.Integer() }),
    result: Type.Object({ entries: Type.Array(driftSchema) }),
  },
};
