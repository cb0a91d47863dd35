import { groupBy } from '../../collections/group-by.ts';
import type { DueWork } from '../../queue/work-notifications.ts';

/** A destination that has work, and its type. */
export type DueDestination = { destination_id: number; type: string };

/** What workers are told of destinations that have work. */
export function toDueWork(rows: DueDestination[]): DueWork {
  const byType = groupBy(rows, ({ type }) => type);
  return new Map([...byType].map(([type, due]) => [type, due.map((row) => row.destination_id)]));
}
