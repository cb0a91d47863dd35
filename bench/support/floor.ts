import { startHelper, type Helper } from './child.ts';
import type { Fakes } from './fakes.ts';
import type { Entry } from './sdk/write.ts';

/** The entries that the bare loop writes again, each with a new value. They exist already. */
export type FloorTask = {
  type: string;
  /** One per destination. Entry number n goes to destination n modulo the number of destinations. */
  settings: Record<string, unknown>[];
  entries: Entry[];
  concurrency: number;
  /** Pause between two calls of one concurrency slot. */
  pauseMs?: number;
};

/** `begun`: when each call was made, in precise milliseconds since the epoch. */
export type FloorResult = { begun: number[] };

export type Floor = { run: (task: FloorTask) => Promise<FloorResult>; stop: () => Promise<void> };

/** Starts the process of the bare loops, with the same environment as a worker. Undo: `stop`. */
export async function startFloor(fakes: Fakes): Promise<Floor> {
  const helper: Helper = await startHelper('floor-process.js', fakes.environment);
  return { run: (task) => helper.ask<FloorResult>(task), stop: helper.stop };
}
