import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';
import { TAKEN_OUTCOMES } from '../../telling/attempts.ts';
import type { Trigger } from '../due/trigger.ts';
import type { StoredCause } from '../associations/records.ts';
import type { AuditEvent, AuditOutcome } from './events.ts';
import type { AuditFilters } from './list.ts';

/** Where a story continues: the last id that was seen of each kind of lines. */
export type StoryCursor = { event: number; push: number; version: number };

export type VersionLine = {
  source: 'version';
  id: number;
  at: Date;
  by: string | null;
  deleted_at: Date | null;
  destroyed: boolean;
};

export type PushLine = {
  source: 'push';
  id: number;
  at: Date;
  destination_type: string | null;
  destination_name: string | null;
  sub_key: string;
  external_name: string | null;
  action: string;
  version: number | null;
  outcome: string;
  cause: StoredCause | null;
  trigger: Trigger | null;
};

export type EventLine = { source: 'event' } & AuditEvent;

export type StoryLine = VersionLine | PushLine | EventLine;

const SOURCES = ['version', 'event', 'push'];

/**
 * `who` is a part of the name of a person or a token, in any case. `among` leaves only entries of the trail with these
 * actions, `withoutAction` leaves those out.
 */
type Selection = Pick<AuditFilters, 'who' | 'among' | 'withoutAction'> & {
  outcome?: AuditOutcome | undefined;
};

/** `since` and `until` are RFC 3339; absent: open. */
type Story = {
  mount: { id: number };
  path: string;
  since?: string | undefined;
  until?: string | undefined;
};

const VERSIONS = `
SELECT v.version AS id, v.created_at AS at, v.created_by AS by, v.deletion_time AS deleted_at, v.destroyed
FROM secrets s JOIN secret_versions v ON v.secret_id = s.id
WHERE s.mount_id = ? AND s.path = ? AND v.version < ? AND v.created_at >= ?::timestamptz AND v.created_at < ?::timestamptz
ORDER BY v.version DESC LIMIT ?`;

const EVENTS = `
SELECT id, at, accessor, actor, username, auth_method AS "authMethod", policies, address, namespace, action, path, secret,
  request_id AS "requestId", outcome, status, detail
FROM audit_events
WHERE mount_id = ? AND secret_path = ? AND id < ? AND at >= ?::timestamptz AND at < ?::timestamptz ORDER BY id DESC LIMIT ?`;

// Looks up each destination that has a line, and of each only the newest lines.
const PUSHES = `
WITH RECURSIVE wanted AS (SELECT ?::bigint AS mount_id, ?::text AS path, ?::bigint AS before, ?::timestamptz AS since,
  ?::timestamptz AS until, ?::bigint AS most),
targets (id) AS (
  (SELECT h.destination_id FROM wanted w, sync_history h WHERE h.mount_id = w.mount_id AND h.secret_path = w.path
   ORDER BY h.destination_id LIMIT 1)
  UNION ALL
  SELECT (
    SELECT h.destination_id FROM wanted w, sync_history h
    WHERE h.mount_id = w.mount_id AND h.secret_path = w.path AND h.destination_id > t.id
    ORDER BY h.destination_id LIMIT 1)
  FROM targets t WHERE t.id IS NOT NULL)
SELECT line.*, coalesce(d.type, g.type) AS destination_type, coalesce(d.name, g.name) AS destination_name
FROM wanted w, targets t CROSS JOIN LATERAL (
  SELECT h.id, h.at, h.sub_key, h.external_name, h.action, h.source_version AS version, h.outcome, h.cause, h.trigger
  FROM sync_history h
  WHERE h.mount_id = (SELECT mount_id FROM wanted) AND h.secret_path = (SELECT path FROM wanted)
    AND h.destination_id = t.id AND h.id < (SELECT before FROM wanted)
    AND h.at >= (SELECT since FROM wanted) AND h.at < (SELECT until FROM wanted)
  ORDER BY h.id DESC LIMIT (SELECT most FROM wanted)) line
LEFT JOIN destinations d ON d.id = t.id LEFT JOIN gone_destinations g ON g.id = t.id
ORDER BY line.id DESC LIMIT (SELECT most FROM wanted)`;

type StoryPage = { lines: StoryLine[]; next: StoryCursor | null };

// A search for a page looks at so many lines, in parts as large as the largest page.
const MOST_LOOKED_AT = 5000;
const LOOK = 1000;

