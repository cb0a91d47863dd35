/** Destinations and the switch of syncing. */
export const destinationsTables = `
CREATE TABLE sync_config (
  only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  disabled boolean NOT NULL DEFAULT false,
  queue_capacity integer NOT NULL DEFAULT 1000000
);
INSERT INTO sync_config DEFAULT VALUES;

CREATE TABLE destinations (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Null: the destination is deleted. Nobody can find it, and a job removes its rows in batches.
  namespace_id text REFERENCES namespaces,
  type text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  settings jsonb NOT NULL,
  -- The sensitive settings as JSON, sealed for 'destinations/{id}'; null if none is set.
  sealed_settings bytea,
  -- It follows from the settings, but is stored: workers name entries without unsealing the settings.
  container text COLLATE "C" NOT NULL,
  granularity text NOT NULL,
  secret_name_template text NOT NULL,
  custom_tags jsonb NOT NULL DEFAULT '{}',
  conflict_policy text NOT NULL DEFAULT 'refuse',
  deletion_policy text NOT NULL DEFAULT 'delete',
  -- Each change increments it. A worker's session belongs to one revision.
  revision bigint NOT NULL DEFAULT 1,
  -- The store asked us to wait: workers claim nothing of the destination before this time.
  throttled_until timestamptz,
  -- For a while after that, workers reserve writes at the store's documented rate: until when they do so, the end of
  -- the reserved time, and how many writes the last claim reserved.
  rate_limit_expires_at timestamptz,
  rate_limit_reserved_until timestamptz,
  rate_limit_reserved_writes integer,
  purge_initiated_at timestamptz,
  purge_error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- Whether a daily job verifies the entries.
  drift_check boolean NOT NULL DEFAULT false,
  -- How many seconds a store's answer about the owner of an entry stays valid for an update. 0: the worker asks the store
  -- before each update.
  owner_check_seconds integer NOT NULL DEFAULT 0,
  -- Why the destination as a whole fails: a person or time must fix it outside, as {class, code, message}; null if no such
  -- failure is known.
  failure jsonb,
  -- Consecutive failed probes.
  failures integer NOT NULL DEFAULT 0,
  failed_at timestamptz,
  -- Workers claim nothing before this time; then they push one association as a probe.
  probe_at timestamptz,
  -- What the store gets if the newest version of a secret was deleted or has expired: the version before it, or nothing.
  on_latest_deleted text NOT NULL DEFAULT 'previous',
  -- A change of all rows of a destination is made in batches. The last change has reached the associations up to this id;
  -- null: all of them. Workers claim nothing of the destination until it is null.
  rollout_after bigint,
  -- If the change leads to another container: what happens to the entries of the other associations ('follow', 'ask' or
  -- 'trust'). Null: they keep their container.
  rollout_move text,
  -- When the current series of failures began; null if there is none.
  failing_since timestamptz,
  -- The last change by a person. A worker's update changes only updated_at.
  changed_at timestamptz,
  changed_by text,
  UNIQUE (namespace_id, type, name)
);
CREATE INDEX destinations_type ON destinations (type);

-- The names of deleted destinations, for their history.
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
`;
