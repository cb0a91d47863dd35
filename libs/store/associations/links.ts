import type { Database } from '../../db/connect.ts';
import { NOT_DELETED } from '../not-deleted.ts';
import type { StoredCause } from './records.ts';
import { CLASSIFIED, exceptionsOf } from './status.ts';

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
  since: Date | null;
  updated_at: Date;
};

const DESTINATIONS = `SELECT * FROM destinations d WHERE d.namespace_id = ANY (:namespaces) AND ${NOT_DELETED}`;

// `group`: what a list is ordered by first. `order`: of its links, as an index has it.
const ORDERS = {
  destination: {
    groups: DESTINATIONS,
    group: 'k.destination_id',
    other: 'k.mount_id',
    order: ['mount_id', 'secret_path'],
    place: '(:otherId, :secretPath)',
  },
  secret: {
    groups: 'SELECT m.id, m.path AS name FROM mounts m WHERE m.namespace_id = ANY (:namespaces)',
    group: 'k.mount_id',
    other: 'k.destination_id',
    order: ['secret_path', 'destination_id'],
    place: '(:secretPath, :otherId)',
  },
};

// Whatever may not be in sync, with its status: few of all links.
const JUDGED = `found AS MATERIALIZED (${exceptionsOf()}), judged AS MATERIALIZED (
  SELECT a.id, c.status FROM found JOIN associations a ON a.id = found.id ${CLASSIFIED})`;

// What is not judged is in sync.
function statusCondition(statuses: string[]): string {
  return statuses.includes('SYNCED')
    ? 'k.association_id NOT IN (SELECT id FROM judged WHERE status <> ALL (:status))'
    : 'k.association_id IN (SELECT id FROM judged WHERE status = ANY (:status))';
}

/** A page of the links of some namespaces, by the name of the destination or of the secret. */
export async function listLinks(
  db: Database,
  namespaceIds: string[],
  query: { filter: LinkFilter; order: LinkOrder; after?: LinkPlace | undefined; limit: number },
): Promise<LinkOfSecret[]> {
  const { filter, after, limit } = query;
  const { groups, group, other, order, place } = ORDERS[query.order];
  const orderOf = (table: string): string => order.map((column) => `${table}.${column}`).join(', ');
  const conditions = [
    `${group} = g.id`,
    ...(after ? [`(g.id <> :groupId OR (${orderOf('k')}) > ${place})`] : []),
    ...(filter.status ? [statusCondition(filter.status)] : []),
    ...(filter.type ? ['d.type = :type'] : []),
    ...(filter.text
      ? [`strpos(lower(m.path || '/' || k.secret_path || ' ' || d.name), lower(:text)) > 0`]
      : []),
  ];
  // Of each group no more than a page is read, in the order of an index, and only the links of the page are judged.
  const { rows } = await db.raw<{ rows: LinkOfSecret[] }>(
    `WITH ours AS (${DESTINATIONS})${filter.status ? `, ${JUDGED}` : ''}, page AS MATERIALIZED (
       SELECT g.name AS "group", g.id AS group_id, k.* FROM (${groups}) g
       CROSS JOIN LATERAL (
         SELECT k.association_id AS id, ${other} AS other_id, k.mount_id, k.destination_id, k.secret_path
         FROM association_keys k JOIN mounts m ON m.id = k.mount_id
         JOIN destinations d ON d.id = k.destination_id AND ${NOT_DELETED}
         WHERE ${conditions.join(' AND ')} ORDER BY ${orderOf('k')} LIMIT :limit
       ) k
       ${after ? 'WHERE (g.name, g.id) >= (:group, :groupId)' : ''}
       ORDER BY g.name, g.id, ${orderOf('k')} LIMIT :limit
     )
     SELECT p.*, m.path AS mount, d.type, d.name AS destination, n.path AS namespace, c.status, c.cause, c.since, a.updated_at, ARRAY(
       SELECT e.external_name FROM entries e WHERE e.association_id = p.id AND e.owned ORDER BY e.sub_key, e.id LIMIT 100) AS names
     FROM page p JOIN associations a ON a.id = p.id JOIN mounts m ON m.id = p.mount_id ${CLASSIFIED}
     JOIN namespaces n ON n.id = d.namespace_id
     ORDER BY p."group", p.group_id, ${orderOf('p')}`,
    {
      namespaces: namespaceIds,
      limit,
      ...filter,
      ...(after && {
        group: after.group,
        groupId: after.group_id,
        secretPath: after.secret_path,
        otherId: after.other_id,
      }),
    },
  );
  return rows;
}
