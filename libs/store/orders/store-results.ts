import type { Database } from '../../db/connect.ts';
import type { OrderResult } from './result.ts';
import { spendPace, throttleDestination } from './throttle.ts';

// A newer generation keeps the row due at once, whatever this attempt found; the fence is the lease token.
const ORDERS = `
WITH r AS (
  SELECT * FROM jsonb_to_recordset(?::jsonb) AS r (
    "id" bigint, "leaseToken" bigint, "generation" bigint, "settled" boolean, "lookAgainMs" float8, "expiresAt" timestamptz,
    "attempts" integer,
    "failure" jsonb)
)
UPDATE associations a SET
  lease_token = NULL,
  synced_generation = CASE WHEN r."settled" THEN r."generation" ELSE a.synced_generation END,
  due_at = CASE WHEN a.generation > r."generation" THEN now()
    ELSE coalesce(now() + r."lookAgainMs" * interval '1 millisecond', r."expiresAt") END,
  attempts = CASE WHEN a.generation > r."generation" THEN 0 ELSE r."attempts" END,
  failure = nullif(r."failure", 'null'),
  updated_at = now()
FROM r WHERE a.id = r."id" AND a.lease_token = r."leaseToken"
RETURNING a.id, a.generation > r."generation" AS newer`;

const ENTRIES = `
UPDATE entries e SET
  held = x."held",
  value_print = decode(x."valuePrint", 'hex'),
  value_bytes = x."valueBytes",
  written_tags = nullif(x."writtenTags", 'null'),
  reference = x."reference",
  status = x."status",
  cause = nullif(x."cause", 'null'),
  synced_version = x."syncedVersion",
  written_at = CASE WHEN x."wrote" THEN now() ELSE e.written_at END,
  updated_at = now()
FROM jsonb_to_recordset(?::jsonb) AS x (
  "id" bigint, "held" boolean, "valuePrint" text, "valueBytes" integer, "writtenTags" jsonb, "reference" text,
  "status" text, "cause" jsonb, "syncedVersion" integer, "wrote" boolean)
WHERE e.id = x."id"`;

const HISTORY = `
INSERT INTO sync_history
  (destination_id, mount_id, secret_path, sub_key, action, source_version, outcome, cause, duration_ms)
SELECT x."destinationId", x."mountId", x."secretPath", x."subKey", x."action", x."sourceVersion", x."outcome",
  nullif(x."cause", 'null'), x."durationMs"
FROM jsonb_to_recordset(?::jsonb) AS x (
  "destinationId" bigint, "mountId" bigint, "secretPath" text, "subKey" text, "action" text, "sourceVersion" integer,
  "outcome" text, "cause" jsonb, "durationMs" integer)`;

/** `lost`: the lease had ended before the result came; what was written meanwhile is being made good. `newer`: due again already. */
export type Stored = { newer: Set<number>; lost: Set<number> };

/** Stores the outcomes of a batch of orders in one transaction. */
export async function storeResults(db: Database, results: OrderResult[]): Promise<Stored> {
  return db.transaction(async (transaction) => {
    // Before anything becomes due again: what is due now must not be claimed.
    for (const [destinationId, { throttleMs, paceMs }] of waitsByDestination(results)) {
      if (throttleMs > 0) await throttleDestination(transaction, destinationId, throttleMs);
      else if (paceMs > 0) await spendPace(transaction, destinationId, paceMs);
    }
    const { rows } = await transaction.raw<{ rows: { id: number; newer: boolean }[] }>(ORDERS, [
      // In order of id, so that two batches never wait for each other's rows.
      JSON.stringify(results.toSorted((left, right) => left.id - right.id).map(orderOf)),
    ]);
    const ours = new Set(rows.map((row) => row.id));
    const kept = results.filter((result) => ours.has(result.id));
    const lost = results.filter((result) => !ours.has(result.id));
    const newer = new Set(rows.filter((row) => row.newer).map((row) => row.id));
    await storeEntries(transaction, kept);
    await storeHistory(transaction, results);
    await notePurgeFailures(transaction, kept);
    await deleteUnlinked(
      transaction,
      kept.filter((result) => result.unlinked && !newer.has(result.id)),
    );
    if (lost.length > 0) await distrust(transaction, lost);
    return { newer, lost: new Set(lost.map((result) => result.id)) };
  });
}

