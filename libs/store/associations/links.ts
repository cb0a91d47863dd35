import type { Database } from '../../db/connect.ts';
import { NOT_DELETED } from '../not-deleted.ts';
import type { LastFailure, StoredCause } from './records.ts';
import { CLASSIFIED, exceptionsOf } from './status.ts';
import { IS_ASKED, WAITING, type Waiting } from './waiting.ts';

// Limits a search by text to about 50 ms; without a text, no more is read than a page has.
const MOST_READ = 20_000;

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

// `group`: what a list is ordered by first; `ofType`: limits the groups to a type. `order`: of its links, as an index has it.
const ORDERS = {
  destination: {
    groups: DESTINATIONS,
    ofType: 'AND d.type = :storeType',
    group: 'k.destination_id',
    other: 'k.mount_id',
    order: ['mount_id', 'secret_path'],
    place: `(${OTHER_BEFORE}, ${SECRET_BEFORE})`,
  },
  secret: {
    groups: 'SELECT m.id, m.path AS name FROM mounts m WHERE m.namespace_id = ANY (:namespaces)',
    ofType: '',
    group: 'k.mount_id',
    other: 'k.destination_id',
    order: ['secret_path', 'destination_id'],
    place: `(${SECRET_BEFORE}, ${OTHER_BEFORE})`,
  },
};

// Whatever may not be in sync, with its status: few of all links.
const JUDGED = `found AS MATERIALIZED (${exceptionsOf()}), judged AS MATERIALIZED (
  SELECT a.id, c.status, ${IS_ASKED} AS is_asked FROM found JOIN associations a ON a.id = found.id ${CLASSIFIED})`;

// What is not judged is in sync.
function statusCondition(statuses: string[]): string {
  return statuses.includes('SYNCED')
    ? 'k.association_id NOT IN (SELECT id FROM judged WHERE status <> ALL (:statuses))'
    : 'k.association_id IN (SELECT id FROM judged WHERE status = ANY (:statuses))';
}

/**
 * A page of the links of some namespaces, by the name of the destination or of the secret. `last`: the place after which to
 * continue; null at the end. A search by text looks at the next 20,000 links, so that its page may be short, or empty.
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
      mostRead: filter.text === undefined ? limit : MOST_READ,
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

// Of each group no more than a page is read, in the order of an index, and only the links of the page are judged.
function selectLinks(query: { filter: LinkFilter; order: LinkOrder; after?: LinkPlace | undefined }): string {
  const { filter, after } = query;
  const { groups, ofType, group, other, order, place } = ORDERS[query.order];
  const columnsOf = (table: string, columns: string[], direction = ''): string =>
    columns.map((column) => `${table}.${column}${direction}`).join(', ');
  const orderOf = (table: string): string => columnsOf(table, order);
  const inOrder = (table: string, direction?: string): string =>
    columnsOf(table, ['"group"', 'group_id', ...order], direction);
  const conditions = [
    `${group} = g.id`,
    ...(after ? [`(${orderOf('k')}) > ${place}`] : []),
    ...(filter.status ? [statusCondition(filter.status)] : []),
    ...(filter.isAsked ? ['k.association_id IN (SELECT id FROM judged WHERE is_asked)'] : []),
    ...(filter.type ? ['d.type = :storeType'] : []),
  ];
  return `WITH ours AS (${DESTINATIONS})${filter.status || filter.isAsked ? `, ${JUDGED}` : ''}, looked AS MATERIALIZED (
      SELECT g.name AS "group", g.id AS group_id, k.* FROM (${groups} ${filter.type ? ofType : ''} ORDER BY name, id) g
      CROSS JOIN LATERAL (
        SELECT k.association_id AS id, ${other} AS other_id, k.mount_id, k.destination_id, k.secret_path, m.path AS mount, d.name
        FROM association_keys k JOIN mounts m ON m.id = k.mount_id
        JOIN destinations d ON d.id = k.destination_id AND ${NOT_DELETED}
        WHERE ${conditions.join(' AND ')} ORDER BY ${orderOf('k')} LIMIT :mostRead
      ) k
      ${after ? 'WHERE (g.name, g.id) >= (:group, :groupId)' : ''}
      ORDER BY g.name, g.id, ${orderOf('k')} LIMIT :mostRead
    ), page AS MATERIALIZED (
      SELECT l.* FROM looked l
      ${filter.text ? `WHERE strpos(lower(l.mount || '/' || l.secret_path || ' ' || l.name), lower(:part)) > 0` : ''}
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
