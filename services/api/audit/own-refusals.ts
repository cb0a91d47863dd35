import { LRUCache } from 'lru-cache';

const HOUR_MS = 3_600_000;
const MOST_OF_CALLER = 1000;
const MOST_OF_ALL = 3000;
const MOST_CALLERS = 10_000;

// No accessors.
const ALL = '*';
const NOBODY = '';

/**
 * How many entries of their own refused requests have had: of one caller, named by the accessor, and of all, each in the hour
 * since the first. Beyond a limit there is no room: a request gets its entry only when it is allowed, and is counted if not.
 */
export type OwnRefusals = {
  hasRoom: (accessor: string | null) => boolean;
  /** False if there is no room. */
  take: (accessor: string | null) => boolean;
};

export function createOwnRefusals(): OwnRefusals {
  const counts = new LRUCache<string, number>({ max: MOST_CALLERS, ttl: HOUR_MS, noUpdateTTL: true });
  const countOf = (accessor: string): number => counts.get(accessor) ?? 0;
  const hasRoom = (accessor: string | null): boolean =>
    countOf(ALL) < MOST_OF_ALL && countOf(accessor ?? NOBODY) < MOST_OF_CALLER;
  return {
    hasRoom,
    take: (accessor) => {
      if (!hasRoom(accessor)) return false;
      for (const key of [ALL, accessor ?? NOBODY]) counts.set(key, countOf(key) + 1);
      return true;
    },
  };
}
