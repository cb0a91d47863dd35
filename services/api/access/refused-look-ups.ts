const WINDOW_MS = 1000;
const MOST_ADDRESSES = 10_000;

/** How many look-ups of tokens nobody has were made for each address in its present second; in memory, for this replica. */
export type RefusedLookUps = {
  /** Milliseconds until the address may have another token looked up; 0: now. */
  waitMs: (address: string, limit: number) => number;
  note: (address: string) => void;
};

/** Each look-up costs a statement, and whoever guesses tokens has no valid one to be limited by: so the address is. */
export function createRefusedLookUps(): RefusedLookUps {
  const windows = new Map<string, { count: number; endsAt: number }>();
  const open = (address: string): { count: number; endsAt: number } | undefined => {
    const window = windows.get(address);
    return window && window.endsAt > performance.now() ? window : undefined;
  };
  return {
    waitMs: (address, limit) => {
      const window = open(address);
      return window && window.count >= limit ? window.endsAt - performance.now() : 0;
    },
    note: (address) => {
      const window = open(address);
      if (window) window.count += 1;
      else {
        windows.delete(address);
        const oldest = windows.keys().next();
        if (windows.size >= MOST_ADDRESSES && !oldest.done) windows.delete(oldest.value);
        windows.set(address, { count: 1, endsAt: performance.now() + WINDOW_MS });
      }
    },
  };
}
