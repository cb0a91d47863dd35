import { setImmediate } from 'node:timers/promises';
import { eventually } from './eventually.ts';

let before = new Map<string, number>();

/** Counts the open resources before the first test of a file. */
export async function watchForLeaks(): Promise<void> {
  // Mocha starts the time limit of a hook at its first pause: this pause makes sure that its timer is in both counts.
  await setImmediate();
  // A pipe is opened at the first look at it, and `syncBuiltinESMExports` looks at everything.
  void process.stdin;
  before = countResources();
}

/** Waits up to 10 s until everything that the tests of a file have started has ended. Otherwise throws the rest. */
export async function failOnLeak(): Promise<void> {
  await setImmediate();
  await eventually(
    () => {
      const open = [...countResources()]
        .map(([resource, number]) => ({ resource, more: number - (before.get(resource) ?? 0) }))
        .filter(({ more }) => more > 0);
      if (open.length === 0) return true;
      const names = open.map(({ resource, more }) => `${more} × ${resource}`).join(', ');
      throw new Error(`a test left something open: 10 s after the last one, this kept running: ${names}`);
    },
    { everyMs: 20 },
  );
}

function countResources(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const resource of process.getActiveResourcesInfo()) {
    counts.set(resource, (counts.get(resource) ?? 0) + 1);
  }
  return counts;
}
