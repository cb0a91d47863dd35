/**
 * The audit trail, the state of the job schedule, the keys that sign workload tokens, and the columns of the drift check.
 */
export const maintenance = {
  name: '005-maintenance',
  sql: `
CREATE TABLE audit_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  -- Who: the accessor of the token; null if the service acted by itself.
  accessor text,
  actor text NOT NULL,
  namespace text COLLATE "C" NOT NULL,
  -- What: the route or the job, and the path. The path contains names only.
  action text COLLATE "C" NOT NULL,
  path text COLLATE "C" NOT NULL,
  request_id text,
  -- The row is written before the change. It stays 'attempted' if the process died before it could record the outcome.
  outcome text NOT NULL DEFAULT 'attempted' CHECK (outcome IN ('attempted', 'succeeded', 'refused', 'failed')),
  status smallint,
  detail jsonb
) WITH (fillfactor = 90);
-- Entries arrive in order of time, so a BRIN index is enough. It makes writes no slower.
CREATE INDEX audit_events_at ON audit_events USING brin (at);
CREATE INDEX audit_events_accessor ON audit_events (accessor, id);
CREATE INDEX audit_events_request ON audit_events (request_id) WHERE request_id IS NOT NULL;

-- An entry gets its outcome once, and only the retention job deletes it (it sets sealift.retention). Everything else fails.
CREATE FUNCTION keep_audit_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('sealift.retention', true) = 'on' THEN
    RETURN OLD;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    IF OLD.outcome = 'attempted' AND NEW.outcome <> 'attempted'
      AND ROW(OLD.id, OLD.at, OLD.accessor, OLD.actor, OLD.namespace, OLD.action, OLD.path, OLD.request_id)
        IS NOT DISTINCT FROM
        ROW(NEW.id, NEW.at, NEW.accessor, NEW.actor, NEW.namespace, NEW.action, NEW.path, NEW.request_id)
    THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'audit entries are append-only' USING ERRCODE = 'integrity_constraint_violation';
END
$$;
CREATE TRIGGER audit_events_kept BEFORE UPDATE OR DELETE ON audit_events
  FOR EACH ROW EXECUTE FUNCTION keep_audit_events();
CREATE TRIGGER audit_events_not_truncated BEFORE TRUNCATE ON audit_events
  FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_events();

CREATE TABLE jobs (
  name text PRIMARY KEY,
  -- The scheduled time that the last run was for; null if the job never ran.
  slot_at timestamptz,
  finished_at timestamptz,
  outcome text,
  summary jsonb
);

CREATE TABLE oidc_keys (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kid text NOT NULL UNIQUE,
  public_jwk jsonb NOT NULL,
  -- The private JWK, sealed for 'oidc_keys/{kid}'.
  sealed_private_jwk bytea NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE TABLE oidc_timers (
  only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  last_rotated_at timestamptz,
  -- When a newer key replaced the oldest published key; null if there is nothing to trim.
  superseded_at timestamptz,
  last_trimmed_at timestamptz
);
INSERT INTO oidc_timers DEFAULT VALUES;

-- Whether a daily job verifies the external entries of a destination, and when it last did.
ALTER TABLE destinations ADD COLUMN drift_check boolean NOT NULL DEFAULT false;
ALTER TABLE associations ADD COLUMN drift_checked_at timestamptz;
`,
};
