import type { Database } from '../../db/connect.ts';
import { transact } from '../../db/transact.ts';
import { notePurgeErrors } from '../destinations/purges.ts';
import { openIncidents, type Failing } from '../incidents/note.ts';
import type { Cause } from './order.ts';
import { noteFinding, type DestinationFinding } from './probes.ts';
import type { OrderResult } from './result.ts';
import { chargeWrites, throttleDestination } from './rate-limit.ts';
import { writeResults } from './write-results.ts';
import { announceDue, DUE_DESTINATION, type DueDestination } from '../due/announce.ts';
import { DUE_DECISION, trigger } from '../due/trigger.ts';
import { makeWaitersDue, type FreedName } from './waiting-names.ts';

/**
 * `lost`: the lease ended before the result came; what the attempt wrote is being repaired. `newer`: already due again.
 * `troubled`: the destinations whose incidents have to be noted.
 */
export type Stored = { newer: Set<number>; lost: Set<number>; troubled: Set<number> };

/**
 * Stores the results of a batch of orders. Throws if Postgres fails, or if another transaction locks a row for longer
 * than `db` waits (55P03). The caller may then call it again.
 */
export async function storeResults(db: Database, results: OrderResult[]): Promise<Stored> {
  const stored = results.every(isPlain)
    ? await write(db, results)
    : await transact(db, (transaction) => writeWithRest(transaction, results));
  const lost = results.filter((result) => stored.lost.has(result.id));
  // After the rest, in its own transaction: if it does not happen, the process died, and its expired leases show the
  // same.
  if (lost.length > 0) await invalidate(db, lost);
  // Likewise: the call that stores the last result of a destination sees all the others. If it does not happen, the job
  // does it.
  const stuck = results.filter(({ id, removing, unlinked }) => removing && !unlinked && !stored.lost.has(id));
  const destinations = new Set(stuck.map((result) => result.destinationId));
  if (destinations.size > 0)
    await transact(db, (transaction) => notePurgeErrors(transaction, [...destinations]));
  return stored;
}

async function write(db: Database, results: OrderResult[]): Promise<Stored> {
  const rows = await writeResults(db, results);
  const ours = new Set(rows.map((row) => row.id));
  return {
    newer: new Set(rows.filter((row) => row.newer).map((row) => row.id)),
    troubled: troubledBy(results, new Set(rows.filter((row) => row.troubled).map((row) => row.id))),
    lost: new Set(results.map((result) => result.id).filter((id) => !ours.has(id))),
  };
}

function troubledBy(results: OrderResult[], open: Set<number>): Set<number> {
  const troubled = results.filter(
    (result) =>
      open.has(result.id) || causesOf(result).length > 0 || result.entries.some(({ drift }) => drift),
  );
  return new Set(troubled.map(({ destinationId }) => destinationId));
}

function causesOf({ failure, finding, entries }: OrderResult): Cause[] {
  const own = failure ?? entries.find(({ cause }) => cause)?.cause;
  return [own, finding?.failure].filter((cause) => cause !== null && cause !== undefined);
}

// The order changes only its own row, its entries and its history, as nearly always.
function isPlain(result: OrderResult): boolean {
  const { throttleMs, owedMs, finding, removing, entries } = result;
  if (causesOf(result).length > 0) return false;
  return throttleMs === 0 && owedMs === 0 && !finding && !removing && !entries.some((entry) => entry.gone);
}

async function writeWithRest(transaction: Database, results: OrderResult[]): Promise<Stored> {
  // Before any row becomes due again: otherwise work that is due now could be claimed.
  for (const wait of waitsByDestination(results)) {
    if (wait.throttleMs > 0) await throttleDestination(transaction, wait);
    else if (wait.owedMs > 0) await chargeWrites(transaction, wait.destinationId, wait.owedMs);
  }
  for (const [destinationId, finding] of findingsByDestination(results))
    await noteFinding(transaction, destinationId, finding);
  const stored = await write(transaction, results);
  const kept = results.filter((result) => !stored.lost.has(result.id));
  await openIncidents(transaction, kept.flatMap(failingOf));
  await deleteGone(transaction, kept);
  await renameKeys(transaction, kept);
  await deleteUnlinked(
    transaction,
    kept.filter((result) => result.unlinked && !stored.newer.has(result.id)),
  );
  return stored;
}

