import { LRUCache } from 'lru-cache';
import type { Destination } from '../../connector/contract.ts';

/** What a place takes beside what it holds; Infinity where its store has no such limit. */
export type Room = { entries: number; bytes: number };

/** `growing`: new names are wanted, not only new values. */
export type RoomFinder = (place: string, growing: boolean) => Promise<Room>;

// Far from the limit a count holds for some seconds: counting takes the longer the more there are, and no store takes
// that many new ones meanwhile.
const FAR = 20_000;
const COUNT_HOLDS_MS = 5000;
const MOST_REMEMBERED = 1000;

/** Finds the room in places of one type; `measure` counts what a place holds. Remembers where there was much room. */
export function createRoomFinder(
  limits: Destination['limits'],
  measure: (place: string) => Promise<{ entries: number; bytes: number }>,
): RoomFinder {
  const { entries: mostEntries, totalBytes: mostBytes } = limits;
  const roomy = new LRUCache<string, Room>({ max: MOST_REMEMBERED, ttl: COUNT_HOLDS_MS });
  return async (place, growing) => {
    const counts = (mostEntries !== undefined && growing) || mostBytes !== undefined;
    if (!counts) return { entries: Infinity, bytes: Infinity };
    const known = roomy.get(place);
    if (known) return { ...known };
    const used = await measure(place);
    const room = {
      entries: Math.max(0, (mostEntries ?? Infinity) - used.entries),
      bytes: (mostBytes ?? Infinity) - used.bytes,
    };
    if (room.entries > FAR && mostBytes === undefined) roomy.set(place, room);
    return { ...room };
  };
}
