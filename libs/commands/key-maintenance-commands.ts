import { Type, type Static } from 'typebox';

// The audit trail names the request that asked for the change.
const body = Type.Object({ requestId: Type.String() });

const webhookTestSchema = Type.Object({
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

const reviewSchema = Type.Object({
  host: Type.String(),
  ca: Type.String(),
  token: Type.String(),
  audiences: Type.Array(Type.String()),
  reviewer: Type.Union([Type.String(), Type.Null()]),
  isOwnForbidden: Type.Boolean(),
  namespace: Type.String(),
});

const reviewedSchema = Type.Object({
  outcome: Type.Enum(['authenticated', 'refused', 'reviewer_refused', 'unavailable']),
  detail: Type.String(),
  username: Type.String(),
  uid: Type.String(),
  audiences: Type.Array(Type.String()),
});

const triedSchema = Type.Object({ ok: Type.Boolean(), detail: Type.String() });

/**
 * A token to ask a cluster about, and for which audiences; `host`: the URL of its API server. `reviewer`: the token that
 * asks; null: the worker's own, unless that is forbidden, and else the token itself. `namespace`: the path of ours.
 */
export type ReviewRequest = Static<typeof reviewSchema>;

/**
 * What a cluster said of a token. `reviewer_refused`: it does not let the reviewer ask; `unavailable`: it did not answer.
 * `detail`: a sentence that holds nothing that was received.
 */
export type ReviewResult = Static<typeof reviewedSchema>;

/**
 * The commands to the key-maintenance worker. `test-webhook` calls a webhook as an alert would, and says in a sentence
 * what came of it. `fetch-key-set` fetches the keys of an issuer, or says in a sentence why it could not. `review-token`
 * asks a cluster whether the token of a pod is valid.
 */
export const keyMaintenanceCommands = {
  'fetch-key-set': { body: Type.Object({ source: keySourceSchema }), result: keySetSchema },
  'review-token': { body: reviewSchema, result: reviewedSchema },
  'rotate-key': { body, result: Type.Object({ added: Type.Union([Type.String(), Type.Null()]) }) },
  'test-webhook': { body: webhookTestSchema, result: triedSchema },
  'trim-key': { body, result: Type.Object({ removed: Type.Array(Type.String()) }) },
};