function failingOf(result: OrderResult): Failing[] {
  const { destinationId, mountId, secretPath } = result;
  return causesOf(result).map((cause) => ({ destinationId, mountId, secretPath, cause }));
}

type Wait = Pick<OrderResult, 'destinationId' | 'revision' | 'throttleMs' | 'owedMs'>;

function waitsByDestination(results: OrderResult[]): Wait[] {
  const waits = new Map<number, Wait>();
  for (const { destinationId, revision, throttleMs, owedMs } of results) {
    const known = waits.get(destinationId);
    // What was asked of former settings no longer counts.
    const isNewer = !known || revision > known.revision;
    const wait = isNewer ? { destinationId, revision, throttleMs: 0, owedMs: known?.owedMs ?? 0 } : known;
    if (revision === wait.revision) wait.throttleMs = Math.max(wait.throttleMs, throttleMs);
    wait.owedMs += owedMs;
    waits.set(destinationId, wait);
  }
  // In order of id, so that two batches never wait for each other's rows.
  return [...waits.values()].toSorted((left, right) => left.destinationId - right.destinationId);
}

// Keeps the worst finding of each destination: a failure before a success, and both before neither.
function findingsByDestination(results: OrderResult[]): [number, DestinationFinding][] {
  const findings = new Map<number, DestinationFinding>();
  const weight = ({ failure, works }: DestinationFinding): number => (failure ? 2 : works ? 1 : 0);
  for (const { destinationId, finding } of results) {
    const known = findings.get(destinationId);
    if (finding && (!known || weight(finding) > weight(known))) findings.set(destinationId, finding);
  }
  return [...findings].toSorted(([left], [right]) => left - right);
}

async function deleteGone(transaction: Database, results: OrderResult[]): Promise<void> {
  const gone = results.flatMap((result) => result.entries).filter((entry) => entry.gone);
  if (gone.length === 0) return;
  const freed = await transaction('entries')
    .whereIn(
      'id',
      gone.map((entry) => entry.id),
    )
    .delete()
    .returning<FreedName[]>(['container', 'name_key']);
  await makeWaitersDue(transaction, freed);
}

// If a key takes over another key's name while it still has its own row without the name, the statement cannot rename the
// row. Now that row is gone.
async function renameKeys(transaction: Database, results: OrderResult[]): Promise<void> {
  const entries = results.flatMap((result) => result.entries).filter((entry) => !entry.gone);
  await transaction.raw(
    `UPDATE entries e SET sub_key = x.sub_key FROM unnest(?::bigint[], ?::text[]) AS x (id, sub_key)
     WHERE e.id = x.id AND e.sub_key <> x.sub_key`,
    [entries.map(({ id }) => id), entries.map(({ subKey }) => subKey)],
  );
}

// The last association of a destination that is being purged takes the destination with it.
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
       AND NOT EXISTS (SELECT 1 FROM association_keys k WHERE k.destination_id = d.id)`,
    [[...new Set(results.map((result) => result.destinationId))]],
  );
}

// A write under an expired lease may have landed after a write of the next holder. Then nothing is confirmed: the
// association becomes due once more, and every touched entry is written again. The present holder loses its lease too:
// otherwise its result would restore what it took as confirmed at its start.
async function invalidate(db: Database, results: OrderResult[]): Promise<void> {
  const written = results.filter((result) => result.entries.some((entry) => entry.wrote));
  if (written.length === 0) return;
  const ids = written.map(({ id }) => id);
  await transact(db, async (transaction) => {
    // Locks associations before entries, in order of id, as the statement that stores results does.
    await transaction('associations').whereIn('id', ids).orderBy('id').forUpdate().select('id');
    await transaction('entries').whereIn('association_id', ids).update({
      value_fingerprint: null,
      written_at: transaction.fn.now(),
      uncertain_at: transaction.fn.now(),
    });
    const { rows } = await transaction.raw<{ rows: DueDestination[] }>(
      `UPDATE associations a SET ${trigger('ledger', { keptDecision: DUE_DECISION, keeps: 'true', lease: 'revoked' })} WHERE a.id = ANY (?)
       RETURNING ${DUE_DESTINATION}`,
      [ids],
    );
    announceDue(transaction, rows);
  });
}