function waitsByDestination(results: OrderResult[]): [number, { throttleMs: number; paceMs: number }][] {
  const waits = new Map<number, { throttleMs: number; paceMs: number }>();
  for (const result of results) {
    const wait = waits.get(result.destinationId) ?? { throttleMs: 0, paceMs: 0 };
    wait.throttleMs = Math.max(wait.throttleMs, result.throttleMs);
    wait.paceMs += result.paceMs;
    waits.set(result.destinationId, wait);
  }
  // In order of id, so that two batches never wait for each other's rows.
  return [...waits].toSorted(([left], [right]) => left - right);
}

// What the statement reads; the entries and the history of an order go elsewhere.
function orderOf(result: OrderResult): object {
  const { id, leaseToken, generation, settled, lookAgainMs, expiresAt, attempts, failure } = result;
  return { id, leaseToken, generation, settled, lookAgainMs, expiresAt, attempts, failure };
}

async function storeEntries(transaction: Database, results: OrderResult[]): Promise<void> {
  const entries = results.flatMap((result) => result.entries);
  const gone = entries.filter((entry) => entry.gone).map((entry) => entry.id);
  const present = entries.filter((entry) => !entry.gone);
  if (present.length > 0) await transaction.raw(ENTRIES, [JSON.stringify(present)]);
  if (gone.length > 0) await transaction('entries').whereIn('id', gone).delete();
}

async function storeHistory(transaction: Database, results: OrderResult[]): Promise<void> {
  const lines = results.flatMap((result) =>
    result.history.map((attempt) => ({
      ...attempt,
      destinationId: result.destinationId,
      mountId: result.mountId,
      secretPath: result.secretPath,
    })),
  );
  if (lines.length > 0) await transaction.raw(HISTORY, [JSON.stringify(lines)]);
}

// The last association of a destination that is being purged takes the destination along.
async function deleteUnlinked(transaction: Database, results: OrderResult[]): Promise<void> {
  if (results.length === 0) return;
  await transaction('associations')
    .whereIn(
      'id',
      results.map((result) => result.id),
    )
    .where({ removing: true })
    .delete();
  await transaction.raw(
    `DELETE FROM destinations d WHERE d.id = ANY (?) AND d.purge_initiated_at IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM associations a WHERE a.destination_id = d.id)`,
    [[...new Set(results.map((result) => result.destinationId))]],
  );
}

// What keeps a purge from ending is shown at the destination; a later success of the last one deletes it all the same.
async function notePurgeFailures(transaction: Database, results: OrderResult[]): Promise<void> {
  for (const result of results) {
    const cause = result.failure ?? result.entries.find((entry) => entry.cause)?.cause;
    if (!cause || !result.removing) continue;
    await transaction('destinations')
      .where({ id: result.destinationId })
      .whereNotNull('purge_initiated_at')
      .update({ purge_error: `${cause.code}: ${cause.message}` });
  }
}

// A write under a lease that had ended may have landed after the next holder's. Nothing is certain then, so the row is
// made due once more and everything that was touched is written again.
async function distrust(transaction: Database, results: OrderResult[]): Promise<void> {
  const written = results.filter((result) => result.entries.some((entry) => entry.wrote));
  if (written.length === 0) return;
  const ids = written.map((result) => result.id);
  await transaction('entries')
    .whereIn('association_id', ids)
    .update({ value_print: null, written_at: transaction.fn.now() });
  await transaction.raw(
    `UPDATE associations SET generation = generation + 1,
       due_at = CASE WHEN lease_token IS NULL THEN now() ELSE due_at END
     WHERE id = ANY (?)`,
    [ids],
  );
}
