/** The audit trail, which only the retention job may shorten. */
export const auditTables = `
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
  detail jsonb,
  -- The person, if one has logged in; also for tokens that the person has made.
  username text,
  -- How the caller came in: 'token', 'session', 'saml', 'saml-session', 'wrapping'. Null: the service itself, or nobody.
  auth_method text,
  policies text[],
  address text,
  -- Mount and path of the secret, if the request is about one.
  secret text COLLATE "C",
  -- The mount of the secret: it keeps its id when it moves, and no other mount ever gets it. No reference: the entry
  -- outlives the mount.
  mount_id bigint,
  -- The path of the secret in the mount.
  secret_path text COLLATE "C"
) WITH (fillfactor = 90);
-- Entries arrive in order of time, so a BRIN index is enough. It makes writes no slower.
CREATE INDEX audit_events_at ON audit_events USING brin (at);
CREATE INDEX audit_events_accessor ON audit_events (accessor, id);
CREATE INDEX audit_events_request ON audit_events (request_id) WHERE request_id IS NOT NULL;
-- Contains only the few entries about destinations. Other entries need no write to it.
CREATE INDEX audit_events_destinations ON audit_events (namespace, path, id) WHERE path LIKE 'sys/sync/destinations/%';
CREATE INDEX audit_events_username ON audit_events (username, id) WHERE username IS NOT NULL;
CREATE INDEX audit_events_address ON audit_events (address, id) WHERE address IS NOT NULL;
CREATE INDEX audit_events_secret ON audit_events (secret, id) WHERE secret IS NOT NULL;
CREATE INDEX audit_events_actor ON audit_events (actor, id);
CREATE INDEX audit_events_action ON audit_events (action, id);
CREATE INDEX audit_events_of_secret ON audit_events (mount_id, secret_path, id) WHERE mount_id IS NOT NULL;

-- An entry gets its outcome once, and only the retention job deletes it (it sets sealift.retention). Everything else fails.
-- Which secret a request is about may be known only at its end.
CREATE FUNCTION keep_audit_events() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER audit_events_kept BEFORE UPDATE OR DELETE ON audit_events
  FOR EACH ROW EXECUTE FUNCTION keep_audit_events();
CREATE TRIGGER audit_events_not_truncated BEFORE TRUNCATE ON audit_events
  FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_events();
`;
