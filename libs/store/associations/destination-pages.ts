import type { Knex } from 'knex';
import type { Database } from '../../db/connect.ts';
import { CLASSIFIED, EXCEPTIONS, WORST_FIRST } from './status.ts';
import { summariseSome, type Summary } from './summary.ts';

/** The order of a list of destinations; `type` and `status` also group it. */
export type DestinationOrder = 'name' | 'type' | 'status' | 'links';

/** Selects destinations; an absent field does not filter. */
export type DestinationFilter = {
  types?: string[] | undefined;
  /** Those with a link in one of these statuses. */
  statuses?: string[] | undefined;
  /** The whole name. */
  name?: string | undefined;
  /** A part of the name, case-insensitive; also found are those of `searchTypes`. */
  search?: string | undefined;
  searchTypes: string[];
};

/** `types`: all types, in the order in which a list of types shows them. */
export type DestinationQuery = {
  namespaceIds: string[];
  filter: DestinationFilter;
  order: DestinationOrder;
  types: string[];
  offset: number;
  limit: number;
};

/** A page of destinations, with the number of all that match and, in their order, of each group. */
export type DestinationPage = Pick<Summary, 'destinations' | 'exceptions'> & {
  total: number;
  groups: { key: string; count: number }[];
};

type Sql = { sql: string; bindings: Knex.RawBinding[] };

type Chosen = { total: number; groups: DestinationPage['groups']; ids: number[] };

/** Counts only the destinations of the page, unless their statuses or the number of their links decide which those are. */
export async function pageOfDestinations(db: Database, query: DestinationQuery): Promise<DestinationPage> {
  const { total, groups, ids } = await choose(db, query);
  const { destinations, exceptions } = await summariseSome(db, ids);
  const places = new Map(ids.map((id, index) => [id, index]));
  const placeOf = ({ id }: { id: number }): number => places.get(id) ?? 0;
  const sorted = destinations.toSorted((one, other) => placeOf(one) - placeOf(other));
  return { total, groups, destinations: sorted, exceptions };
}

async function choose(db: Database, query: DestinationQuery): Promise<Chosen> {
  const { offset, limit } = query;
  const { sql, bindings } =
    query.order === 'status' || query.filter.statuses ? byStatus(query) : plain(query);
  const { rows } = await db.raw<{ rows: Chosen[] }>(
    `WITH ${sql}, numbered AS (SELECT id, key, row_number() OVER (ORDER BY place, lower(name), name, type, id) AS at FROM chosen)
     SELECT (SELECT count(*)::int FROM numbered) AS total,
       (SELECT coalesce(json_agg(json_build_object('key', g.key, 'count', g.count) ORDER BY g.first), '[]') FROM (
         SELECT key, count(*)::int AS count, min(at) AS first FROM numbered WHERE key <> '' GROUP BY key) g) AS groups,
       (SELECT coalesce(json_agg(id ORDER BY at), '[]') FROM numbered WHERE at > ? AND at <= ?) AS ids`,
    [...bindings, offset, offset + limit],
  );
  return rows[0] ?? { total: 0, groups: [], ids: [] };
}

const LINKS = '(SELECT count(*) FROM association_keys k WHERE k.destination_id = d.id)';

function plain(query: DestinationQuery): Sql {
  const ours = oursOf(query);
  const place = { type: 'array_position(?::text[], d.type)', links: `-${LINKS}` };
  const { order } = query;
  return {
    sql: `${ours.sql}, chosen AS (
      SELECT d.id, d.type, d.name, ${order === 'type' ? 'd.type' : `''`} AS key,
        ${order === 'type' || order === 'links' ? place[order] : '0'} AS place FROM ours d)`,
    bindings: [...ours.bindings, ...(order === 'type' ? [query.types] : [])],
  };
}

// What is not among the exceptions is in sync.
function byStatus(query: DestinationQuery): Sql {
  const ours = oursOf(query);
  const { order, types, filter } = query;
  const places = {
    name: '0',
    type: 'array_position(?::text[], r.type)',
    status: 'r.worst',
    links: '-r.total',
  };
  const keys = { name: `''`, type: 'r.type', status: "coalesce((?::text[])[r.worst], '')", links: `''` };
  return {
    sql: `${ours.sql}, found AS MATERIALIZED (${EXCEPTIONS}), counted AS (
      SELECT a.destination_id, c.status, count(*) AS count
      FROM found JOIN associations a ON a.id = found.id ${CLASSIFIED} GROUP BY a.destination_id, c.status
    ), exceptional AS (
      SELECT destination_id, sum(count) AS count, array_agg(status) AS statuses FROM counted GROUP BY destination_id
    ), linked AS (
      SELECT k.destination_id, count(*) AS total FROM association_keys k
      WHERE k.destination_id IN (SELECT id FROM ours) GROUP BY k.destination_id
    ), stated AS (
      SELECT d.id, d.type, d.name, coalesce(l.total, 0) AS total,
        coalesce(x.statuses, '{}') || CASE WHEN l.total > coalesce(x.count, 0) THEN ARRAY['SYNCED'] ELSE '{}' END AS statuses
      FROM ours d LEFT JOIN linked l ON l.destination_id = d.id LEFT JOIN exceptional x ON x.destination_id = d.id
    ), ranked AS (
      SELECT s.*, (SELECT min(array_position(?::text[], one)) FROM unnest(s.statuses) one) AS worst FROM stated s
    ), chosen AS (
      SELECT r.id, r.type, r.name, ${keys[order]} AS key, ${places[order]} AS place FROM ranked r
      ${filter.statuses ? 'WHERE r.statuses && ?::text[]' : ''})`,
    bindings: [
      ...ours.bindings,
      WORST_FIRST,
      ...(order === 'status' ? [WORST_FIRST] : []),
      ...(order === 'type' ? [types] : []),
      ...(filter.statuses ? [filter.statuses] : []),
    ],
  };
}

function oursOf({ namespaceIds, filter }: DestinationQuery): Sql {
  const { types, name, search, searchTypes } = filter;
  const [first, ...others] = namespaceIds;
  // Postgres knows how many destinations one namespace has, but not how many several have.
  const conditions: [string, Knex.RawBinding[]][] = [
    first !== undefined && others.length === 0
      ? ['namespace_id = ?', [first]]
      : ['namespace_id = ANY (?)', [namespaceIds]],
  ];
  if (types) conditions.push(['type = ANY (?)', [types]]);
  if (name) conditions.push(['name = ?', [name]]);
  if (search)
    conditions.push(['(strpos(lower(name), lower(?)) > 0 OR type = ANY (?))', [search, searchTypes]]);
  return {
    sql: `ours AS NOT MATERIALIZED (SELECT * FROM destinations WHERE ${conditions.map(([text]) => text).join(' AND ')})`,
    bindings: conditions.flatMap(([, values]) => values),
  };
}
