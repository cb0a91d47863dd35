import { withTimeout } from '../time/with-timeout.ts';

// Prometheus gives up after 10 s; a database that hangs must not cost us the other metrics.
const LIMIT_MS = 3000;

/** Reads values and sets their gauges. */
export type Reading = () => Promise<void> | void;

/** Readings for scrapes: `take` runs all of them concurrently. Concurrent scrapes share one run. */
export type Readings = {
  add: (name: string, reading: Reading) => void;
  take: () => Promise<void>;
};

/** Calls `failed` with the name of each reading that threw or took longer than 3 s. */
export function createReadings(failed: (name: string) => void): Readings {
  const all: { name: string; reading: Reading }[] = [];
  let current: Promise<void> | undefined;

  const takeOne = async ({ name, reading }: (typeof all)[number]): Promise<void> => {
    try {
      await withTimeout(LIMIT_MS, reading());
    } catch {
      failed(name);
    }
  };

  const takeAll = async (): Promise<void> => {
    await Promise.all(all.map(takeOne));
    current = undefined;
  };

  return {
    add: (name, reading) => void all.push({ name, reading }),
    take: () => {
      current ??= takeAll();
      return current;
    },
  };
}