/**
 * What became of a secret, newest first: its versions, the entries of the audit trail, and the attempts to push it. `next` is
 * null at the end. With a selection, a page may be short, or empty, and still have a `next`: each look at the story has a limit.
 */
export async function readStory(
  db: Database,
  { mount, path, since, until, ...selection }: Story & Selection,
  { after, limit }: { after: StoryCursor; limit: number },
): Promise<StoryPage> {
  const story = { mount, path, since, until };
  if (Object.values(selection).every((one) => one === undefined))
    return readLines(db, story, { after, limit });
  const found: StoryLine[] = [];
  let next: StoryCursor | null = after;
  for (let looked = 0; next && looked < MOST_LOOKED_AT; looked += LOOK) {
    const page: StoryPage = await readLines(db, story, { after: next, limit: LOOK });
    const matching = page.lines.filter((line) => isSelected(line, selection));
    const last = matching[limit - found.length - 1];
    found.push(...matching.slice(0, limit - found.length));
    if (last) return { lines: found, next: cursorAt(page.lines, last, next) };
    next = page.next;
  }
  return { lines: found, next };
}

function isSelected(line: StoryLine, { who, outcome, ...actions }: Selection): boolean {
  if (who !== undefined && !isBy(line, who)) return false;
  if (outcome !== undefined && outcomeOf(line) !== outcome) return false;
  return isOfKind(line, actions);
}

function isOfKind(line: StoryLine, { among, withoutAction }: Selection): boolean {
  if (line.source !== 'event') return among === undefined;
  if (among !== undefined && !among.includes(line.action)) return false;
  return !withoutAction?.includes(line.action);
}

function outcomeOf(line: StoryLine): string {
  if (line.source === 'version') return 'succeeded';
  if (line.source === 'push') return TAKEN_OUTCOMES.includes(line.outcome) ? 'succeeded' : 'failed';
  return line.outcome;
}

function isBy(line: StoryLine, who: string): boolean {
  const names = namesIn(line).map((name) => name?.toLowerCase());
  return names.some((name) => name?.includes(who.toLowerCase()));
}

function namesIn(line: StoryLine): (string | null | undefined)[] {
  if (line.source === 'version') return [line.by];
  if (line.source === 'push') return [line.trigger?.by];
  return [line.username, line.actor];
}

// Where a story continues after one of the lines of a page.
function cursorAt(lines: StoryLine[], last: StoryLine, after: StoryCursor): StoryCursor {
  const cursor = { ...after };
  for (const { source, id } of lines.slice(0, lines.indexOf(last) + 1)) cursor[source] = id;
  return cursor;
}

async function readLines(
  db: Database,
  { mount, path, since = '-infinity', until = 'infinity' }: Story,
  { after, limit }: { after: StoryCursor; limit: number },
): Promise<StoryPage> {
  const most = limit + 1;
  const [versions, events, pushes] = await Promise.all([
    prepared<VersionLine>(db, VERSIONS, [mount.id, path, after.version, since, until, most]),
    prepared<EventLine>(db, EVENTS, [mount.id, path, after.event, since, until, most]),
    prepared<PushLine>(db, PUSHES, [mount.id, path, after.push, since, until, most]),
  ]);
  const all: StoryLine[] = [
    ...versions.map((line) => ({ ...line, source: 'version' as const })),
    ...events.map((line) => ({ ...line, source: 'event' as const })),
    ...pushes.map((line) => ({ ...line, source: 'push' as const })),
  ];
  // Stable: lines of one source stay in the order of their ids, even if their times are not.
  const lines = merge(all, limit);
  const last = lines.at(-1);
  return { lines, next: last && all.length > limit ? cursorAt(lines, last, after) : null };
}

// Takes the newest of the first remaining lines of the sources, again and again.
function merge(all: StoryLine[], limit: number): StoryLine[] {
  const queues = SOURCES.map((source) => all.filter((line) => line.source === source));
  const heads = queues.map(() => 0);
  const merged: StoryLine[] = [];
  while (merged.length < limit) {
    let newest: { queue: number; line: StoryLine } | undefined;
    queues.forEach((lines, queue) => {
      const line = lines[heads[queue] ?? 0];
      if (line && (!newest || line.at > newest.line.at)) newest = { queue, line };
    });
    if (!newest) return merged;
    merged.push(newest.line);
    heads[newest.queue] = (heads[newest.queue] ?? 0) + 1;
  }
  return merged;
}
