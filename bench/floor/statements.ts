import { randomBytes, randomInt } from 'node:crypto';
import pg from 'pg';

/** A due association with its entry. */
export type Order = {
  id: string;
  destination: string;
  entry: string;
  name: string;
  reference: string | null;
  version: number;
  sealed: Buffer;
};

const CLAIM = `
WITH picked AS (
  SELECT id FROM associations WHERE destination_id = ANY ($1) AND due_at <= now()
  ORDER BY due_at, id LIMIT $2 FOR UPDATE SKIP LOCKED
)
UPDATE associations a SET lease_token = $3, due_at = now() + interval '60 s'
FROM picked WHERE a.id = picked.id AND a.id = ANY (ARRAY (SELECT id FROM picked)) RETURNING a.id`;

const LOAD = `
SELECT a.id, a.destination_id AS destination, e.id AS entry, e.external_name AS name, e.reference, v.version, v.sealed
FROM associations a
CROSS JOIN LATERAL (
  SELECT s.id, s.current_version FROM secrets s WHERE s.mount_id = a.mount_id AND s.path = a.secret_path LIMIT 1
) s
JOIN secret_versions v ON v.secret_id = s.id AND v.version = s.current_version
JOIN entries e ON e.association_id = a.id
WHERE a.id = ANY ($1)`;

const STORE = `
WITH stored AS (
  UPDATE associations SET lease_token = NULL, synced_generation = generation, due_at = NULL, attempts = 0, updated_at = now()
  WHERE id = ANY ($1)
  RETURNING id, destination_id, mount_id, secret_path
), ledger AS (
  UPDATE entries e SET status = 'SYNCED', value_fingerprint = decode(x.fingerprint, 'hex'), synced_version = x.version,
    written_at = now(), uncertain_at = NULL, owner_seen_at = now(), updated_at = now()
  FROM unnest($2::bigint[], $3::int[], $4::text[]) AS x (id, version, fingerprint)
  WHERE e.id = x.id AND e.id = ANY ($2)
)
INSERT INTO sync_history (destination_id, mount_id, secret_path, sub_key, action, source_version, outcome, duration_ms)
SELECT stored.destination_id, stored.mount_id, stored.secret_path, '', 'update', x.version, 'succeeded', 0
FROM unnest($1::bigint[], $3::int[]) AS x (id, version) JOIN stored ON stored.id = x.id`;

/** The three statements of a push, over connections of their own. */
export type Statements = {
  /** Claims and loads due associations of these destinations. */
  claim: (destinations: number[], most: number) => Promise<Order[]>;
  /** Stores that the writes succeeded. */
  store: (orders: Order[]) => Promise<void>;
};

/** Plain pg; each connection prepares each statement once. It ends with the process, or with its database. */
export function openStatements(connectionString: string): Statements {
  const pool = new pg.Pool({ connectionString, max: 3 });
  // The database of a measure is dropped when the measure ends.
  pool.on('error', () => undefined);
  return {
    claim: async (destinations, most) => {
      const values = [destinations, most, randomInt(2 ** 40)];
      const claimed = await pool.query<{ id: string }>({ name: 'claim', text: CLAIM, values });
      if (claimed.rows.length === 0) return [];
      const ids = claimed.rows.map(({ id }) => id);
      return (await pool.query<Order>({ name: 'load', text: LOAD, values: [ids] })).rows;
    },
    store: async (orders) => {
      const values = [
        orders.map(({ id }) => id),
        orders.map(({ entry }) => entry),
        orders.map(({ version }) => version),
        orders.map(() => randomBytes(32).toString('hex')),
      ];
      await pool.query({ name: 'store', text: STORE, values });
    },
  };
}
