import type { Database } from '../../db/connect.ts';
import { NOT_DELETED } from '../not-deleted.ts';
import type { LastFailure, StoredCause } from './records.ts';
import { CLASSIFIED, EXCEPTIONAL_ROWS, IS_EXCEPTION, WITH_STATUS } from './status.ts';
import { IS_ASKED, WAITING, type Waiting } from './waiting.ts';

// Limits a search by text to about 50 ms.
const MOST_READ = 20_000;

// Most links are in sync: a page of those that are is among so many times its links, or it is short.
const SYNCED_SHARE = 10;

/** What a list of links is ordered by first. */
export type LinkOrder = 'destination' | 'secret';

/**
 * The place of a link in such a list: the name and id of its group (its destination or its mount), its secret, and the id
 * of what it has of the other kind.
 */
export type LinkPlace = { group: string; group_id: number; secret_path: string; other_id: number };

/** Selects links; an absent field does not filter. */
export type LinkFilter = {
  /** Part of the secret or of the destination, in any case. */
  text?: string | undefined;
  type?: string | undefined;
  status?: string[] | undefined;
  /** A person asked for what waits for a pause to end. */
  isAsked?: boolean | undefined;
};

/** A secret that is linked to a store. `names`: its entries there that we wrote; empty while there are none. */
export type LinkOfSecret = LinkPlace & {
  namespace: string;
  mount: string;
  type: string;
  destination: string;
  names: string[];
  status: string;
  cause: StoredCause | null;
  last_failure: LastFailure | null;
  since: Date | null;
  updated_at: Date;
  waiting: Waiting | null;
};

const DESTINATIONS = `SELECT * FROM destinations d WHERE d.namespace_id = ANY (:namespaces) AND ${NOT_DELETED}`;

// Only the group of the place has links before it. Without an OR, so that an index can serve it.
const OTHER_BEFORE = 'CASE WHEN g.id = :groupId THEN :otherId ELSE 0 END';
const SECRET_BEFORE = "CASE WHEN g.id = :groupId THEN :secretPath ELSE '' END";

// `group`: what a list is ordered by first; `ofType`: limits the groups to a type. `order`: of its links, as an index has it;
// `before`: the values of that order after which the group `g` continues; `place`: those of the place itself.
const ORDERS = {
  destination: {
    groups: DESTINATIONS,
    ofType: 'AND d.type = :storeType',
    group: 'k.destination_id',
    other: 'k.mount_id',
    name: 'd.name',
    order: ['mount_id', 'secret_path'],
    before: `${OTHER_BEFORE}, ${SECRET_BEFORE}`,
    place: ':otherId, :secretPath',
  },
  secret: {
    groups: 'SELECT m.id, m.path AS name FROM mounts m WHERE m.namespace_id = ANY (:namespaces)',
    ofType: '',
    group: 'k.mount_id',
    other: 'k.destination_id',
    name: 'm.path',
    order: ['secret_path', 'destination_id'],
    before: `${SECRET_BEFORE}, ${OTHER_BEFORE}`,
    place: ':secretPath, :otherId',
  },
};

// Whatever may not be in sync, with its status: few of all links.
const JUDGED = `found AS MATERIALIZED (${EXCEPTIONAL_ROWS}), judged AS MATERIALIZED (
  SELECT a.id AS association_id, a.destination_id, a.mount_id, a.secret_path, c.status, ${IS_ASKED} AS is_asked FROM found a ${WITH_STATUS})`;

// Judges one link after the other: with a limit, Postgres does not read all associations for it.
const JUDGED_ALONE = `LEFT JOIN LATERAL (
  SELECT c.status, ${IS_ASKED} AS is_asked FROM associations a ${WITH_STATUS} WHERE a.id = l.id AND ${IS_EXCEPTION} LIMIT 1
) j ON true`;

/**
 * A page of the links of some namespaces, by the name of the destination or of the secret. `last`: the place after which to
 * continue; null at the end. A search by text, or of what is in sync, looks at a limited number of links, so that its page may be
 * short, or empty.
 */
export async function listLinks(
  db: Database,
  namespaceIds: string[],
  query: { filter: LinkFilter; order: LinkOrder; after?: LinkPlace | undefined; limit: number },
): Promise<{ links: LinkOfSecret[]; last: LinkPlace | null }> {
  const { filter, after, limit } = query;
  const { rows } = await db.raw<{ rows: (LinkOfSecret & { id: number | null; last: LinkPlace | null })[] }>(
    selectLinks(query),
    {
      namespaces: namespaceIds,
      limit,
      mostRead: mostReadFor(filter, limit),
      ...(filter.status && { statuses: filter.status }),
      ...(filter.type && { storeType: filter.type }),
      // Not `text`: Knex would take a cast to it in the statement for a binding.
      ...(filter.text && { part: filter.text }),
      ...(after && {
        group: after.group,
        groupId: after.group_id,
        secretPath: after.secret_path,
        otherId: after.other_id,
      }),
    },
  );
  const links = rows.filter(({ id }) => id !== null);
  // After a full page there may be more among those that were read.
  return { links, last: (links.length === limit ? links.at(-1) : rows[0]?.last) ?? null };
}

