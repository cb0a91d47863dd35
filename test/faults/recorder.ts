import type { AnsweredCall } from '../sandbox/contract.ts';
import type { Fake } from '../sandbox/contract.ts';

/** Who changed an entry: the service, a call of the service that it had given up, or somebody else. */
export type Author = 'service' | 'late' | 'somebody';

/** One state of an entry in a store, from `at` on; null: there is no such entry. */
export type Observation = {
  at: number;
  value: string | null;
  by: Author;
  /** When the call came that made it; when the service had last looked at the entry before. */
  arrivedAt: number;
  lookedAt: number;
};

/** A change that a store took, whether it made a difference or not. */
export type Change = { at: number; operation: string; name: string };

/** Everything a store's entries ever held, in order. */
export type Recorder = {
  observe: (call: AnsweredCall) => void;
  /** Does what somebody else does to the store, at once. */
  meddle: (change: () => void) => void;
  watch: (fake: Pick<Fake, 'entries'>) => void;
  names: () => string[];
  of: (name: string) => Observation[];
  /** What an entry held at any moment of a span, as far as the service made it so. */
  heldWithin: (name: string, from: number, to: number) => (string | null)[];
  /** Changes taken after `from` and before `to`; tags count too. */
  changesWithin: (from: number, to: number) => Change[];
  writes: () => number;
  /** Changes that were carried out so long after their call came, or longer. */
  carriedOutAfter: (milliseconds: number) => number;
  /** Accepted writes that changed nothing. */
  duplicates: () => number;
};

/** Watches a fake: after each call that may change it, it compares all entries; `underWayMs` is how long a call may take. */
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

  // How many entries differ from what was known of them.
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
      // What could be created was not there: that is as good as a look.
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
