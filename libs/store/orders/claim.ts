import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';
import type { LedgerEntry, WorkOrder } from './order.ts';
import { findPaced, grantWrites, type Demand, type Grant, type Pace } from './spacing.ts';

type Claimed = { id: number; generation: number; lease_token: number; previous_lease: number | null };

/** Claimed orders, and what paced destinations were granted. */
export type Claim = { orders: WorkOrder[]; paced: Map<number, Grant> };

// One statement takes due rows of many destinations at once. A row that still has a lease token is one whose holder
// died or lost it: its lease has ended, since leased rows are due only then. `now()` is the database's clock, so the
// clocks of workers do not matter. A call may have strayed: no worker takes the work of another type, whose credentials it
// would show to its own store.
const CLAIM = `
WITH wanted AS (SELECT * FROM unnest(?::bigint[], ?::int[]) AS w (destination_id, slots)),
spaced AS (SELECT unnest(?::bigint[]) AS id),
picked AS (
  SELECT due.id, due.lease_token AS previous_lease
  FROM wanted
  JOIN destinations d ON d.id = wanted.destination_id AND d.type = ?
    AND (d.throttled_until IS NULL OR d.throttled_until <= now())
    -- A spaced destination is claimed only by who was granted its next writes.
    AND (NOT ? OR d.pace_expires_at IS NULL OR d.pace_expires_at <= now() OR d.id IN (SELECT id FROM spaced))
  CROSS JOIN LATERAL (
    SELECT a.id, a.lease_token FROM associations a
    WHERE a.destination_id = wanted.destination_id AND a.due_at <= now()
    ORDER BY a.due_at, a.id LIMIT wanted.slots
    FOR UPDATE SKIP LOCKED
  ) due
  WHERE NOT (SELECT disabled FROM sync_config)
)
UPDATE associations a
SET lease_token = nextval('lease_tokens'), due_at = now() + ? * interval '1 millisecond'
FROM picked WHERE a.id = picked.id
RETURNING a.id, a.generation, a.lease_token, picked.previous_lease`;

// The holder before us may have written anything and told nobody: what is out there is not certain. That is kept in the
// ledger, so that it is not forgotten where we get no further than the claim.
const DOUBT = `
UPDATE entries SET value_print = NULL, written_at = now() WHERE association_id = ANY (?)`;

// Values of one claim come to so many bytes: what does not fit goes back, and is claimed again at once.
const MOST_BYTES = 16 * 1024 * 1024;

// A statement of its own: its snapshot is later than the claim, so the value it sees is at least as new as the claimed
// generation. Were it part of the claim, a generation could be claimed together with the value before it.
const LOAD = `
SELECT a.id, a.removing, a.attempts, a.secret_path,
  n.id AS namespace_id, n.path AS namespace_path,
  m.id AS mount_id, m.path AS mount_path, m.accessor,
  d.id AS destination_id, d.name, d.place, d.revision, d.granularity, d.secret_name_template, d.custom_tags,
  d.conflict_policy, d.deletion_policy,
  v.secret_id, v.version, v.deletion_time,
  CASE WHEN sum(octet_length(v.sealed)) OVER (ORDER BY a.id) <= ${MOST_BYTES} THEN v.sealed END AS sealed,
  e.entries
FROM associations a
JOIN destinations d ON d.id = a.destination_id
JOIN mounts m ON m.id = a.mount_id
JOIN namespaces n ON n.id = a.namespace_id
LEFT JOIN secrets s ON s.mount_id = a.mount_id AND s.path = a.secret_path
LEFT JOIN LATERAL (
  SELECT v.secret_id, v.version, v.sealed, v.deletion_time FROM secret_versions v
  WHERE v.secret_id = s.id AND NOT v.destroyed AND v.sealed IS NOT NULL
    AND (v.deletion_time IS NULL OR v.deletion_time > now())
  ORDER BY v.version DESC LIMIT 1
) v ON true
LEFT JOIN LATERAL (
  SELECT json_agg(known) AS entries FROM (
    SELECT e.id, e.sub_key AS "subKey", e.external_name AS "externalName", e.name_key AS "nameKey", e.held,
      encode(e.value_print, 'hex') AS "valuePrint", e.value_bytes AS "valueBytes", e.written_tags AS "writtenTags",
      e.reference, e.status, e.synced_version AS "syncedVersion",
      extract(epoch FROM now() - e.written_at) * 1000 AS "writtenMsAgo"
    FROM entries e WHERE e.association_id = a.id ORDER BY e.id
  ) known
) e ON true
WHERE a.id = ANY (?)`;

