import type { Fake, FakeOptions } from '../sandbox/contract.ts';

/** One state of an entry in a store, from `at` on; null: there is no such entry. */
export type Observation = { at: number; value: string | null };

/** A change that a store took, whether it made a difference or not. */
export type Change = { at: number; operation: string; name: string };

/** Everything a store's entries ever held, in order. */
export type Recorder = {
  observe: NonNullable<FakeOptions['answered']>;
  watch: (fake: Fake) => void;
  names: () => string[];
  of: (name: string) => Observation[];
  value: (name: string) => string | null;
  /** What an entry held at any moment of a span. */
  heldWithin: (name: string, from: number, to: number) => (string | null)[];
  /** Changes taken after `from` and before `to`; tags count too. */
  changesWithin: (from: number, to: number) => Change[];
  writes: () => number;
  /** Accepted writes that changed nothing. */
  duplicates: () => number;
};

/** Watches a fake: after each call it compares the entry that the call was about. */
export function createRecorder(): Recorder {
  const observed = new Map<string, Observation[]>();
  const changes: Change[] = [];
  let fake: Fake | undefined;
  let writes = 0;
  let duplicates = 0;
  const of = (name: string): Observation[] => observed.get(name) ?? [];
  const value = (name: string): string | null => of(name).at(-1)?.value ?? null;

  return {
    watch(watched) {
      fake = watched;
    },
    observe({ operation, target, status }) {
      if (target === null || status >= 300) return;
      const isContent = /^(create|put|delete)/i.test(operation);
      if (isContent || /^(restore|tag|untag)/i.test(operation))
        changes.push({ at: Date.now(), operation, name: target });
      if (!isContent) return;
      const now = fake?.entries().find((entry) => entry.name === target)?.value ?? null;
      const isWrite = !/^delete/i.test(operation);
      if (isWrite) writes += 1;
      if (now === value(target)) {
        if (isWrite) duplicates += 1;
        return;
      }
      const list = observed.get(target) ?? [];
      observed.set(target, list);
      list.push({ at: Date.now(), value: now });
    },
    names: () => [...observed.keys()],
    of,
    value,
    heldWithin(name, from, to) {
      const list = of(name);
      const before = list.filter(({ at }) => at <= from).at(-1)?.value ?? null;
      return [before, ...list.filter(({ at }) => at >= from && at <= to).map((one) => one.value)];
    },
    changesWithin: (from, to) => changes.filter(({ at }) => at > from && at < to),
    writes: () => writes,
    duplicates: () => duplicates,
  };
}
