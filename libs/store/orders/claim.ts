import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';
import { CLAIMED_TRIGGER } from '../due/trigger.ts';
import { NEW_LEASE_TOKEN } from '../lease-token.ts';
import { loadOrders, type Claimed } from './load.ts';
import { MAY_CLAIM } from './may-claim.ts';
import type { WorkOrder } from './order.ts';
import {
  findRateLimited,
  reserveWrites,
  type ClaimRequest,
  type RateLimit,
  type WriteReservation,
} from './rate-limit.ts';

/** Claimed orders, and the write reservations of rate-limited destinations. */
export type Claim = {
  orders: WorkOrder[];
  reservations: Map<number, WriteReservation>;
  /** The destinations of these orders where more is due than was asked for. */
  more: Set<number>;
};

// One statement claims due rows of many destinations. If a due row has a lease token, its holder died or was too slow: a
// leased row becomes due only when its lease ends. `now()` is the database's clock, so the clocks of workers do not
// matter. The statement checks the type, because a notification may reach the wrong worker: that worker would send
// another type's credentials to its own store.
const CLAIM = `
WITH wanted AS MATERIALIZED (
  -- ORDER BY makes Postgres take these rows from the index, however many rows of a long queue are due.
  SELECT w.*, coalesce((
    SELECT true FROM associations due WHERE due.destination_id = w.destination_id AND due.due_at <= now()
    ORDER BY due.due_at, due.id OFFSET w.orders LIMIT 1
  ), false) AS has_more
  FROM unnest(?::bigint[], ?::int[]) AS w (destination_id, orders)
),
limited AS (SELECT unnest(?::bigint[]) AS id),
-- Destinations that failed as a whole and are due for another try, which this worker alone makes. The claim is for all
-- destinations, so it skips a locked row instead of waiting for it; a later claim takes that destination.
tried AS MATERIALIZED (
  SELECT d.id FROM destinations d WHERE d.id = ANY (?) AND d.failures > 0 AND d.probe_at <= now()
  FOR NO KEY UPDATE SKIP LOCKED
),
picked AS (
  SELECT due.id, due.lease_token AS previous_lease, d.id AS destination_id, d.failures, wanted.has_more
  FROM wanted
  JOIN destinations d ON d.id = wanted.destination_id AND d.type = ?
    AND ${MAY_CLAIM}
    AND (d.failures = 0 OR d.id IN (SELECT id FROM tried))
    -- A rate-limited destination is claimed only by the worker that reserved its next writes.
    AND (NOT ? OR d.rate_limit_expires_at IS NULL OR d.rate_limit_expires_at <= now() OR d.id IN (SELECT id FROM limited))
  CROSS JOIN LATERAL (
    SELECT a.id, a.lease_token FROM associations a
    WHERE a.destination_id = wanted.destination_id AND a.due_at <= now()
    ORDER BY a.due_at, a.id
    -- Where the destination failed as a whole, one association tries whether it works again.
    LIMIT CASE WHEN d.failures > 0 THEN 1 ELSE wanted.orders END
    FOR UPDATE SKIP LOCKED
  ) due
), probing AS (
  -- Keeps other workers from trying at the same time. If this worker vanishes, another one tries after the lease.
  UPDATE destinations SET probe_at = now() + ? * interval '1 millisecond'
  WHERE id IN (SELECT destination_id FROM picked WHERE failures > 0)
)
UPDATE associations a
SET lease_token = ${NEW_LEASE_TOKEN}, trigger = ${CLAIMED_TRIGGER}, later = false, due_at = now() + ? * interval '1 millisecond'
FROM picked
-- Names the keys again: Postgres does not know how many rows the parameter picks, expects a tenth of what is due, and would
-- read the whole table for each claim.
WHERE a.id = picked.id AND a.id = ANY (ARRAY (SELECT id FROM picked))
RETURNING a.id, a.generation, a.lease_token, a.destination_id, picked.previous_lease, picked.has_more`;

