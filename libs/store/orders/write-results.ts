import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';
import { DECIDED, UNDECIDED } from '../due/trigger.ts';
import { IS_SEEN_CHANGED } from './ledger.ts';
import type { OrderResult } from './result.ts';

// A write that failed may have been carried out, but nobody has seen that the drift is over.
const KEEPS_DRIFT = `x."owned" AND NOT (x."wrote" AND nullif(x."cause", 'null') IS NULL)`;

// One statement saves round trips: it updates the orders that are still leased and their entries, and inserts the history
// of all orders. A newer generation keeps the row due at once, whatever this attempt found. The lease token is the fence.
const WRITE = `
WITH stored AS (
  UPDATE associations a SET
    lease_token = NULL,
    synced_generation = CASE WHEN r."settled" THEN r."generation" ELSE a.synced_generation END,
    due_at = CASE WHEN a.generation > r."generation" THEN now()
      ELSE least(now() + r."lookAgainMs" * interval '1 millisecond', r."expiresAt") END,
    later = a.generation <= r."generation"
      AND coalesce(least(now() + r."lookAgainMs" * interval '1 millisecond', r."expiresAt") > now(), false),
    -- The trigger of the entries finds the same, in one more version of the row. Without entries, the secret decides.
    entries_status = CASE WHEN r."entries" = 'none' AND r."settled" THEN 'UNSYNCED'
      WHEN r."entries" = 'synced' AND a.entries_status = 'UNSYNCED' THEN NULL ELSE a.entries_status END,
    attempts = CASE WHEN a.generation > r."generation" THEN 0 ELSE r."attempts" END,
    failure = nullif(r."failure", 'null'),
    failing_since = CASE WHEN nullif(r."failure", 'null') IS NOT NULL THEN coalesce(a.failing_since, now()) END,
    -- What was decided about a conflict is done, or the entry is not the one that it was decided about.
    trigger = CASE WHEN a.generation > r."generation" THEN a.trigger WHEN r."endsDecision" THEN ${DECIDED}
      WHEN r."settled" AND r."attempts" = 0 THEN ${UNDECIDED} WHEN r."isLimited" THEN a.trigger || '{"limited": true}' ELSE a.trigger END,
    updated_at = now()
  FROM json_to_recordset(?::json) AS r (
    "id" bigint, "leaseToken" bigint, "generation" bigint, "settled" boolean, "lookAgainMs" float8,
    "expiresAt" timestamptz, "attempts" integer, "failure" jsonb, "entries" text, "endsDecision" boolean, "isLimited" boolean)
  -- Names the keys again, although "r" has them: otherwise Postgres reads the whole table once it has some thousand rows.
  WHERE a.id = ANY (?::bigint[]) AND a.id = r."id" AND a.lease_token = r."leaseToken"
  RETURNING a.id, a.generation > r."generation" AS newer,
    EXISTS (SELECT 1 FROM sync_incidents i WHERE i.destination_id = a.destination_id AND i.closed_at IS NULL) AS troubled
), ledger AS (
  UPDATE entries e SET
    -- The name may belong to another key by now. If that key has a row under the name already, this row keeps its old key.
    sub_key = CASE WHEN e.sub_key = x."subKey" OR EXISTS (
        SELECT 1 FROM entries o WHERE o.association_id = e.association_id AND o.sub_key = x."subKey"
          AND o.external_name = e.external_name)
      THEN e.sub_key ELSE x."subKey" END,
    owned = x."owned",
    -- An entry that was seen changed was loaded without its fingerprint; what was written before is still worth knowing.
    value_fingerprint = CASE WHEN ${IS_SEEN_CHANGED} AND x."owned" AND NOT x."wrote" AND x."valueFingerprint" IS NULL
      THEN e.value_fingerprint ELSE decode(x."valueFingerprint", 'hex') END,
    value_bytes = x."valueBytes",
    written_tags = nullif(x."writtenTags", 'null'),
    reference = x."reference",
    status = x."status",
    cause = nullif(x."cause", 'null'),
    failing_since = CASE WHEN nullif(x."cause", 'null') IS NOT NULL THEN coalesce(e.failing_since, now()) END,
    synced_version = x."syncedVersion",
    written_at = CASE WHEN x."wrote" THEN now() ELSE e.written_at END,
    uncertain_at = CASE x."uncertainty" WHEN 'begins' THEN now() WHEN 'stays' THEN e.uncertain_at END,
    owner_seen_at = CASE WHEN NOT x."owned" THEN NULL WHEN x."ownerSeen" THEN now() ELSE e.owner_seen_at END,
    drift = CASE WHEN ${KEEPS_DRIFT} THEN coalesce(x."drift" -> 'cause', e.drift) END,
    drift_since = CASE WHEN ${KEEPS_DRIFT} THEN coalesce(e.drift_since, CASE WHEN x."drift" IS NOT NULL THEN now() END) END,
    drift_fingerprint = CASE WHEN NOT (${KEEPS_DRIFT}) THEN NULL
      WHEN x."drift" IS NULL THEN e.drift_fingerprint ELSE decode(x."drift" ->> 'found', 'hex') END,
    updated_at = now()
  FROM json_to_recordset(?::json) AS x (
    "id" bigint, "order" bigint, "subKey" text, "owned" boolean, "valueFingerprint" text, "valueBytes" integer, "writtenTags" jsonb,
    "reference" text, "status" text, "cause" jsonb, "syncedVersion" integer, "wrote" boolean, "uncertainty" text,
    "ownerSeen" boolean, "drift" jsonb)
  JOIN stored ON stored.id = x."order"
  WHERE e.id = x."id"
), history AS (
  INSERT INTO sync_history
    (destination_id, mount_id, secret_path, sub_key, external_name, action, source_version, outcome, cause, duration_ms, trigger)
  SELECT x."destinationId", x."mountId", x."secretPath", x."subKey", x."externalName", x."action", x."sourceVersion", x."outcome",
    nullif(x."cause", 'null'), x."durationMs", nullif(x."trigger", 'null')
  FROM json_to_recordset(?::json) AS x (
    "destinationId" bigint, "mountId" bigint, "secretPath" text, "subKey" text, "externalName" text, "action" text,
    "sourceVersion" integer, "outcome" text, "cause" jsonb, "durationMs" integer, "trigger" jsonb)
)
SELECT id, newer, troubled FROM stored`;

