import { WAITING_CAUSES } from '../../../libs/errors/waiting.ts';
import { groupBy } from '../../../libs/collections/group-by.ts';
import { WORST_FIRST } from '../../../libs/store/associations/status.ts';
import { fetchDestinations, readAssociations, type Association } from '../client/destinations.ts';
import type { Client } from '../client/http.ts';
import { destinationPath } from '../client/names.ts';

const WAITING = new Set(['PENDING', 'SYNCING', 'UNSYNCING', 'THROTTLED']);
const SETTLED = new Set(['SYNCED', 'UNSYNCED']);

/** Why pushes are held back, although nothing fails. */
type Held = keyof typeof WAITING_CAUSES;

const HELD = Object.keys(WAITING_CAUSES) as Held[];

/** The number of links of a destination in each status, and of those that wait for each reason to hold them back. */
export type DestinationCounts = Record<Held, number> & {
  destination: string;
  total: number;
  statuses: Record<string, number>;
  /** How many of them have each cause: why they fail, differ or are held back. */
  causes: Record<string, number>;
};

/**
 * The totals. `settled`: links that nothing is left to do for; `waiting`: those that will change by themselves; `throttled`: those of them for which the store asked to wait;
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
 * Counts the links of one destination, or of all, by status: a secret with many keys is one, in the worst status that any
 * of its keys has, as the console counts. Throws CommandError 3 if the destination does not exist.
 */
export async function countStatuses(client: Client, destination?: string): Promise<DestinationCounts[]> {
  if (destination !== undefined) await client.call('GET', destinationPath(destination));
  const names =
    destination === undefined
      ? (await fetchDestinations(client)).map(({ type, name }) => `${type}/${name}`)
      : [destination];
  const counts: DestinationCounts[] = [];
  for (const name of names) {
    const one: DestinationCounts = {
      destination: name,
      total: 0,
      statuses: {},
      causes: {},
      ...heldOf(() => 0),
    };
    for await (const page of readAssociations(client, destinationPath(name))) {
      // A page has all keys of its secrets.
      const links = [
        ...groupBy(page, ({ mount, secret_name: path }) => JSON.stringify([mount, path])).values(),
      ];
      one.total += links.length;
      for (const { sync_status: status, cause } of links.map(worstOf)) {
        one.statuses[status] = (one.statuses[status] ?? 0) + 1;
        if (cause !== null) one.causes[cause.code] = (one.causes[cause.code] ?? 0) + 1;
        const reason = HELD.find((code) => status === 'PENDING' && cause?.code === code);
        if (reason) one[reason] += 1;
      }
    }
    counts.push(one);
  }
  return counts;
}

function worstOf(keys: Association[]): Association {
  const rank = ({ sync_status: status }: Association): number => WORST_FIRST.indexOf(status);
  return keys.reduce((worst, key) => (rank(key) < rank(worst) ? key : worst));
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

/** The links that change by themselves, in words. */
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
