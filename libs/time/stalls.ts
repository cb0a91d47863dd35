const TICK_MS = 250;
// What came in meanwhile is not read in one turn of the event loop.
const AFTER_MS = 1000;

/** Tells whether this process stood still a moment ago: stopped, starved, or its machine paused. */
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
