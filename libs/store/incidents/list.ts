import type { Database } from '../../db/connect.ts';
import type { StoredCause } from '../associations/records.ts';
import type { DestinationKey } from '../destinations/destinations.ts';
import type { Trigger } from '../due/trigger.ts';
import { waitedFor } from '../due/waited.ts';

/** One cause at one destination, from its first failure until no association had it any more; times are RFC 3339. */
export type Incident = {
  id: number;
  /** Null: the names of the destination are forgotten. */
  type: string | null;
  name: string | null;
  deleted: boolean;
  cause: StoredCause;
  opened_at: Date;
  changed_at: Date;
  closed_at: Date | null;
  associations: number;
  most: number;
  mount: string | null;
  secret_path: string | null;
  ended: 'itself' | 'person' | 'removed' | 'other_cause' | null;
  ended_by: string | null;
  /** Why the example was last tried before that, and with which version; null: that is not kept any more. */
  ended_after: (Pick<Trigger, 'cause' | 'change'> & { version: number | null }) | null;
  /** The example has failed in one way or another from here on until the incident opened; null: that is not kept any more. */
  failing_after: Date | null;
};

// What came of the example when the incident ended: its last attempt until then.
const LAST_ATTEMPT = `LEFT JOIN LATERAL (
  SELECT jsonb_build_object('cause', CASE WHEN ${waitedFor('h.trigger')} THEN 'schedule' ELSE h.trigger ->> 'cause' END, 'version', h.source_version)
    || jsonb_strip_nulls(jsonb_build_object('change', h.trigger -> 'change')) AS tried FROM sync_history h
  WHERE h.mount_id = i.mount_id AND h.secret_path = i.secret_path AND h.destination_id = i.destination_id
    AND h.at > i.opened_at AND h.at <= i.closed_at AND h.trigger IS NOT NULL
  ORDER BY h.id DESC LIMIT 1
) h ON true`;

// Its last attempt before that did not fail, or its first one.
const BEFORE = `LEFT JOIN LATERAL (
  SELECT coalesce(max(h.at) FILTER (WHERE h.cause IS NULL), min(h.at)) AS at FROM sync_history h
  WHERE h.mount_id = i.mount_id AND h.secret_path = i.secret_path AND h.destination_id = i.destination_id
    AND h.at < i.opened_at
) b ON true`;

const NEWEST_FIRST = ['i.opened_at', 'i.id'].map((column) => ({ column, order: 'desc' }));

/** Which incidents: those that lasted at some moment from `since` until before `until`. Times are RFC 3339. */
export type IncidentFilter = {
  namespaceId: string;
  destinationIds?: number[] | undefined;
  code?: string | undefined;
  isOpen?: boolean | undefined;
  since?: string | undefined;
  until?: string | undefined;
};

/** A page of incidents, the one that began last first; `after` is the id of the last one seen. */
export async function listIncidents(
  db: Database,
  { namespaceId, destinationIds, code, isOpen, since, until }: IncidentFilter,
  { after, limit }: { after?: number | undefined; limit: number },
): Promise<Incident[]> {
  const begun = (first: boolean) => {
    const rows = db('sync_incidents as i').where('i.namespace_id', namespaceId);
    if (destinationIds !== undefined) void rows.whereIn('i.destination_id', destinationIds);
    if (code !== undefined) void rows.where('i.code', code);
    if (isOpen !== undefined) void rows.whereRaw(isOpen ? 'i.closed_at IS NULL' : 'i.closed_at IS NOT NULL');
    if (until) void rows.where('i.opened_at', '<', until);
    if (after !== undefined)
      void rows.whereRaw(
        '(i.opened_at, i.id) < (SELECT x.opened_at, x.id FROM sync_incidents x WHERE x.id = ?)',
        [after],
      );
    if (since && first) void rows.where('i.opened_at', '>=', since);
    if (since && !first)
      void rows
        .where('i.opened_at', '<', since)
        .whereRaw('(i.closed_at IS NULL OR i.closed_at >= ?)', [since]);
    return rows.orderBy(NEWEST_FIRST).limit(limit).select('i.*');
  };
  // Those that began in the time, and those that lasted already: each from an index.
  const page = since ? db.unionAll([begun(true), begun(false)], true) : begun(true);
  return db
    .from(page.as('i'))
    .leftJoin('destinations as d', 'd.id', 'i.destination_id')
    .leftJoin('gone_destinations as g', 'g.id', 'i.destination_id')
    .leftJoin('mounts as m', 'm.id', 'i.mount_id')
    .joinRaw(LAST_ATTEMPT)
    .joinRaw(BEFORE)
    .orderBy(NEWEST_FIRST)
    .limit(limit)
    .select<Incident[]>(
      'i.id',
      db.raw('coalesce(d.type, g.type) AS type'),
      db.raw('coalesce(d.name, g.name) AS name'),
      db.raw('d.id IS NULL AS deleted'),
      'i.cause',
      'i.opened_at',
      'i.changed_at',
      'i.closed_at',
      'i.associations',
      'i.most',
      'm.path as mount',
      'i.secret_path',
      'i.ended',
      'i.ended_by',
      'h.tried as ended_after',
      'b.at as failing_after',
    );
}

// A name may be used and deleted again without end.
const MOST_GONE = 100;

/** The deleted destinations of a name that have incidents, as long as both are kept: at most 100, the latest first. */
export async function findGoneWithIncidents(
  db: Database,
  { namespaceId, type, name }: DestinationKey,
): Promise<number[]> {
  const gone = await db('gone_destinations as g')
    .where({ 'g.type': type, 'g.name': name })
    .whereExists(
      db('sync_incidents as i').whereRaw('i.destination_id = g.id').where('i.namespace_id', namespaceId),
    )
    .orderBy('g.gone_at', 'desc')
    .limit(MOST_GONE)
    .select<{ id: number }[]>('g.id');
  return gone.map(({ id }) => id);
}