type Loaded = {
  id: number;
  removing: boolean;
  attempts: number;
  secret_path: string;
  namespace_id: string;
  namespace_path: string;
  mount_id: number;
  mount_path: string;
  accessor: string;
  destination_id: number;
  name: string;
  place: string;
  revision: number;
  granularity: 'secret-path' | 'secret-key';
  secret_name_template: string;
  custom_tags: Record<string, string>;
  conflict_policy: 'refuse' | 'overwrite' | 'adopt';
  deletion_policy: 'delete' | 'retain';
  secret_id: number | null;
  version: number;
  sealed: Buffer | null;
  deletion_time: Date | null;
  entries: LedgerEntry[] | null;
};

type ClaimOptions = { type: string; leaseMs: number; pace?: Pace | undefined };

/**
 * Claims due associations of destinations of a type for `leaseMs`; none of a throttled destination, none while syncing is
 * disabled.
 */
export async function claimWork(db: Database, demands: Demand[], options: ClaimOptions): Promise<Claim> {
  const { type, pace } = options;
  const known = demands.filter((demand) => demand.paced);
  const paced =
    pace && known.length > 0 ? await grantWrites(db, known, { type, pace }) : new Map<number, Grant>();
  const wanted = demands
    .map((demand) => ({ ...demand, slots: paced.get(demand.destinationId)?.granted ?? demand.slots }))
    .filter(({ slots }) => slots > 0);
  const orders = wanted.length > 0 ? await take(db, wanted, pace && [...paced.keys()], options) : [];
  const served = new Set(orders.map((order) => order.destination.id));
  const empty = demands.filter((demand) => !demand.paced && !served.has(demand.destinationId));
  if (pace && empty.length > 0)
    for (const [id, none] of await findPaced(db, empty, { type, pace })) paced.set(id, none);
  return { paced, orders };
}

async function take(
  db: Database,
  demands: Demand[],
  spaced: number[] | undefined,
  { type, leaseMs }: ClaimOptions,
): Promise<WorkOrder[]> {
  const claimed = await prepared<Claimed>(db, CLAIM, [
    demands.map((demand) => demand.destinationId),
    demands.map((demand) => demand.slots),
    spaced ?? [],
    type,
    spaced !== undefined,
    leaseMs,
  ]);
  if (claimed.length === 0) return [];
  const inherited = claimed.filter((row) => row.previous_lease !== null).map((row) => row.id);
  if (inherited.length > 0) await db.raw(DOUBT, [inherited]);
  const rows = await prepared<Loaded>(db, LOAD, [claimed.map((row) => row.id)]);
  const claims = new Map(claimed.map((row) => [row.id, row]));
  return rows.flatMap((row) => {
    const claim = claims.get(row.id);
    return claim ? [toOrder(row, claim)] : [];
  });
}

function toOrder(row: Loaded, claim: Claimed): WorkOrder {
  return {
    id: row.id,
    generation: claim.generation,
    leaseToken: claim.lease_token,
    removing: row.removing,
    attempts: row.attempts,
    namespace: { id: row.namespace_id, path: row.namespace_path },
    mount: { id: row.mount_id, path: row.mount_path, accessor: row.accessor },
    secretPath: row.secret_path,
    destination: {
      id: row.destination_id,
      name: row.name,
      place: row.place,
      revision: row.revision,
      granularity: row.granularity,
      template: row.secret_name_template,
      customTags: row.custom_tags,
      conflictPolicy: row.conflict_policy,
      deletionPolicy: row.deletion_policy,
    },
    source:
      row.secret_id === null
        ? null
        : {
            secretId: row.secret_id,
            version: row.version,
            sealed: row.sealed,
            deletionTime: row.deletion_time,
          },
    entries: row.entries ?? [],
  };
}
