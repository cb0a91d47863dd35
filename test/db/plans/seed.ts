import type pg from 'pg';

/** Rows of each large table. */
export const MANY = Number(process.env['ROWS'] ?? 30_000);

/** The destination that half of all links belong to. */
export const BIG = { type: 'cloud1-sm', name: 'big' };

/** Destinations of the largest namespace. */
export const DESTINATIONS = Math.max(1500, MANY / 100);

// Half of the links are of one destination; the others are spread over the rest. One in a hundred fails, one in a thousand
// was changed outside. Of the big destination, all but a thousand were checked for drift lately.
const STATEMENTS = [
  `INSERT INTO destinations (namespace_id, type, name, settings, container, granularity, secret_name_template, drift_check)
   SELECT 'root', 'cloud1-sm', CASE n WHEN 0 THEN 'big' ELSE 'bulk-' || lpad(n::text, 5, '0') END, '{"region": "eu-west-1"}',
     'bulk-container-' || n, 'secret-path', '{{ .SecretPath }}', n = 0
   FROM generate_series(0, ${DESTINATIONS}) n`,
  `INSERT INTO secrets (mount_id, path, current_version, oldest_version)
   SELECT m.id, 'many/' || lpad(n::text, 6, '0'), 1, 1
   FROM (SELECT id FROM mounts WHERE path = 'secret') m, generate_series(0, ${MANY} - 1) n`,
  `INSERT INTO secret_versions (secret_id, version, destroyed)
   SELECT id, 1, true FROM secrets WHERE path LIKE 'many/%'`,
  `WITH bulk AS (SELECT id, row_number() OVER (ORDER BY name) - 1 AS n FROM destinations WHERE container LIKE 'bulk-container-%'),
   made AS (
     INSERT INTO associations (namespace_id, destination_id, mount_id, secret_path, generation, synced_generation, due_at)
     SELECT 'root', bulk.id, m.id, 'many/' || lpad(k::text, 6, '0'), 1, 1, NULL
     FROM (SELECT id FROM mounts WHERE path = 'secret') m, generate_series(0, ${MANY} - 1) k
     JOIN bulk ON bulk.n = CASE WHEN k % 2 = 0 THEN 0 ELSE 1 + (k / 2) % ${DESTINATIONS} END
     RETURNING id, destination_id, mount_id, secret_path
   ), keys AS (
     INSERT INTO association_keys (association_id, destination_id, mount_id, secret_path, drift_checked_at)
     SELECT id, destination_id, mount_id, secret_path, CASE WHEN secret_path > 'many/002000' THEN now() END FROM made
   )
   INSERT INTO entries (association_id, destination_id, container, sub_key, external_name, name_key, owned, status, synced_version,
     cause, failing_since, drift, drift_since)
   SELECT made.id, d.id, d.container, '', secret_path, secret_path, true,
     CASE WHEN made.id % 100 = 0 THEN 'CLIENT_SIDE_ERROR' ELSE 'SYNCED' END, 1,
     CASE WHEN made.id % 100 = 0 THEN '{"class": "CLIENT_SIDE_ERROR", "code": "access_denied", "message": "Refused."}'::jsonb END,
     CASE WHEN made.id % 100 = 0 THEN now() END,
     CASE WHEN made.id % 1000 = 1 THEN '{"class": "DRIFTED", "code": "changed", "message": "Changed."}'::jsonb END,
     CASE WHEN made.id % 1000 = 1 THEN now() END
   FROM made JOIN destinations d ON d.id = made.destination_id`,
  `INSERT INTO sync_history (at, destination_id, mount_id, secret_path, sub_key, action, outcome, duration_ms)
   SELECT now() - n * interval '1 second', destination_id, mount_id, secret_path, '', 'update', 'succeeded', 5
   FROM (SELECT *, row_number() OVER () AS n FROM association_keys) k`,
  `INSERT INTO audit_events (at, accessor, actor, namespace, action, path, request_id, outcome, status)
   SELECT now() - (${MANY} - n) * interval '1 second', 'accessor-' || n % 100, 'token', '', 'secrets.read',
     'secret/data/many/' || lpad(n::text, 6, '0'), md5(n::text), 'succeeded', 200
   FROM generate_series(1, ${MANY}) n`,
  `INSERT INTO tokens (hash, accessor, namespace_id, display_name, policies, ttl_seconds, expires_at)
   SELECT sha256(n::text::bytea), 'bulk-' || n, 'root', 'token', '{default}', 3600, now() + interval '30 days'
   FROM generate_series(1, ${MANY}) n`,
  `INSERT INTO saml_assertions (hash, expires_at)
   SELECT sha256(n::text::bytea), now() + interval '1 hour' FROM generate_series(1, ${MANY}) n`,
  `INSERT INTO saml_requests (id, expires_at) SELECT 'bulk-' || n, now() + interval '1 hour' FROM generate_series(1, ${MANY}) n`,
  `INSERT INTO notifications (id, kind, happened_at, data)
   SELECT 'bulk-' || n, 'sync.failed', now() - n * interval '1 second', '{}' FROM generate_series(1, ${MANY}) n`,
  `INSERT INTO notification_deliveries (notification_id, channel, recipient, attempts, delivered_at)
   SELECT id, 'webhook', '', 1, happened_at FROM notifications WHERE id LIKE 'bulk-%'`,
  `INSERT INTO alert_deliveries (notification_id, channel, recipient, message_id, queued_at, attempts, delivered_at)
   SELECT id, 'webhook', '', id, happened_at, 1, happened_at FROM notifications WHERE id LIKE 'bulk-%'`,
  `INSERT INTO notify_failures (association_id, since, notified_at)
   SELECT association_id, now(), now() FROM entries WHERE cause IS NOT NULL`,
  `INSERT INTO rate_limits (key, points, expire) SELECT 'bulk-' || n, 1, 32503680000000 FROM generate_series(1, ${MANY}) n`,
  `INSERT INTO policies (namespace_id, name, document, source)
   SELECT 'root', 'bulk-' || n, '{"path": {}}', '{"path": {}}' FROM generate_series(1, 1500) n`,
];

/** Fills the tables that grow with an installation. */
export async function seed(client: pg.Client): Promise<void> {
  for (const statement of STATEMENTS) await client.query(statement);
  await client.query('ANALYZE');
}
