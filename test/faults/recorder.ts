import type { AnsweredCall } from '../sandbox/contract.ts';
import type { Fake } from '../sandbox/contract.ts';

/** Who changed an entry: the service, a call that the service had given up, or somebody else. */
export type Author = 'service' | 'late' | 'somebody';

/** One state of an entry in a store, from `at` on; a null value means that there is no entry. */
export type Observation = {
  at: number;
  value: string | null;
  by: Author;
  /** `arrivedAt`: when the call that made it arrived. `lookedAt`: when the service had last read the entry before. */
  arrivedAt: number;
  lookedAt: number;
};

/** A change that a store accepted, even if it made no difference. */
export type Change = { at: number; operation: string; name: string };

/** All states of a store's entries, in order. */
export type Recorder = {
  observe: (call: AnsweredCall) => void;
  /** Runs a change by somebody else, and records it at once. */
  meddle: (change: () => void) => void;
  watch: (fake: Pick<Fake, 'entries'>) => void;
  names: () => string[];
  of: (name: string) => Observation[];
  /** The service's values of an entry in this span. */
  heldWithin: (name: string, from: number, to: number) => (string | null)[];
  /** Changes accepted after `from` and before `to`, changes of tags included. */
  changesWithin: (from: number, to: number) => Change[];
  writes: () => number;
  /** Number of changes that were carried out at least this long after their call arrived. */
  carriedOutAfter: (milliseconds: number) => number;
  /** Number of accepted writes that changed nothing. */
  duplicates: () => number;
};

/** Watches a fake: compares all entries after each call that may change them. `underWayMs`: the longest time of a call. */
export function createRecorder(writes: string[], underWayMs: number): Recorder {
  const isWrite = new Set(writes);
  const observed = new Map<string, Observation[]>();
  const looks = new Map<string, number>();
  const changes: Change[] = [];
  let fake: Pick<Fake, 'entries'> | undefined;
  let known = new Map<string, string>();
  const delays: number[] = [];
  let duplicates = 0;
  const of = (name: string): Observation[] => observed.get(name) ?? [];

  // Records all entries that have changed. Returns their number.
  const compare = (by: Author, arrivedAt: number): number => {
    const entries = fake?.entries() ?? [];
    const now = new Map(entries.map((entry) => [entry.name, stateOf(entry)]));
    const values = new Map(entries.map(({ name, value }) => [name, value]));
    const different = [...new Set([...known.keys(), ...now.keys()])].filter(
      (name) => known.get(name) !== now.get(name),
    );
    for (const name of different) {
      const list = observed.get(name) ?? [];
      observed.set(name, list);
      const lookedAt = looks.get(name) ?? 0;
      list.push({ at: Date.now(), value: values.get(name) ?? null, by, arrivedAt, lookedAt });
    }
    known = now;
    return different.length;
  };

  return {
    watch(watched) {
      fake = watched;
      compare('somebody', Date.now());
    },
    observe({ at, operation, target, status }) {
      if (!isWrite.has(operation)) {
        if (target !== null) looks.set(target, at);
        return;
      }
      if (status >= 300) return;
      changes.push({ at: Date.now(), operation, name: target ?? '' });
      const delay = Date.now() - at;
      delays.push(delay);
      const isLate = delay > underWayMs;
      if (compare(isLate ? 'late' : 'service', at) === 0) duplicates += 1;
      // A successful create proves that the entry did not exist, so it counts as a look.
      if (operation.startsWith('Create') && target !== null) looks.set(target, at);
    },
    meddle(change) {
      change();
      compare('somebody', Date.now());
    },
    names: () => [...observed.keys()],
    of,
    heldWithin(name, from, to) {
      const list = of(name).filter(({ by }) => by !== 'somebody');
      const before = list.filter(({ at }) => at <= from).at(-1)?.value ?? null;
      return [before, ...list.filter(({ at }) => at >= from && at <= to).map((one) => one.value)];
    },
    changesWithin: (from, to) => changes.filter(({ at }) => at > from && at < to),
    writes: () => delays.length,
    carriedOutAfter: (milliseconds) => delays.filter((delay) => delay >= milliseconds).length,
    duplicates: () => duplicates,
  };
}

function stateOf({ value, tags, ...entry }: ReturnType<Fake['entries']>[number]): string {
  return JSON.stringify([value, tags, entry['comment'], entry['id']]);
}
