import type { StoryLineAnswer } from '../../../../api/contract/story.ts';

/** An attempt at an entry in a store. */
export type Push = Extract<StoryLineAnswer, { kind: 'push' }>;

/** When an entry was written once more, because an earlier call could have taken effect late. */
export type Confirmed = { again: string | undefined };

/** An attempt at one destination, where lines of several secrets stand together. */
export type SecretPush = Push & { secret: { mount: string | null; path: string } };

/** Automatic attempts at one entry that failed for the same cause, the newest first. `isCut`: older ones may not be loaded. */
export type Retries<Attempt = Push> = {
  kind: 'retries';
  at: Push['at'];
  attempts: Attempt[];
  isCut: boolean;
};

/** One line for each attempt: the store took a write, and confirmed it later. The lines are newest first. */
export function joinConfirmed<Line extends StoryLineAnswer>(lines: Line[]): (Line & Confirmed)[] {
  const newer = new Map<string, Line & Push>();
  const confirming = new Set<StoryLineAnswer>();
  const joined = lines.map((line) => {
    if (!isPush(line)) return { ...line, again: undefined };
    const later = newer.get(entryOf(line));
    const isConfirmed = later !== undefined && confirms(later, line);
    const again = isConfirmed && WRITES.has(later.action) ? later.at : undefined;
    const whole = { ...line, outcome: isConfirmed ? later.outcome : line.outcome, again };
    if (isConfirmed) confirming.add(later);
    newer.set(entryOf(line), whole);
    return whole;
  });
  return joined.filter((line) => !confirming.has(line));
}

/** Attempts that give an entry its value. */
export const WRITES = new Set(['create', 'update', 'replace', 'overwrite']);

function confirms(later: Push, { outcome, version }: Push): boolean {
  return (
    outcome === 'SYNCING' &&
    later.outcome === 'SYNCED' &&
    later.version === version &&
    later.trigger === 'schedule'
  );
}

/** One line for all retries of an outage, so that they do not bury what people did. `hasMore`: older lines are not loaded. */
export function foldRetries<Line extends StoryLineAnswer>(
  lines: Line[],
  hasMore: boolean,
): (Line | Retries<Line & Push>)[] {
  const isRetry = ({ cause, trigger }: Push): boolean => cause !== null && trigger === 'schedule';
  const open = new Map<string, Retries<Line & Push>>();
  const rows: (Line | Retries<Line & Push>)[] = [];
  for (const line of lines) {
    if (!isPush(line)) {
      rows.push(line);
      continue;
    }
    const group = open.get(entryOf(line));
    if (group && isRetry(line) && isLike(line, group)) group.attempts.push(line);
    else if (isRetry(line)) {
      const begun: Retries<Line & Push> = { kind: 'retries', at: line.at, attempts: [line], isCut: false };
      open.set(entryOf(line), begun);
      rows.push(begun);
    } else {
      open.delete(entryOf(line));
      // Retries that concerned the whole link have ended too.
      open.delete(entryOf({ ...line, sub_key: '', external_name: null }));
      rows.push(line);
    }
  }
  for (const group of open.values()) group.isCut = hasMore;
  return rows.map((row) =>
    row.kind === 'retries' && row.attempts.length === 1 ? (row.attempts[0] ?? row) : row,
  );
}

function isPush<Line extends StoryLineAnswer>(line: Line): line is Line & Push {
  return line.kind === 'push';
}

function isLike(line: Push, { attempts: [first] }: Retries): boolean {
  return (
    line.cause?.code === first?.cause?.code &&
    line.version === first?.version &&
    decisionIn(line) === decisionIn(first)
  );
}

// What a person decided about the entry, and nobody has withdrawn.
function decisionIn(line: Push | undefined): string | null {
  return line?.action === 'overwrite' || line?.action === 'adopt' ? line.action : null;
}

function entryOf({
  destination,
  secret,
  sub_key: key,
  external_name: name,
}: Push & Partial<SecretPush>): string {
  return JSON.stringify([destination, secret, key, name]);
}