const isOfSynced = ({ status }: LinkFilter): boolean => status?.includes('SYNCED') ?? false;

function mostReadFor(filter: LinkFilter, limit: number): number {
  if (filter.text !== undefined) return MOST_READ;
  return isOfSynced(filter) ? Math.min(SYNCED_SHARE * limit, MOST_READ) : limit;
}

// What may not be in sync is judged, and a page of the matches is read. Of what is in sync there is too much for that: each
// link that was read is judged, and what needs no judging is in sync.
function judgingOf(filter: LinkFilter): { matching: string | null; join: string; after: string[] } {
  const { status, isAsked = false } = filter;
  if (isOfSynced(filter)) {
    const after = [`coalesce(j.status, 'SYNCED') = ANY (:statuses)`, ...(isAsked ? ['j.is_asked'] : [])];
    return { matching: null, join: JUDGED_ALONE, after };
  }
  const conditions = [...(status ? ['status = ANY (:statuses)'] : []), ...(isAsked ? ['is_asked'] : [])];
  return { matching: conditions.length > 0 ? conditions.join(' AND ') : null, join: '', after: [] };
}

const columnsOf = (table: string, columns: string[], direction = ''): string =>
  columns.map((column) => `${table}.${column}${direction}`).join(', ');

type LinkQuery = { filter: LinkFilter; order: LinkOrder; after?: LinkPlace | undefined };

// The links to read. Without matches: of each group no more than a page, in the order of an index. That limit is a subquery:
// with the number itself, Postgres reads and sorts all links of a group, which it takes for an average one.
function selectRead({ filter, order: by, after }: LinkQuery): string {
  const { groups, ofType, group, name, other, order, before, place } = ORDERS[by];
  const { matching } = judgingOf(filter);
  const inOrder = columnsOf('k', order);
  const whole = `k."group", k.group_id, ${inOrder}`;
  const selectFrom = (links: string): string =>
    `SELECT ${name} AS "group", ${group} AS group_id, k.association_id AS id, ${other} AS other_id, k.mount_id, k.destination_id, k.secret_path,
      m.path AS mount, d.name
    FROM ${links} k JOIN mounts m ON m.id = k.mount_id AND m.namespace_id = ANY (:namespaces)
    JOIN destinations d ON d.id = k.destination_id AND ${NOT_DELETED} ${filter.type ? 'AND d.type = :storeType' : ''}`;
  if (matching !== null)
    return `SELECT k.* FROM (${selectFrom(`(SELECT * FROM judged WHERE ${matching})`)}) k
      ${after ? `WHERE (${whole}) > (:group, :groupId, ${place})` : ''} ORDER BY ${whole} LIMIT :mostRead`;
  return `SELECT k.* FROM (${groups} ${filter.type ? ofType : ''} ORDER BY name, id) g CROSS JOIN LATERAL (
      ${selectFrom('association_keys')} WHERE ${group} = g.id ${after ? `AND (${inOrder}) > (${before})` : ''}
      ORDER BY ${inOrder} LIMIT (SELECT CAST(:mostRead AS int))
    ) k ${after ? 'WHERE (g.name, g.id) >= (:group, :groupId)' : ''} ORDER BY g.name, g.id, ${inOrder} LIMIT :mostRead`;
}

// Only the links of the page are looked at in full.
function selectLinks(query: LinkQuery): string {
  const { filter, order } = query;
  const { matching, join, after } = judgingOf(filter);
  const inOrder = (table: string, direction?: string): string =>
    columnsOf(table, ['"group"', 'group_id', ...ORDERS[order].order], direction);
  const matches = [
    ...after,
    ...(filter.text
      ? [`strpos(lower(l.mount || '/' || l.secret_path || ' ' || l.name), lower(:part)) > 0`]
      : []),
  ];
  return `WITH ours AS (${DESTINATIONS})${matching === null ? '' : `, ${JUDGED}`}, looked AS MATERIALIZED (${selectRead(query)}
    ), page AS MATERIALIZED (
      SELECT l.* FROM looked l ${join} ${matches.length > 0 ? `WHERE ${matches.join(' AND ')}` : ''}
      ORDER BY ${inOrder('l')} LIMIT :limit
    ), links AS (
      SELECT p.*, d.type, d.name AS destination, n.path AS namespace, c.status, c.cause, c.last_failure, c.since, a.updated_at, ${WAITING} AS waiting, ARRAY(
        SELECT e.external_name FROM entries e WHERE e.association_id = p.id AND e.owned ORDER BY e.sub_key, e.id LIMIT 100) AS names
      FROM page p JOIN associations a ON a.id = p.id ${CLASSIFIED} JOIN namespaces n ON n.id = d.namespace_id
    )
    SELECT l.*, CASE WHEN (SELECT count(*) FROM looked) = :mostRead THEN (
      SELECT to_jsonb(end_of) FROM (SELECT * FROM looked o ORDER BY ${inOrder('o', ' DESC')} LIMIT 1) end_of) END AS last
    FROM (SELECT 1) one LEFT JOIN links l ON true ORDER BY ${inOrder('l')}`;
}
