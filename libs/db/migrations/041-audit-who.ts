/** Who acted, from where, and on which secret; and indexes for the filters of the audit trail. */
export const auditWho = {
  name: '041-audit-who',
  sql: `
ALTER TABLE audit_events
  -- The person, if one has logged in; also for tokens that the person has made.
  ADD COLUMN username text,
  -- How the caller came in: 'token', 'session', 'saml', 'saml-session', 'wrapping'. Null: the service itself, or nobody.
  ADD COLUMN auth_method text,
  ADD COLUMN policies text[],
  ADD COLUMN address text,
  -- Mount and path of the secret, if the request is about one.
  ADD COLUMN secret text COLLATE "C";
-- Entries of older versions have none of the new columns, so these indexes are empty at first.
CREATE INDEX audit_events_username ON audit_events (username, id) WHERE username IS NOT NULL;
CREATE INDEX audit_events_address ON audit_events (address, id) WHERE address IS NOT NULL;
CREATE INDEX audit_events_secret ON audit_events (secret, id) WHERE secret IS NOT NULL;
CREATE INDEX audit_events_actor ON audit_events (actor, id);
CREATE INDEX audit_events_action ON audit_events (action, id);

-- Which secret a request is about may be known only at its end.
CREATE OR REPLACE FUNCTION keep_audit_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('sealift.retention', true) = 'on' THEN
    RETURN OLD;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    IF OLD.outcome = 'attempted' AND NEW.outcome <> 'attempted'
      AND (OLD.secret IS NULL OR NEW.secret IS NOT DISTINCT FROM OLD.secret)
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
