import { CHECK_STEPS } from '../connector/errors.ts';
import { Type, type Static } from 'typebox';
import type { NameHolder } from '../store/associations/entries.ts';
import type { Cause } from '../store/orders/order.ts';

const granularitySchema = Type.Enum(['secret-path', 'secret-key']);

/** A destination that is not stored, with its credentials; commands are sealed. `mount*` is any mount, to make a name. */
const draftSchema = Type.Object({
  name: Type.String(),
  namespaceId: Type.String(),
  namespace: Type.String(),
  settings: Type.Record(Type.String(), Type.Unknown()),
  template: Type.String(),
  granularity: granularitySchema,
  mountPath: Type.Union([Type.String(), Type.Null()]),
  mountAccessor: Type.Union([Type.String(), Type.Null()]),
});

const causeSchema = Type.Unsafe<Cause | null>({ type: ['object', 'null'] });

const checkSchema = Type.Object({
  ok: Type.Boolean(),
  cause: causeSchema,
  // A worker of the previous version sends none.
  step: Type.Optional(Type.Union([Type.Enum([...CHECK_STEPS]), Type.Null()])),
  ms: Type.Integer(),
});

const planSchema = Type.Object({
  destination: Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    container: Type.String(),
    isMoved: Type.Boolean(),
    template: Type.String(),
    granularity: granularitySchema,
    customTags: Type.Record(Type.String(), Type.String()),
    conflictPolicy: Type.Enum(['refuse', 'overwrite', 'adopt']),
    deletionPolicy: Type.Enum(['delete', 'retain']),
    onLatestDeleted: Type.Enum(['previous', 'remove']),
  }),
  decided: Type.Optional(
    Type.Object({ policy: Type.Enum(['overwrite', 'adopt']), keys: Type.Array(Type.String()) }),
  ),
  settings: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  namespace: Type.Object({ id: Type.String(), path: Type.String() }),
  secrets: Type.Array(
    Type.Object({
      mount: Type.Object({ id: Type.Integer(), path: Type.String(), accessor: Type.String() }),
      path: Type.String(),
      template: Type.Optional(Type.String()),
    }),
  ),
  unlink: Type.Boolean(),
  // An API of the previous version sends none.
  compares: Type.Optional(Type.Boolean()),
  leavesDrift: Type.Optional(Type.Boolean()),
  keepsDecisions: Type.Optional(Type.Boolean()),
  keepsPending: Type.Optional(Type.Boolean()),
  keepsUnlinking: Type.Optional(Type.Boolean()),
  onlySeen: Type.Optional(Type.Boolean()),
  looked: Type.Union([Type.Integer(), Type.Null()]),
});

const time = Type.Union([Type.String(), Type.Null()]);

const storeEntrySchema = Type.Object({
  createdAt: time,
  changedAt: time,
  tags: Type.Record(Type.String(), Type.String()),
});

const stepSchema = Type.Object({
  subKey: Type.String(),
  externalName: Type.String(),
  action: Type.Enum([
    'create',
    'update',
    'unchanged',
    'conflict',
    'taken',
    'refused',
    'delete',
    'retain',
    'overwrite',
    'adopt',
    'unknown',
  ]),
  reason: Type.Union([Type.String(), Type.Null()]),
  holder: Type.Unsafe<NameHolder | null>({ type: ['object', 'null'] }),
  prints: Type.Optional(
    Type.Object({ ours: Type.String(), found: Type.Union([Type.String(), Type.Null()]) }),
  ),
  about: Type.Optional(storeEntrySchema),
  removedFrom: Type.Optional(Type.Array(Type.String())),
  // Workers of the release before do not send it.
  renaming: Type.Optional(Type.Object({ reason: Type.String(), removedFrom: Type.Array(Type.String()) })),
  mayLose: Type.Optional(Type.Boolean()),
  failsAlready: Type.Optional(Type.Boolean()),
  unchecked: Type.Optional(Type.Boolean()),
});

