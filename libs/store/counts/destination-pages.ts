import type { Knex } from 'knex';
import type { Database } from '../../db/connect.ts';
import { countedOf, totalsOf } from './kept-counts.ts';
import { WORST_FIRST } from '../associations/status.ts';
import { STATED, summariseSome, type SummarisedDestinations } from './summary.ts';

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
export type DestinationPage = SummarisedDestinations & {
  total: number;
  groups: { key: string; count: number }[];
};

type Sql = { sql: string; bindings: Knex.RawBinding[] };

type Chosen = { total: number; groups: DestinationPage['groups']; ids: number[] };

/** A page of the destinations that a query selects. */
export async function pageOfDestinations(db: Database, query: DestinationQuery): Promise<DestinationPage> {
  const { total, groups, ids } = await choose(db, query);
  return { total, groups, ...(await summariseSome(db, ids)) };
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

function plain(query: DestinationQuery): Sql {
  const ours = oursOf(query);
  const { order, types } = query;
  const places = {
    name: { sql: '0', bindings: [] },
    type: { sql: 'array_position(?::text[], d.type)', bindings: [types] },
    links: { sql: '-coalesce(l.count, 0)', bindings: [] },
  };
  const place = places[order === 'status' ? 'name' : order];
  return {
    sql: `${ours.sql}, ${totalsOf(false)}, chosen AS (
      SELECT d.id, d.type, d.name, ${order === 'type' ? 'd.type' : `''`} AS key, ${place.sql} AS place
      FROM ours d ${order === 'links' ? 'LEFT JOIN totals l ON l.destination_id = d.id' : ''})`,
    bindings: [...ours.bindings, ...place.bindings],
  };
}

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
    sql: `${ours.sql}, ${totalsOf(false)}, ${countedOf(false)}, ${STATED}, chosen AS (
      SELECT r.id, r.type, r.name, ${keys[order]} AS key, ${places[order]} AS place FROM stated r
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
