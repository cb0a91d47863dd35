import { startHelper, type Helper } from '../support/child.ts';
import type { Fakes } from '../support/fakes.ts';

/** What is due at destinations of a type, which all have their entries already. */
export type FloorTask = {
  type: string;
  /** Settings by the id of the destination. */
  destinations: Map<number, Record<string, unknown>>;
  databaseUrl: string;
  /** The id of the installation, which some stores keep with each entry. */
  installation: string;
  concurrency: number;
};

/** `begun`: when the first claim began, in precise milliseconds since the epoch. */
export type FloorResult = { begun: number };

export type Floor = { run: (task: FloorTask) => Promise<FloorResult>; stop: () => Promise<void> };

/** Starts the process that is the floor of the workers, with the same environment as a worker. Undo: `stop`. */
export async function startFloor(fakes: Fakes): Promise<Floor> {
  const helper: Helper = await startHelper('../floor/floor-process.js', fakes.environment);
  return { run: (task) => helper.ask<FloorResult>(task), stop: helper.stop };
}
