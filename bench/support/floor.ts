import { startHelper, type Helper } from './child.ts';
import type { Fakes } from './fakes.ts';
import type { Entry } from './sdk/write.ts';

/** What the bare loop shall write again: entries that are there, each with a new value. */
export type FloorTask = {
  type: string;
  /** One for each destination; entry number n goes to destination n modulo their number. */
  settings: Record<string, unknown>[];
  entries: Entry[];
  concurrency: number;
  /** Between two calls of one strand. */
  pauseMs?: number;
};

/** `begun`: when each call was made, in precise milliseconds since the epoch. */
export type FloorResult = { begun: number[] };

export type Floor = { run: (task: FloorTask) => Promise<FloorResult>; stop: () => Promise<void> };

/** The process of the bare loops, with the environment a worker gets. Undo: `stop`. */
export async function startFloor(fakes: Fakes): Promise<Floor> {
  const helper: Helper = await startHelper('floor-process.js', fakes.environment);
  return { run: (task) => helper.ask<FloorResult>(task), stop: helper.stop };
}