/**
 * Writes results and their history. Returns the orders whose lease was still ours, whether each is already due again, and
 * whether its destination has an open incident.
 */
export function writeResults(
  db: Database,
  results: OrderResult[],
): Promise<{ id: number; newer: boolean; troubled: boolean }[]> {
  // In order of id, so that two batches never wait for each other's rows.
  const sorted = results.toSorted((left, right) => left.id - right.id);
  return prepared(db, WRITE, [
    JSON.stringify(sorted.map(orderOf)),
    sorted.map(({ id }) => id),
    JSON.stringify(sorted.flatMap(entriesOf)),
    JSON.stringify(sorted.flatMap(historyOf)),
  ]);
}

// The fields of an order that the statement reads.
function orderOf(result: OrderResult): object {
  const {
    id,
    leaseToken,
    generation,
    settled,
    lookAgainMs,
    expiresAt,
    attempts,
    failure,
    throttleMs,
    endsDecision,
  } = result;
  const entries = stateOf(result);
  return {
    id,
    leaseToken,
    generation,
    settled,
    lookAgainMs,
    expiresAt,
    attempts,
    failure,
    entries,
    endsDecision,
    isLimited: !settled && throttleMs > 0,
  };
}

function stateOf({ entries }: OrderResult): 'none' | 'synced' | 'other' {
  if (entries.length === 0) return 'none';
  return entries.every(({ gone, status }) => !gone && status === 'SYNCED') ? 'synced' : 'other';
}

function entriesOf({ id, entries }: OrderResult): object[] {
  return entries.filter((entry) => !entry.gone).map((entry) => ({ order: id, ...entry }));
}

function historyOf({ destinationId, mountId, secretPath, trigger, history }: OrderResult): object[] {
  return history.map((attempt) => ({ destinationId, mountId, secretPath, trigger, ...attempt }));
}
