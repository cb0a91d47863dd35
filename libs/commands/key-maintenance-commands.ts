import { Type, type Static } from 'typebox';

// The audit trail names the request that asked for the change.
const keyChangeSchema = Type.Object({ requestId: Type.String() });

const webhookTestSchema = Type.Object({
  /** The id of the message; an API of the former version sends none. */
  id: Type.Optional(Type.String()),
  url: Type.String(),
  secret: Type.String(),
  data: Type.Record(Type.String(), Type.Unknown()),
});

const keySourceSchema = Type.Union([
  Type.Object({ discoveryUrl: Type.String(), ca: Type.String() }),
  Type.Object({ keySetUrl: Type.String(), ca: Type.String() }),
]);

const keySetSchema = Type.Object({
  issuer: Type.Union([Type.String(), Type.Null()]),
  keys: Type.Array(Type.Record(Type.String(), Type.String())),
  fault: Type.Union([Type.String(), Type.Null()]),
});

const cluster = {
  host: Type.String(),
  ca: Type.String(),
  reviewer: Type.Union([Type.String(), Type.Null()]),
  isOwnForbidden: Type.Boolean(),
  namespace: Type.String(),
};

const accessSchema = Type.Object(cluster);

const reviewSchema = Type.Object({
  ...cluster,
  token: Type.String(),
  audiences: Type.Array(Type.String()),
});

const reviewedSchema = Type.Object({
  outcome: Type.Enum(['authenticated', 'refused', 'reviewer_refused', 'unavailable']),
  detail: Type.String(),
  username: Type.String(),
  uid: Type.String(),
  audiences: Type.Array(Type.String()),
});

const matchSchema = Type.Object({
  ...cluster,
  name: Type.String(),
  labels: Type.Record(Type.String(), Type.String()),
});

const matchedSchema = Type.Object({
  outcome: Type.Enum(['matches', 'differs', 'reviewer_refused', 'unavailable']),
  detail: Type.String(),
});

const triedSchema = Type.Object({ ok: Type.Boolean(), detail: Type.String() });

// A worker of an earlier version says nothing of certificates.
const clusterTrialSchema = Type.Object({
  ...triedSchema.properties,
  isUntrusted: Type.Optional(Type.Boolean()),
});

/**
 * How a cluster is asked; `host`: the URL of its API server. `reviewer`: the token that asks; null: the worker's own, unless
 * that is forbidden. `namespace`: the path of ours.
 */
export type ClusterAccess = Static<typeof accessSchema>;

/**
 * Whether a cluster answers. `detail`: a sentence that says why not, and holds nothing that was received. `isUntrusted`: its
 * certificate was not issued by the authorities that were given, or by the usual ones.
 */
export type ClusterTrial = Static<typeof clusterTrialSchema>;

/** No answer of a cluster. `reviewer_refused`: it does not let the reviewer ask; `unavailable`: it did not answer. */
export type ClusterFault = 'reviewer_refused' | 'unavailable';

/** A token to ask a cluster about, and for which audiences. Without any other, the token asks about itself. */
export type ReviewRequest = Static<typeof reviewSchema>;

/** What a cluster said of a token. `detail`: a sentence that holds nothing that was received. */
export type ReviewResult = Static<typeof reviewedSchema>;

/** A namespace of a cluster, and the labels with values that it must have. */
export type MatchRequest = Static<typeof matchSchema>;

/** Whether a namespace has the labels. `detail`: a sentence that holds nothing that was received. */
export type MatchResult = Static<typeof matchedSchema>;

/**
 * The commands to the key-maintenance worker. `test-webhook` calls a webhook as an alert would, and says in a sentence
 * what came of it. `fetch-key-set` fetches the keys of an issuer, or says in a sentence why it could not. `review-token`
 * asks a cluster whether the token of a pod is valid, `match-namespace` whether one of its namespaces has certain labels.
 * `try-cluster` asks nothing, and says whether the cluster answers.
 */
export const keyMaintenanceCommands = {
  'fetch-key-set': { body: Type.Object({ source: keySourceSchema }), result: keySetSchema },
  'match-namespace': { body: matchSchema, result: matchedSchema },
  'review-token': { body: reviewSchema, result: reviewedSchema },
  'rotate-key': {
    body: keyChangeSchema,
    result: Type.Object({ added: Type.Union([Type.String(), Type.Null()]) }),
  },
  'test-webhook': { body: webhookTestSchema, result: triedSchema },
  'try-cluster': { body: accessSchema, result: clusterTrialSchema },
  'trim-key': { body: keyChangeSchema, result: Type.Object({ removed: Type.Array(Type.String()) }) },
};
