import type { Knex } from 'knex';
import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';
import { idBoundsOf } from '../id-bounds.ts';
import type { AuditEvent } from './events.ts';
import { OUTCOMES_OF_ENTRY } from './outcomes.ts';

/**
 * All given filters must match. `path` are spellings of a prefix, `action` are spellings of one,
 * `withoutAction` of all those that do not match, `among` of several; `destination` are paths, which also match what is below them;
 * `secret` is mount and path; `who` is a part of the name of a person or a token, in any case; `withoutRequest` is the id of a request whose entries do not match;
 * `token` is the accessor of a token that acted, or that the entry is about. Times are RFC 3339.
 */
export type AuditFilters = {
  who?: string | undefined;
  user?: string | undefined;
  actor?: string | undefined;
  accessor?: string | undefined;
  address?: string | undefined;
  namespace?: string | undefined;
  token?: string | undefined;
  action?: string[] | undefined;
  withoutAction?: string[] | undefined;
  among?: string[] | undefined;
  destination?: string[] | undefined;
  path?: string[] | undefined;
  secret?: string | undefined;
  outcome?: string | undefined;
  requestId?: string | undefined;
  withoutRequest?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
};

/**
 * Newest first. `next`: continue before this id; null at the end of the trail. With filters that match little, a page may be
 * short, or empty, and still have a `next`: each look at the trail has a limit.
 */
export type AuditPage = { events: AuditEvent[]; next: number | null };

const CONDITIONS: Record<keyof AuditFilters, string> = {
  who: "strpos(lower(concat_ws(E'\\n', username, actor)), lower(?)) > 0",
  user: 'username = ?',
  actor: 'actor = ?',
  accessor: 'accessor = ?',
  address: 'address = ?',
  namespace: 'namespace = ?',
  token: `EXISTS (
    SELECT FROM (SELECT ?::text AS token) given
    WHERE accessor = token OR jsonb_path_exists(detail, '$.** \\? (@ == $token)', jsonb_build_object('token', token)))`,
  action: 'action = ANY (?::text[])',
  withoutAction: 'NOT action = ANY (?::text[])',
  among: 'action = ANY (?::text[])',
  destination: `EXISTS (
    SELECT FROM unnest(?::text[]) given WHERE path = given OR starts_with(path, given || '/'))`,
  path: 'EXISTS (SELECT FROM unnest(?::text[]) beginning WHERE starts_with(path, beginning))',
  secret: 'secret = ?',
  outcome: `? IN ${OUTCOMES_OF_ENTRY}`,
  requestId: 'request_id = ?',
  withoutRequest: 'request_id IS DISTINCT FROM ?',
  since: 'at >= ?',
  until: 'at < ?',
};

// The number of ids that the first statement looks at. Later ones look at more while that is quick.
const FIRST_SPAN = 20_000;
const QUICK_MS = 50;
const LONGEST_MS = 500;

/**
 * The entries before the id `before` that match. A statement looks at a span of ids, from the newest down, so that no
 * statement reads the whole trail because few entries match.
 */
export async function listAuditEvents(
  db: Database,
  filters: AuditFilters,
  page: { limit: number; before?: number | undefined },
): Promise<AuditPage> {
  const { lowest, end } = await idBoundsOf(db, 'audit_events', filters);
  let top = Math.min(page.before ?? Infinity, end);
  const started = performance.now();
  const events: AuditEvent[] = [];
  for (let span = FIRST_SPAN; top > lowest;) {
    const bottom = Math.max(lowest, top - span);
    const begun = performance.now();
    const limit = page.limit - events.length;
    const found = await readSpan(db, filters, { bottom, top, limit });
    events.push(...found);
    if (found.length === limit) return { events, next: found.at(-1)?.id ?? null };
    top = await topBelow(db, bottom);
    const now = performance.now();
    if (now - begun < QUICK_MS) span *= 4;
    if (now - started > LONGEST_MS) break;
  }
  return { events, next: top > lowest ? top : null };
}

// The end of the ids below one. Between two partitions, many ids are of no entry.
async function topBelow(db: Database, id: number): Promise<number> {
  const [row] = await prepared<{ top: number | null }>(
    db,
    'SELECT max(id) + 1 AS top FROM audit_events WHERE id < ?',
    [id],
  );
  return row?.top ?? 0;
}

async function readSpan(
  db: Database,
  filters: AuditFilters,
  { bottom, top, limit }: { bottom: number; top: number; limit: number },
): Promise<AuditEvent[]> {
  const given = Object.entries(filters).filter(
    (entry): entry is [keyof AuditFilters, string | string[]] => entry[1] !== undefined,
  );
  const condition = ['id >= ? AND id < ?', ...given.map(([name]) => CONDITIONS[name])].join(' AND ');
  const values: Knex.RawBinding[] = [bottom, top, ...given.map(([, value]) => value), limit];
  const { rows } = await db.raw<{ rows: AuditEvent[] }>(
    `SELECT id, at, accessor, actor, username, auth_method AS "authMethod", policies, address, namespace, action, path,
       secret, request_id AS "requestId", outcome, status, detail
     FROM audit_events WHERE ${condition} ORDER BY id DESC LIMIT ?`,
    values,
  );
  return rows;
}
