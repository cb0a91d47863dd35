const LAG_MS = 3000;

export type Copies = ReturnType<typeof createCopies>;

/** Tracks what a store's read replicas may still show in its old state: a replica lags for a moment, not for ever. */
export function createCopies(lagMs = LAG_MS) {
  const writtenAt = new Map<string | null, number>();

  return {
    /** Call it when an entry was written. */
    note(target: string | null) {
      for (const key of [target, null]) writtenAt.set(key, performance.now());
    },
    /** True if a read may return the state before the last write; for a list (null), before the last write of any entry. */
    lag: (target: string | null) => performance.now() - (writtenAt.get(target) ?? Infinity) < lagMs,
  };
}
