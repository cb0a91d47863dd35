import type { Knex } from 'knex';
import type { Database } from '../../db/connect.ts';
import { announceDue, DUE_DESTINATION, type DueDestination } from '../due/announce.ts';
import { CLASSIFIED, ENTRY_STATUS, exceptionsOf, IS_SETTLED } from './status.ts';
import type { LastFailure, PageStart, StoredCause } from './records.ts';
import { STANDING_DECISION, type StandingDecision } from '../due/standing.ts';
import { DUE_DECISION, trigger, type Decision } from '../due/trigger.ts';
import { IS_ASKED, WAITING, type Waiting } from './waiting.ts';

/** Selects associations of a destination; an absent field does not filter. */
export type RowFilter = {
  status?: string[] | undefined;
  /** The code of a cause. */
  cause?: string | undefined;
  /** Part of mount and path, case-insensitive. */
  search?: string | undefined;
  /** Prefix of mount and path. */
  prefix?: string | undefined;
  /** One of these; a mount by its path. */
  secrets?: { mount: string; path: string }[] | undefined;
  /** A person asked for what waits for a pause to end. */
  isAsked?: boolean | undefined;
};

/** An association as one row, however many entries it has. */
export type AssociationRow = {
  id: number;
  mount: string;
  accessor: string;
  secret_path: string;
  status: string;
  cause: StoredCause | null;
  scope: 'destination' | 'association';
  since: Date | null;
  next_at: Date | null;
  last_failure: LastFailure | null;
  updated_at: Date;
  attempts: number;
  /** The newest version of the secret. */
  version: number | null;
  /** The oldest version that any of its entries has. */
  synced_version: number | null;
  entries: number;
  /** How many of them have the status `SYNCED`. */
  in_sync: number;
  external_name: string | null;
  /** Someone has unlinked the secret, and its entries are still to be deleted. */
  removing: boolean;
  waiting: Waiting | null;
  decision: StandingDecision | null;
};

/** How many rows lie between two anchors. */
export const ANCHOR_ROWS = 500;

/** The number of matches, and the start of each page after the first: `accessor/path` of the row before it. */
export type RowIndex = { total: number; anchors: string[] };

const OURS = 'ours AS (SELECT * FROM destinations WHERE id = ?)';
const KEYS = 'association_keys k JOIN associations a ON a.id = k.association_id';

const NAMED = `(k.mount_id, k.secret_path) IN (
  SELECT m.id, wanted.path FROM ours d JOIN mounts m ON m.namespace_id = d.namespace_id
  JOIN unnest(?::text[], ?::text[]) wanted (mount, path) ON wanted.mount = m.path)`;

type Query = { destinationId: number; filter: RowFilter };

/** A page of matching associations, ordered by mount and secret. */
export async function listRows(
  db: Database,
  query: Query & { after?: PageStart | undefined; limit: number },
): Promise<AssociationRow[]> {
  const { after, limit } = query;
  const found = match(query);
  // The limit applies where an index gives the order, before anything is looked up for the rows.
  const { rows } = await db.raw<{ rows: AssociationRow[] }>(
    `WITH ${OURS}
     SELECT p.id, m.path AS mount, m.accessor, p.secret_path, p.status, p.cause, p.scope, p.since, p.next_at, p.last_failure,
       p.updated_at, p.attempts, p.removing, p.waiting, p.decision, s.current_version AS version, e.synced_version, e.entries, e.in_sync, e.external_name
     FROM (
       SELECT a.id, k.mount_id, k.secret_path, a.updated_at, a.attempts, s.removing, ${WAITING} AS waiting, ${STANDING_DECISION} AS decision, ${IS_SETTLED} AS is_settled, c.*
       FROM ${KEYS} ${CLASSIFIED} WHERE ${found.sql} ${after ? 'AND (k.mount_id, k.secret_path) > (?, ?)' : ''}
       ORDER BY k.mount_id, k.secret_path LIMIT ?
     ) p
     JOIN mounts m ON m.id = p.mount_id
     LEFT JOIN secrets s ON s.mount_id = p.mount_id AND s.path = p.secret_path
     CROSS JOIN LATERAL (
       SELECT min(e.synced_version) AS synced_version, count(*)::int AS entries,
         (count(*) FILTER (WHERE p.is_settled AND ${ENTRY_STATUS} = 'SYNCED'))::int AS in_sync, min(e.external_name) AS external_name
       FROM entries e WHERE e.association_id = p.id
     ) e
     ORDER BY p.mount_id, p.secret_path`,
    [query.destinationId, ...found.bindings, ...(after ? [after.mountId, after.secretPath] : []), limit],
  );
  return rows;
}

