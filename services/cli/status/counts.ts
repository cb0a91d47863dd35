import { WAITING_CAUSES } from '../../../libs/errors/waiting.ts';
import { fetchDestinations, readAssociations } from '../client/destinations.ts';
import type { Client } from '../client/http.ts';
import { destinationPath } from '../client/names.ts';

const WAITING = new Set(['PENDING', 'SYNCING', 'UNSYNCING', 'THROTTLED']);
const SETTLED = new Set(['SYNCED', 'UNSYNCED']);

/** Why pushes are held back, although nothing fails. */
type Held = keyof typeof WAITING_CAUSES;

const HELD = Object.keys(WAITING_CAUSES) as Held[];

/** The number of entries of a destination in each status, and of those that wait for each reason to hold them back. */
export type DestinationCounts = Record<Held, number> & {
  destination: string;
  total: number;
  statuses: Record<string, number>;
};

/**
 * The totals. `waiting`: entries that will change by themselves; `throttled`: those of them for which the store asked to wait;
 * `paused` and the like: those that are held back. `failed`: some of them may be retried later.
 */
export type CountSummary = Record<Held, number> & {
  total: number;
  settled: number;
  waiting: number;
  throttled: number;
  failed: number;
};

/** Whether a status is a failure class. */
export function isFailed(status: string): boolean {
  return !WAITING.has(status) && !SETTLED.has(status);
}

/**
 * Counts the entries of one destination, or of all, by status. Throws CommandError 3 if the destination does not exist.
 */
export async function countStatuses(client: Client, destination?: string): Promise<DestinationCounts[]> {
  if (destination !== undefined) await client.call('GET', destinationPath(destination));
  const names =
    destination === undefined
      ? (await fetchDestinations(client)).map(({ type, name }) => `${type}/${name}`)
      : [destination];
  const counts: DestinationCounts[] = [];
  for (const name of names) {
    const one: DestinationCounts = { destination: name, total: 0, statuses: {}, ...heldOf(() => 0) };
    for await (const page of readAssociations(client, destinationPath(name))) {
      one.total += page.length;
      for (const { sync_status: status, cause } of page) {
        one.statuses[status] = (one.statuses[status] ?? 0) + 1;
        const reason = HELD.find((code) => status === 'PENDING' && cause?.code === code);
        if (reason) one[reason] += 1;
      }
    }
    counts.push(one);
  }
  return counts;
}

/** Adds up the counts of all destinations. */
export function addUp(counts: DestinationCounts[]): CountSummary {
  const reasons = heldOf((code) => counts.reduce((sum, one) => sum + one[code], 0));
  const summary = { total: 0, settled: 0, waiting: 0, throttled: 0, ...reasons, failed: 0 };
  for (const [status, count] of counts.flatMap(({ statuses }) => Object.entries(statuses))) {
    summary.total += count;
    if (status === 'THROTTLED') summary.throttled += count;
    if (WAITING.has(status)) summary.waiting += count;
    else if (SETTLED.has(status)) summary.settled += count;
    else summary.failed += count;
  }
  return summary;
}

/** The entries that change by themselves, in words. */
export function tellWaiting(summary: CountSummary): string {
  const { waiting, throttled } = summary;
  const why = [
    ...(throttled > 0 ? [`${throttled} rate-limited`] : []),
    ...HELD.filter((code) => summary[code] > 0).map(
      (code) => `${summary[code]} ${code.replaceAll('_', ' ')}`,
    ),
  ];
  return `${waiting} pending${why.length > 0 ? ` (${why.join(', ')})` : ''}`;
}

function heldOf(count: (code: Held) => number): Record<Held, number> {
  return Object.fromEntries(HELD.map((code) => [code, count(code)])) as Record<Held, number>;
}
