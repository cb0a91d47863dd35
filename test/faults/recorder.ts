import type { AnsweredCall } from '../sandbox/contract.ts';
import type { Fake } from '../sandbox/contract.ts';
import type { Kind } from './kinds.ts';

/** Who changed an entry: the service, a call that the service had given up, or somebody else. */
export type Author = 'service' | 'late' | 'somebody';

/** One state of an entry in a store, from `at` on; a null value means that there is no entry. */
export type Observation = {
  at: number;
  value: string | null;
  by: Author;
  /** `arrivedAt`: when the call that made it arrived. `lookedAt`: when the same process had last looked at the entry before. */
  arrivedAt: number;
  lookedAt: number;
  /** True if that look showed the entry as it was before its last change. */
  isStale: boolean;
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
  /** When writes of this entry arrived that ended without the store's answer, and without effect. */
  lostWrites: (name: string) => number[];
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
export function createRecorder(kind: Pick<Kind, 'writes' | 'looks'>, underWayMs: number): Recorder {
  const isWrite = new Set(kind.writes);
  const observed = new Map<string, Observation[]>();
  const looks = createLooks(kind.looks);
  const changes: Change[] = [];
  const lost = new Map<string, number[]>();
  let fake: Pick<Fake, 'entries'> | undefined;
  let known = new Map<string, string>();
  const delays: number[] = [];
  let duplicates = 0;
  const observationsOf = (name: string): Observation[] => observed.get(name) ?? [];

  // Records all entries that have changed. Returns their number.
  const compare = (by: Author, arrivedAt: number, lookOf: (name: string) => Look): number => {
    const entries = fake?.entries() ?? [];
    const now = new Map(entries.map((entry) => [entry.name, stateOf(entry)]));
    const values = new Map(entries.map(({ name, value }) => [name, value]));
    const different = [...new Set([...known.keys(), ...now.keys()])].filter(
      (name) => known.get(name) !== now.get(name),
    );
    for (const name of different) {
      const list = observed.get(name) ?? [];
      observed.set(name, list);
      const value = values.get(name) ?? null;
      const { at: lookedAt, isStale } = lookOf(name);
      list.push({ at: Date.now(), value, by, arrivedAt, lookedAt, isStale });
    }
    known = now;
    return different.length;
  };

  return {
    watch(watched) {
      fake = watched;
      compare('somebody', Date.now(), () => NEVER);
    },
    observe(call) {
      const { at, operation, target, status } = call;
      if (!isWrite.has(operation)) return looks.note(call);
      if (status === 0 && target !== null) lost.set(target, [...(lost.get(target) ?? []), at]);
      if (status === 0 || status >= 300) return;
      changes.push({ at: Date.now(), operation, name: target ?? '' });
      const delay = Date.now() - at;
      delays.push(delay);
      const isLate = delay > underWayMs;
      const found = compare(isLate ? 'late' : 'service', at, (name) => looks.last(call, name));
      if (found === 0) duplicates += 1;
      looks.note(call);
    },
    meddle(change) {
      change();
      compare('somebody', Date.now(), () => NEVER);
    },
    names: () => [...observed.keys()],
    of: observationsOf,
    lostWrites: (name) => lost.get(name) ?? [],
    heldWithin(name, from, to) {
      const list = observationsOf(name).filter(({ by }) => by !== 'somebody');
      const before = list.filter(({ at }) => at <= from).at(-1)?.value ?? null;
      return [before, ...list.filter(({ at }) => at >= from && at <= to).map((one) => one.value)];
    },
    changesWithin: (from, to) => changes.filter(({ at }) => at > from && at < to),
    writes: () => delays.length,
    carriedOutAfter: (milliseconds) => delays.filter((delay) => delay >= milliseconds).length,
    duplicates: () => duplicates,
  };
}

type Look = { at: number; isStale: boolean };

const NEVER: Look = { at: 0, isStale: false };

type Looks = {
  note: (call: AnsweredCall) => void;
  /** When the process that makes this call had last looked at an entry, and what it was shown. */
  last: (call: AnsweredCall, name: string) => Look;
};

// Several processes may look at an entry at the same time, and each relies on what it saw itself.
function createLooks(operations: string[]): Looks {
  const isLook = new Set(operations);
  const looks = new Map<string, Look>();
  const keyOf = ({ credential }: AnsweredCall, name: string): string => `${credential} ${name}`;
  return {
    note(call) {
      const { at, operation, target, status, isStale } = call;
      const isTold = (status >= 200 && status < 300) || status === 404;
      if (target !== null && isTold && isLook.has(operation)) looks.set(keyOf(call, target), { at, isStale });
    },
    last: (call, name) => looks.get(keyOf(call, name)) ?? NEVER,
  };
}

function stateOf({ value, tags, ...entry }: ReturnType<Fake['entries']>[number]): string {
  return JSON.stringify([value, tags, entry['comment'], entry['id']]);
}
