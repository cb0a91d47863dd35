import { createBatcher } from '../../batching/batcher.ts';
import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';
import { HELD_CAUSE } from '../destinations/holds.ts';
import { DISABLED, PAUSE, type Pause } from '../destinations/pauses.ts';
import { CLASSIFIED, EXCEPTIONS } from './status.ts';
import type { StoredCause } from './records.ts';
import { WHOLE_PAUSE } from './sync-config.ts';

/** Associations of a destination with the same status for the same reason; times are RFC 3339. */
export type StatusGroup = {
  destination_id: number;
  status: string;
  cause: StoredCause | null;
  scope: 'destination' | 'association';
  count: number;
  /** When the first of them began to fail. */
  since: string | null;
  next_at: string | null;
  /** One association as an example. */
  mount: string;
  secret_path: string;
};

/** A destination with the number of its associations. */
export type SummarisedDestination = {
  id: number;
  type: string;
  name: string;
  /** The path of its namespace. */
  namespace: string;
  total: number;
  oldest_due_at: string | null;
  throttled_until: string | null;
  /** Why no worker may push to it, although nothing fails. */
  held: StoredCause | null;
  pause: Pause | null;
  purge_initiated_at: string | null;
  purge_error: string | null;
};

/** `pause`: that of syncing as a whole. */
export type Summary = {
  disabled: boolean;
  pause: Pause | null;
  destinations: SummarisedDestination[];
  exceptions: StatusGroup[];
};

// Inlined, so that Postgres knows how few destinations are in the middle of a change: otherwise it expects a third of all
// associations.
const OURS = `ours AS NOT MATERIALIZED (SELECT * FROM destinations WHERE namespace_id = ?)`;
const SOME = `ours AS NOT MATERIALIZED (SELECT * FROM destinations WHERE id = ANY (?))`;

// `MATERIALIZED`: the associations to classify are few among many, so Postgres looks them up by key.
const groupsOf = (ours: string): string => `
WITH ${ours}, found AS MATERIALIZED (${EXCEPTIONS})
SELECT d.id AS destination_id, c.status, min(c.cause::text)::jsonb AS cause, c.scope, count(*)::int AS count,
  min(c.since) AS since, min(c.next_at) AS next_at,
  (array_agg(m.path ORDER BY a.id))[1] AS mount, (array_agg(a.secret_path ORDER BY a.id))[1] AS secret_path
FROM found JOIN associations a ON a.id = found.id ${CLASSIFIED} JOIN mounts m ON m.id = a.mount_id
GROUP BY d.id, c.status, c.cause ->> 'code', c.scope ORDER BY d.id, c.status, c.cause ->> 'code'`;

/** SQL: counts the associations of a namespace that may not be in sync, by reason. */
export const GROUPS = groupsOf(OURS);

const totalsOf = (ours: string, keys: string): string => `
WITH ${ours}
SELECT d.id, d.type, d.name, n.path AS namespace, coalesce(k.total, 0) AS total,
  (SELECT a.due_at FROM associations a WHERE a.destination_id = d.id AND a.due_at <= now() ORDER BY a.due_at LIMIT 1) AS oldest_due_at,
  CASE WHEN d.throttled_until > now() THEN d.throttled_until END AS throttled_until,
  ${HELD_CAUSE} AS held, ${PAUSE} AS pause, d.purge_initiated_at, d.purge_error
FROM ours d JOIN namespaces n ON n.id = d.namespace_id LEFT JOIN (
  SELECT destination_id, count(*)::int AS total FROM ${keys} GROUP BY destination_id
) k ON k.destination_id = d.id
ORDER BY d.type, d.name`;

const TOTALS = totalsOf(OURS, 'association_keys');
const SOME_TOTALS = totalsOf(SOME, 'association_keys WHERE destination_id = ANY (?)');
const SOME_GROUPS = groupsOf(SOME);

const batchers = new WeakMap<Database, (namespaceId: string) => Promise<Summary>>();

/**
 * Counts all associations of a namespace by status. Only one count runs at a time. Callers that ask during a count share
 * the next one, however many pages are open.
 */
export function summarise(db: Database, namespaceId: string): Promise<Summary> {
  const ask =
    batchers.get(db) ?? createBatcher((ids: string[]) => countOnceEach(db, ids), { most: Infinity });
  batchers.set(db, ask);
  return ask(namespaceId);
}

/** Counts the associations of these destinations alone. */
export async function summariseSome(
  db: Database,
  ids: number[],
): Promise<Pick<Summary, 'destinations' | 'exceptions'>> {
  if (ids.length === 0) return { destinations: [], exceptions: [] };
  const destinations = await prepared<SummarisedDestination>(db, SOME_TOTALS, [ids, ids]);
  const exceptions = await prepared<StatusGroup>(db, SOME_GROUPS, [ids]);
  return { destinations, exceptions };
}

async function countOnceEach(db: Database, namespaceIds: string[]): Promise<Summary[]> {
  const counted = new Map<string, Summary>();
  for (const id of new Set(namespaceIds)) counted.set(id, await count(db, id));
  return namespaceIds.flatMap((id) => counted.get(id) ?? []);
}

async function count(db: Database, namespaceId: string): Promise<Summary> {
  const [config] = await prepared<Pick<Summary, 'disabled' | 'pause'>>(
    db,
    `SELECT ${DISABLED} AS disabled, ${WHOLE_PAUSE} AS pause FROM sync_config`,
    [],
  );
  const destinations = await prepared<SummarisedDestination>(db, TOTALS, [namespaceId]);
  const exceptions = await prepared<StatusGroup>(db, GROUPS, [namespaceId]);
  return { disabled: config?.disabled ?? false, pause: config?.pause ?? null, destinations, exceptions };
}
