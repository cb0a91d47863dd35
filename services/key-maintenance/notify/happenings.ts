import type { Database } from '../../../libs/db/connect.ts';
import { findKeysAfter, readSeen, storeSeen } from '../../../libs/store/notifications/notifications.ts';
import {
  noteFailures,
  takeLongFailures,
  type LongFailure,
} from '../../../libs/store/notifications/failures.ts';

const MINUTE_MS = 60_000;

/** How many associations a notification names. */
export const MOST_TOLD = 50;

/** An event since the last look. */
export type Happening = { kind: string; data: Record<string, unknown> };

/** Facts from outside the database. */
export type OutsideFacts = {
  now: Date;
  failedMinutes: number;
  masterKey: string;
  /** The number of dead letters; null if it is unknown now. */
  deadLetters: number | null;
  /** The kinds of workers of which none runs; null if that is unknown now. */
  idleWorkers: string[] | null;
};

/**
 * Notes which associations fail, and finds what else happened since the last look, each change once. Call it in the
 * transaction that stores the notifications, so that none is lost or repeated. What existed before the first look is not
 * reported.
 */
export async function findHappenings(transaction: Database, sight: OutsideFacts): Promise<Happening[]> {
  await noteFailures(transaction, sight.now);
  return [
    ...(await findNewSigningKeys(transaction)),
    ...(await findNewMasterKey(transaction, sight.masterKey)),
    ...(await findNewDeadLetters(transaction, sight.deadLetters)),
  ];
}

/**
 * The failures of which the environment's channels were not told yet, also those from before the first look. One for each
 * destination: if a store is down, all its associations fail together. Call it after `findHappenings`.
 */
export async function findLongFailures(
  transaction: Database,
  { now, failedMinutes }: OutsideFacts,
): Promise<Happening[]> {
  const before = new Date(now.getTime() - failedMinutes * MINUTE_MS);
  const failures = await takeLongFailures(transaction, { now, before });
  const byDestination = new Map<number, LongFailure[]>();
  for (const failure of failures) {
    const others = byDestination.get(failure.destinationId);
    if (others) others.push(failure);
    else byDestination.set(failure.destinationId, [failure]);
  }
  return [...byDestination.values()].map((same) => describeFailures(same, failedMinutes));
}

function describeFailures(failures: LongFailure[], minutes: number): Happening {
  const [{ type, destination, namespace } = { type: '', destination: '', namespace: '' }] = failures;
  return {
    kind: 'associations.failing',
    data: {
      destination: { namespace, type, name: destination },
      minutes,
      total: failures.length,
      associations: failures.slice(0, MOST_TOLD).map((failure) => ({
        mount: failure.mount,
        secret_name: failure.secret_path,
        since: failure.since.toISOString(),
        class: failure.class,
        code: failure.code,
      })),
    },
  };
}

async function findNewSigningKeys(transaction: Database): Promise<Happening[]> {
  const seen = await readSeen<{ id: number }>(transaction, 'signing-key');
  const added = await findKeysAfter(transaction, seen?.id ?? 0);
  const newest = added.at(-1)?.id ?? seen?.id ?? 0;
  await storeSeen(transaction, 'signing-key', { id: newest });
  if (!seen) return [];
  // The first key of an installation replaces no other key.
  const rotated = seen.id === 0 ? added.slice(1) : added;
  return rotated.map(({ kid }) => ({ kind: 'key.rotated', data: { key: 'oidc-signing-key', id: kid } }));
}

// Workers get a new key one after the other, so an earlier key that is seen again is not a rotation.
async function findNewMasterKey(transaction: Database, id: string): Promise<Happening[]> {
  const seen = await readSeen<{ ids: string[] }>(transaction, 'master-key');
  if (seen?.ids.includes(id)) return [];
  await storeSeen(transaction, 'master-key', { ids: [...(seen?.ids ?? []), id] });
  return seen ? [{ kind: 'key.rotated', data: { key: 'master-key', id } }] : [];
}

async function findNewDeadLetters(transaction: Database, count: number | null): Promise<Happening[]> {
  if (count === null) return [];
  const seen = await readSeen<{ count: number }>(transaction, 'dead-letters');
  const before = seen?.count ?? 0;
  if (seen?.count !== count) await storeSeen(transaction, 'dead-letters', { count });
  if (count <= before) return [];
  return [{ kind: 'dead-letters.appeared', data: { new: count - before, total: count } }];
}
