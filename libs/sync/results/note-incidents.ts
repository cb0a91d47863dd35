import { performance } from 'node:perf_hooks';
import { createBatcher } from '../../batching/batcher.ts';
import { noteIncidents } from '../../store/incidents/note.ts';
import type { Engine } from '../engine.ts';

// A statement reads all failures of a destination, so many failures are noted less often.
const LEAST_REST = 10;

/**
 * Notes the incidents of destinations whose results were stored. Does not wait for that, and never throws: what it misses,
 * a job notes.
 */
export function createIncidentNoter({ context, stop }: Engine): (destinationIds: Set<number>) => void {
  let restsUntil = 0;
  const note = createBatcher(
    async (ids: number[]) => {
      const begin = performance.now();
      await noteIncidents(context.db, ids);
      restsUntil = performance.now() + (performance.now() - begin) * LEAST_REST;
      return ids;
    },
    { most: Infinity, waitMs: () => restsUntil - performance.now() },
  );
  return (destinationIds) => {
    for (const id of destinationIds)
      note(id).catch((error: unknown) => {
        if (!stop.aborted) context.log.warn({ error, destination: id }, 'incidents could not be noted');
      });
  };
}
