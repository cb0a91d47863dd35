import { groupBy } from '../../collections/group-by.ts';
import type { Wakes } from '../../queue/wakes.ts';

/** A destination that has work, and its type. */
export type DueDestination = { destination_id: number; type: string };

/** Notifications for destinations that have work. */
export function toWakes(rows: DueDestination[]): Wakes {
  const byType = groupBy(rows, ({ type }) => type);
  return new Map([...byType].map(([type, due]) => [type, due.map((row) => row.destination_id)]));
}