const plannedSchema = Type.Object({
  secrets: Type.Array(
    Type.Object({
      version: Type.Union([Type.Integer(), Type.Null()]),
      isFallback: Type.Boolean(),
      fault: Type.Union([Type.Enum(['no_live_version', 'too_many_entries']), Type.Null()]),
      steps: Type.Array(stepSchema),
      // Workers of the release before send neither.
      isLinked: Type.Optional(Type.Boolean()),
      standing: Type.Optional(Type.Enum(['overwrite', 'adopt'])),
    }),
  ),
  look: Type.Union([
    Type.Object({
      entries: Type.Integer(),
      unknown: Type.Integer(),
      cause: causeSchema,
      // Workers of the release before do not send it.
      causes: Type.Optional(Type.Array(Type.Object({ cause: causeSchema, entries: Type.Integer() }))),
    }),
    Type.Null(),
  ]),
});

const verifiedEntrySchema = Type.Object({
  sub_key: Type.String(),
  external_name: Type.String(),
  state: Type.Enum([
    'in_sync',
    'drifted',
    'missing',
    'present',
    'not_written',
    'deleted',
    'undeleted',
    'foreign',
    'unknown',
  ]),
  version: Type.Optional(Type.Integer()),
  cause: causeSchema,
});

const verificationSchema = Type.Object({ entries: Type.Array(verifiedEntrySchema) });

export type DraftDestination = Static<typeof draftSchema>;

/** Most entries that one plan asks a store about. */
export const MOST_LOOKED = 200;

/**
 * What to plan, for a stored destination or a draft (`id` 0 if it does not exist yet). `isMoved`: it would write to another
 * container than now, of which the ledger says nothing. `settings`: those of a draft, with credentials, to look into the
 * store with. `template` of a secret: the one that it would get for itself; empty: that of the destination. `compares`: a person syncs, retries or unlinks
 * the secrets, which reads the entries that are ours, so the plan compares them too. `leavesDrift`: the destination changes, which leaves what somebody changed in the store. `keepsDecisions`: what people decided
 * about entries that are not ours still counts; `keepsPending`: only what no pause holds back; `keepsUnlinking`: a secret that is being unlinked stays so; `onlySeen`: what somebody has changed since anybody looked is left. `looked`: about how many entries the store was asked before; null: it is not asked.
 */
export type PlanRequest = Static<typeof planSchema>;

/**
 * What would happen to one entry. `holder`: another association has the name, and the reader may not be allowed to know it.
 * `prints`: the keyed fingerprints of our value and of that of somebody else's entry, null if it cannot be read. `renaming`:
 * what becomes of the value of an entry that is to be deleted, if an entry of another name takes it over.
 */
export type PlannedStep = Static<typeof stepSchema>;

/** What a store tells of an entry beside its value: times (ISO 8601; null if it does not tell), tags, labels or a comment. */
export type StoreEntry = Static<typeof storeEntrySchema>;

/**
 * The plan of one secret; `isFallback`: its newest version is deleted or has expired, and an older one would be written;
 * `standing`: what a person decided about its entries and nobody has carried out.
 */
export type SecretPlan = PlanResult['secrets'][number];

/** The plans of the first secrets of a request, at least one: the caller asks again for those that are left. */
export type PlanResult = Static<typeof plannedSchema>;

/** Whether a store accepts the credentials, and after how many milliseconds it answered. */
export type CheckResult = Static<typeof checkSchema>;

/**
 * How an external entry compares with what we wrote. `present`: it exists but cannot be read; `not_written`: nothing of ours
 * is there; `foreign`: the same, and an entry of somebody else has the name; `deleted` and `undeleted`: whether the entry of a
 * secret that is being unlinked is gone, while its deletion is not confirmed; `unknown`: see `cause`. `version`: that has the
 * value, if it is not the one that we know to have written.
 */
export type VerifiedEntry = Static<typeof verifiedEntrySchema>;

/** What the result of `verify` says about each entry of the association. */
export type Verification = Static<typeof verificationSchema>;

/**
 * The commands to a connector worker: `check` tries the credentials of a destination or a draft, `plan` says what syncing
 * some secrets would write, `verify` looks for drift, `issuer` tells whose name its identity tokens bear (empty: it makes
 * none), and whether ISSUER_URL says so.
 */
export const connectorCommands = {
  check: {
    body: Type.Union([Type.Object({ destination: Type.Integer() }), Type.Object({ draft: draftSchema })]),
    result: checkSchema,
  },
  plan: { body: planSchema, result: plannedSchema },
  verify: {
    body: Type.Object({ association: Type.Integer() }),
    result: verificationSchema,
  },
  issuer: {
    body: Type.Null(),
    result: Type.Object({ address: Type.String(), isSet: Type.Boolean() }),
  },
};