/** The number of matches, with anchors that make any page reachable in one step. */
export async function indexRows(db: Database, query: Query): Promise<RowIndex> {
  const { sql, bindings, asksStatus } = match(query);
  const { rows } = await db.raw<{ rows: RowIndex[] }>(
    `WITH ${OURS}, numbered AS (
       SELECT k.mount_id, k.secret_path, row_number() OVER (ORDER BY k.mount_id, k.secret_path) AS at
       FROM ${asksStatus ? `${KEYS} ${CLASSIFIED}` : 'association_keys k'} WHERE ${sql})
     SELECT (SELECT count(*)::int FROM numbered) AS total, coalesce((
       SELECT json_agg(m.accessor || '/' || n.secret_path ORDER BY n.at)
       FROM numbered n JOIN mounts m ON m.id = n.mount_id WHERE n.at % ${ANCHOR_ROWS} = 0), '[]') AS anchors`,
    [query.destinationId, ...bindings],
  );
  return rows[0] ?? { total: 0, anchors: [] };
}

/**
 * Makes at most `limit` matching associations with an id above `afterId` due. Returns their ids in order. `decision`: what
 * becomes of entries of somebody else that have their names. `onlySeen`: see `ONLY_SEEN`.
 */
export async function retryRows(
  transaction: Database,
  query: Query & {
    afterId: number;
    limit: number;
    author: string;
    decision?: Decision | undefined;
    onlySeen?: boolean | undefined;
  },
): Promise<number[]> {
  const { sql, bindings } = match(query);
  const { rows } = await transaction.raw<{ rows: ({ id: number } & DueDestination)[] }>(
    `WITH ${OURS}, next AS (
       SELECT a.id FROM ${KEYS} ${CLASSIFIED} WHERE ${sql} AND a.id > ? ORDER BY a.id LIMIT ?)
     UPDATE associations a SET ${trigger({ sql: `CASE WHEN a.removing THEN 'retry' ELSE coalesce(?::text, 'retry') END` }, { by: '?::text', decision: 'CASE WHEN NOT a.removing THEN ?::text END', keptDecision: DUE_DECISION, onlySeen: '?::boolean', isWithdrawable: true, keeps: 'true' })} FROM next WHERE a.id = next.id
     RETURNING a.id, ${DUE_DESTINATION}`,
    [
      query.destinationId,
      ...bindings,
      query.afterId,
      query.limit,
      query.decision ?? null,
      query.author,
      query.decision ?? null,
      query.decision ?? null,
      query.onlySeen ?? false,
    ],
  );
  announceDue(transaction, rows);
  return rows.map(({ id }) => id).toSorted((left, right) => left - right);
}

// A filter that excludes `SYNCED` reads only the exceptions, however many other associations there are.
function match({ destinationId, filter }: Query): {
  sql: string;
  bindings: Knex.RawBinding[];
  /** Whether the filter needs more than mount and path. */
  asksStatus: boolean;
} {
  const { status, cause, search, prefix, secrets, isAsked = false } = filter;
  const name = `(SELECT m.path FROM mounts m WHERE m.id = k.mount_id) || '/' || k.secret_path`;
  const isException = isAsked || cause !== undefined || (status !== undefined && !status.includes('SYNCED'));
  const conditions: [string, Knex.RawBinding[]][] = [['k.destination_id = ?', [destinationId]]];
  if (isException) conditions.push([`k.association_id IN (${exceptionsOf()})`, []]);
  if (status) conditions.push(['c.status = ANY (?)', [status]]);
  if (cause !== undefined) conditions.push([`c.cause ->> 'code' = ?`, [cause]]);
  if (isAsked) conditions.push([IS_ASKED, []]);
  if (search) conditions.push([`strpos(lower(${name}), lower(?)) > 0`, [search]]);
  if (prefix) conditions.push([`starts_with(${name}, ?)`, [prefix]]);
  if (secrets) conditions.push([NAMED, [secrets.map(({ mount }) => mount), secrets.map(({ path }) => path)]]);
  return {
    sql: conditions.map(([text]) => text).join(' AND '),
    bindings: conditions.flatMap(([, values]) => values),
    asksStatus: isAsked || status !== undefined || cause !== undefined,
  };
}
