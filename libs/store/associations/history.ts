import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';
import { TAKEN_OUTCOMES } from '../../telling/attempts.ts';
import { idBoundsOf } from '../id-bounds.ts';
import type { StoredCause } from './records.ts';
import type { Trigger } from '../due/trigger.ts';

/** One recorded attempt at one entry; `at` is RFC 3339 in UTC. */
export type HistoryLine = {
  id: number;
  at: string;
  sub_key: string;
  /** The entry it is about; null if it is about none, or was written before names were kept. */
  external_name: string | null;
  action: string;
  source_version: number | null;
  /** Who wrote that version; null if the version is gone. */
  version_by: string | null;
  outcome: string;
  cause: StoredCause | null;
  duration_ms: number;
  trigger: Trigger | null;
};

const LINE = `h.id, to_char(h.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at, h.sub_key, h.external_name, h.action,
  h.source_version, h.outcome, h.cause, h.duration_ms, h.trigger, (
    SELECT v.created_by FROM secrets s JOIN secret_versions v ON v.secret_id = s.id
    WHERE s.mount_id = h.mount_id AND s.path = h.secret_path AND v.version = h.source_version
  ) AS version_by`;

/**
 * Attempts at an association, newest first; `before` is the id of the last one seen. They stay after the association is
 * gone.
 */
export async function listHistory(
  db: Database,
  key: { destinationId: number; mountId: number; secretPath: string },
  page: { before?: number | undefined; limit: number },
): Promise<HistoryLine[]> {
  return prepared(
    db,
    `SELECT ${LINE} FROM sync_history h
     WHERE destination_id = ? AND mount_id = ? AND secret_path = ? AND id < coalesce(?::bigint, 9223372036854775807)
     ORDER BY id DESC LIMIT ?`,
    [key.destinationId, key.mountId, key.secretPath, page.before ?? null, page.limit],
  );
}

/** A line of a destination's history; `mount` is null if the namespace has the mount no more. */
export type DestinationLine = HistoryLine & { mount: string | null; secret_path: string };

/** Times are RFC 3339; `who` is a part of the name of who caused an attempt, in any case. Absent: all. */
export type AttemptFilter = {
  since?: string | undefined;
  until?: string | undefined;
  who?: string | undefined;
  outcome?: string | undefined;
};

// The lines of a look that match, or one without an id. Compares pairs: by the id alone, Postgres would go through the lines of
// all destinations where one of them has many.
const LOOK = `
WITH look AS (
  SELECT min(id) AS lowest, count(*)::int AS lines FROM (
    SELECT id FROM sync_history
    WHERE (destination_id, id) >= (:destination, :lowest) AND (destination_id, id) < (:destination, :end)
    ORDER BY destination_id DESC, id DESC LIMIT :most
  ) looked)
SELECT look.lowest, look.lines, line.* FROM look LEFT JOIN LATERAL (
  SELECT ${LINE}, m.path AS mount, h.secret_path
  FROM sync_history h LEFT JOIN mounts m ON m.id = h.mount_id AND m.namespace_id = :namespace
  WHERE (h.destination_id, h.id) >= (:destination, look.lowest) AND (h.destination_id, h.id) < (:destination, :end)
    AND h.at >= CAST(:since AS timestamptz) AND h.at < CAST(:until AS timestamptz)
    AND strpos(lower(coalesce(h.trigger ->> 'by', '')), lower(:who)) > 0
    AND (:outcome = '' OR CASE WHEN h.outcome = ANY (:taken) THEN 'succeeded' ELSE 'failed' END = :outcome)
  ORDER BY h.destination_id DESC, h.id DESC LIMIT :limit
) line ON true
ORDER BY line.id DESC`;

type Look = { lowest: number; lines: number };

const LOOKED_AT_ONCE = 1000;
const MOST_LOOKS = 50;

/**
 * All attempts at a destination, newest first. `next`: continue before this id; null at the end. With a filter, a page may be
 * short, or empty, and still have a `next`: it looks at a limited number of lines.
 */
export async function listAttempts(
  db: Database,
  { namespaceId, destinationId }: { namespaceId: string; destinationId: number },
  { since, until, who = '', outcome = '' }: AttemptFilter,
  { before = Number.MAX_SAFE_INTEGER, limit }: { before?: number | undefined; limit: number },
): Promise<{ lines: DestinationLine[]; next: number | null }> {
  const { lowest, end } = await idBoundsOf(db, 'sync_history', { since, until });
  const filter = { since: since ?? '-infinity', until: until ?? 'infinity', who, outcome };
  const most = who || outcome || since || until ? LOOKED_AT_ONCE : limit;
  const found: DestinationLine[] = [];
  let top = Math.min(before, end);
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const page = { lowest, end: top, most, limit: limit - found.length };
    const rows = await prepared<(DestinationLine | { id: null }) & Look>(db, LOOK, {
      destination: destinationId,
      namespace: namespaceId,
      taken: TAKEN_OUTCOMES,
      ...filter,
      ...page,
    });
    const [look] = rows;
    found.push(...rows.filter((row) => row.id !== null));
    const last = found.at(-1);
    if (found.length === limit && last) return { lines: found, next: last.id };
    if (!look || look.lines < most) return { lines: found, next: null };
    top = look.lowest;
  }
  return { lines: found, next: top };
}