// The previous holder may have written anything without storing a result, and its last call may still take effect. The
// ledger records this, so it is not lost if this worker gets no further than the claim. Returns the associations with
// entries that another transaction has locked.
const INHERIT = `
WITH open AS MATERIALIZED (
  SELECT id FROM entries WHERE association_id = ANY (?) FOR NO KEY UPDATE SKIP LOCKED
), inherited AS (
  UPDATE entries SET value_fingerprint = NULL, written_at = now(), uncertain_at = now() WHERE id IN (SELECT id FROM open)
)
SELECT DISTINCT association_id AS id FROM entries WHERE association_id = ANY (?) AND id NOT IN (SELECT id FROM open)`;

// Claimed associations that cannot be pushed now become due again soon. They keep a lease token, so the next claim
// inherits them.
const LOCKED_AGAIN_MS = 1000;
const POSTPONE = `
UPDATE associations SET due_at = now() + ? * interval '1 millisecond' WHERE id IN (
  SELECT id FROM associations WHERE id = ANY (?) AND lease_token = ANY (?) FOR NO KEY UPDATE SKIP LOCKED)`;

type Taken = Claimed & { destination_id: number; previous_lease: number | null; has_more: boolean };

const NOTHING = { orders: [], more: new Set<number>() };

type ClaimOptions = { type: string; leaseMs: number; rateLimit?: RateLimit | undefined };

/**
 * Claims due associations of destinations of a type for `leaseMs`, as far as `MAY_CLAIM` lets it. Of a destination that
 * failed as a whole it claims one association, when the next probe is due.
 */
export async function claimWork(
  db: Database,
  requests: ClaimRequest[],
  options: ClaimOptions,
): Promise<Claim> {
  const { type, rateLimit } = options;
  const known = requests.filter((request) => request.isRateLimited);
  const reservations =
    rateLimit && known.length > 0
      ? await reserveWrites(db, known, { type, rateLimit })
      : new Map<number, WriteReservation>();
  const wanted = requests
    .map((request) => ({
      ...request,
      orders: reservations.get(request.destinationId)?.writes ?? request.orders,
    }))
    .filter(({ orders: wants }) => wants > 0);
  const { orders, more } =
    wanted.length > 0 ? await take(db, wanted, rateLimit && [...reservations.keys()], options) : NOTHING;
  const served = new Set(orders.map((order) => order.destination.id));
  const empty = requests.filter((request) => !request.isRateLimited && !served.has(request.destinationId));
  if (rateLimit && empty.length > 0)
    for (const [id, none] of await findRateLimited(db, empty, { type, rateLimit }))
      reservations.set(id, none);
  return { reservations, orders, more };
}

async function take(
  db: Database,
  requests: ClaimRequest[],
  limited: number[] | undefined,
  { type, leaseMs }: ClaimOptions,
): Promise<Pick<Claim, 'orders' | 'more'>> {
  const claimed = await prepared<Taken>(db, CLAIM, [
    requests.map((request) => request.destinationId),
    requests.map((request) => request.orders),
    limited ?? [],
    requests.map((request) => request.destinationId),
    type,
    limited !== undefined,
    leaseMs,
    leaseMs,
  ]);
  const more = new Set(claimed.filter((row) => row.has_more).map((row) => row.destination_id));
  return { orders: await loadClaimed(db, claimed), more };
}

async function loadClaimed(db: Database, claimed: Taken[]): Promise<WorkOrder[]> {
  if (claimed.length === 0) return [];
  const inherited = claimed.filter((row) => row.previous_lease !== null).map((row) => row.id);
  const locked = await inherit(db, inherited);
  if (locked.size === 0) return loadOrders(db, claimed);
  const kept = claimed.filter((row) => locked.has(row.id));
  await db.raw(POSTPONE, [LOCKED_AGAIN_MS, kept.map((row) => row.id), kept.map((row) => row.lease_token)]);
  return loadOrders(
    db,
    claimed.filter((row) => !locked.has(row.id)),
  );
}

async function inherit(db: Database, associationIds: number[]): Promise<Set<number>> {
  if (associationIds.length === 0) return new Set();
  const { rows } = await db.raw<{ rows: { id: number }[] }>(INHERIT, [associationIds, associationIds]);
  return new Set(rows.map(({ id }) => id));
}
