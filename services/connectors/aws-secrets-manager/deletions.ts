// AWS says that a forced deletion may take some minutes.
const UNDER_WAY_MS = 10 * 60_000;

/** The names that this session recently deleted for good: AWS may still refuse to create them. */
export type Deletions = { note: (name: string) => void; isRecent: (name: string) => boolean };

/** Remembers names in memory, for ten minutes each. */
export function createDeletions(): Deletions {
  const deletedAt = new Map<string, number>();
  const isPast = (time: number): boolean => performance.now() - time > UNDER_WAY_MS;
  return {
    note: (name) => {
      for (const [known, time] of deletedAt) {
        if (!isPast(time)) break;
        deletedAt.delete(known);
      }
      deletedAt.delete(name);
      deletedAt.set(name, performance.now());
    },
    isRecent: (name) => !isPast(deletedAt.get(name) ?? -Infinity),
  };
}
