const LAG_MS = 3000;

export type Copies = ReturnType<typeof createCopies>;

/** Knows what a store's read copies may still show as it was: a copy lags behind for a moment, not for good. */
export function createCopies() {
  const writtenAt = new Map<string | null, number>();

  return {
    /** An entry was written. */
    note(target: string | null) {
      for (const key of [target, null]) writtenAt.set(key, performance.now());
    },
    /** Whether what is read may be older than the last write; of a list (null) than that of any entry. */
    lag: (target: string | null) => performance.now() - (writtenAt.get(target) ?? Infinity) < LAG_MS,
  };
}
