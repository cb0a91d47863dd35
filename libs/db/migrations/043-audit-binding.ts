/**
 * Binds audit entries to the secret itself: a mount keeps its id when it moves, and no other mount ever gets it. Keeps the
 * names of destinations that are gone, for their history.
 */
export const auditBinding = {
  name: '043-audit-binding',
  sql: `
ALTER TABLE audit_events
  -- The mount of the secret. No reference: the entry outlives the mount.
  ADD COLUMN mount_id bigint,
  -- The path of the secret in the mount.
  ADD COLUMN secret_path text COLLATE "C";
CREATE INDEX audit_events_of_secret ON audit_events (mount_id, secret_path, id) WHERE mount_id IS NOT NULL;

CREATE TABLE gone_destinations (
  id bigint PRIMARY KEY,
  type text NOT NULL,
  name text NOT NULL,
  gone_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX gone_destinations_at ON gone_destinations (gone_at);
CREATE FUNCTION remember_destination() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO gone_destinations (id, type, name) VALUES (OLD.id, OLD.type, OLD.name) ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER destinations_remembered AFTER DELETE ON destinations
  FOR EACH ROW EXECUTE FUNCTION remember_destination();

CREATE OR REPLACE FUNCTION keep_audit_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('sealift.retention', true) = 'on' THEN
    RETURN OLD;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    IF OLD.outcome = 'attempted' AND NEW.outcome <> 'attempted'
      AND (OLD.secret IS NULL OR NEW.secret IS NOT DISTINCT FROM OLD.secret)
      AND (OLD.mount_id IS NULL
        OR ROW(NEW.mount_id, NEW.secret_path) IS NOT DISTINCT FROM ROW(OLD.mount_id, OLD.secret_path))
      AND ROW(OLD.id, OLD.at, OLD.accessor, OLD.actor, OLD.namespace, OLD.action, OLD.path, OLD.request_id,
          OLD.username, OLD.auth_method, OLD.policies, OLD.address)
        IS NOT DISTINCT FROM
        ROW(NEW.id, NEW.at, NEW.accessor, NEW.actor, NEW.namespace, NEW.action, NEW.path, NEW.request_id,
          NEW.username, NEW.auth_method, NEW.policies, NEW.address)
    THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'audit entries are append-only' USING ERRCODE = 'integrity_constraint_violation';
END
$$;
`,
  compatible: true,
};
