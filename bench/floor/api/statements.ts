const ROW = `
SELECT a.id, m.path AS mount, m.accessor, a.secret_path, a.generation, a.synced_generation, a.due_at, a.attempts, a.failure,
  a.failing_since, a.created_at, a.updated_at, e.entries
FROM association_keys k
JOIN associations a ON a.id = k.association_id
JOIN mounts m ON m.id = k.mount_id
LEFT JOIN LATERAL (
  SELECT json_agg(json_build_object('sub_key', sub_key, 'name', external_name, 'status', status, 'cause', cause,
    'version', synced_version, 'written_at', written_at)) AS entries
  FROM entries WHERE association_id = a.id
) e ON true`;

const DUE = `generation = a.generation + 1, due_at = CASE WHEN a.lease_token IS NULL THEN now() ELSE a.due_at END`;

/** The statements of the measured endpoints, by their names. */
export const statements = {
  destination: `
SELECT id, type, name, settings, container, granularity, secret_name_template, custom_tags, conflict_policy, deletion_policy,
  revision, owner_check_seconds, drift_check, created_at, updated_at
FROM destinations WHERE namespace_id = 'root' AND type = $1 AND name = $2`,

  page: `${ROW} WHERE k.destination_id = $1 ORDER BY m.accessor, k.secret_path LIMIT $2`,

  record: `${ROW} WHERE k.association_id = $1`,

  read: `
SELECT s.id, v.version, v.sealed, v.created_at, v.created_by, v.deletion_time, s.custom_metadata
FROM mounts m
JOIN secrets s ON s.mount_id = m.id AND s.path = $1
JOIN secret_versions v ON v.secret_id = s.id AND v.version = s.current_version
WHERE m.namespace_id = 'root' AND m.path = 'secret'`,

  bump: `
UPDATE secrets s SET current_version = current_version + 1, updated_at = now(), last_updated_by = 'bench'
FROM mounts m WHERE m.namespace_id = 'root' AND m.path = 'secret' AND s.mount_id = m.id AND s.path = $1
RETURNING s.id, s.current_version AS version`,

  insert: `
WITH dropped AS (DELETE FROM secret_versions WHERE secret_id = $1 AND version <= $2 - 10)
INSERT INTO secret_versions (secret_id, version, sealed, created_by) VALUES ($1, $2, $3, 'bench')`,

  trigger: `
UPDATE associations a SET ${DUE} FROM association_keys k, mounts m
WHERE m.namespace_id = 'root' AND m.path = 'secret' AND k.mount_id = m.id AND k.secret_path = $1 AND a.id = k.association_id`,

  link: `
UPDATE associations a SET removing = false, ${DUE} FROM association_keys k, mounts m
WHERE m.namespace_id = 'root' AND m.path = 'secret' AND k.mount_id = m.id AND k.secret_path = $2 AND k.destination_id = $1
  AND a.id = k.association_id
RETURNING a.id`,

  audit: `
INSERT INTO audit_events (actor, namespace, action, path, outcome, status) VALUES ('bench', '', $1, $2, 'succeeded', 200)`,
};
