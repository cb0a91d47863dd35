import type { DestinationSummaryAnswer } from '../../../../api/contract/summary.ts';
import { currentNamespace } from '../../api/client.ts';

// Workers search for due links every two seconds, and a change begins within a second.
const SILENT_MS = 30_000;

/** Whether due changes of a destination wait although nothing keeps a worker from taking them. */
export function isSilent(destination: DestinationSummaryAnswer, now: number): boolean {
  const { by_status: counts, oldest_due_at: oldest, throttled_until: until, held } = destination;
  const isTaken = (counts['SYNCING'] ?? 0) > 0;
  const isWaiting = (counts['PENDING'] ?? 0) + (counts['UNSYNCING'] ?? 0) > 0;
  return (
    oldest !== null &&
    until === null &&
    held === null &&
    isWaiting &&
    !isTaken &&
    now - new Date(oldest).getTime() > SILENT_MS
  );
}

// A worker that hangs keeps a lease for a while: its links are then being synced, and still nobody works.
const KEPT_MS = 60_000;

const lately = new Map<string, { seen: number; since: string }>();

/** No worker of a type of store responds: the names of its destinations, and since when changes wait. */
type Silence = { type: string; names: string[]; since: string };

/** Which types of stores have no worker, although changes wait. */
export function findSilences(destinations: DestinationSummaryAnswer[], now: number): Silence[] {
  const types = [...new Set(destinations.map(({ store_type: type }) => type))];
  return types.flatMap((type) => {
    const own = destinations.filter((one) => one.store_type === type);
    const since = sinceOf(`${currentNamespace()} ${type}`, own, now);
    return since === null ? [] : [{ type, names: own.map(({ store_name: name }) => name), since }];
  });
}

function sinceOf(key: string, destinations: DestinationSummaryAnswer[], now: number): string | null {
  const known = lately.get(key);
  const waiting = destinations
    .filter((one) => isSilent(one, now))
    .flatMap(({ oldest_due_at: oldest }) => (oldest === null ? [] : [new Date(oldest).toISOString()]));
  const [oldest] = waiting.toSorted();
  if (oldest !== undefined) {
    const since = known && known.since < oldest ? known.since : oldest;
    lately.set(key, { seen: now, since });
    return since;
  }
  const isMoving = destinations.some(({ by_status: counts }) => MOVING.some((one) => (counts[one] ?? 0) > 0));
  if (known && isMoving && now - known.seen < KEPT_MS) return known.since;
  lately.delete(key);
  return null;
}

const MOVING = ['PENDING', 'SYNCING', 'UNSYNCING'];
