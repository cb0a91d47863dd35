const TICK_MS = 250;
// The event loop needs more than one turn to read what arrived during the stall.
const AFTER_MS = 1000;

/** Whether this process stood still a moment ago: it was stopped, starved of CPU, or its machine was paused. */
export type Stalls = { justEnded: () => boolean; stop: () => void };

/** Watches for pauses of more than `leastMs`. Undo: `stop`. */
export function watchStalls(leastMs: number): Stalls {
  let tickedAt = performance.now();
  let endedAt = -Infinity;
  const look = (): void => {
    const now = performance.now();
    if (now - tickedAt > leastMs) endedAt = now;
    tickedAt = now;
  };
  const timer = setInterval(look, TICK_MS).unref();
  return {
    justEnded: () => {
      look();
      return performance.now() - endedAt < AFTER_MS;
    },
    stop: () => clearInterval(timer),
  };
}
