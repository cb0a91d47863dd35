/** Destinations, associations (the work orders), entries (the ledger of external entries) and the history of attempts. */
export const sync = {
  name: '003-sync',
  sql: `
CREATE TABLE sync_config (
  only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  disabled boolean NOT NULL DEFAULT false,
  queue_capacity integer NOT NULL DEFAULT 1000000
);
INSERT INTO sync_config DEFAULT VALUES;

CREATE TABLE destinations (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  namespace_id text NOT NULL REFERENCES namespaces,
  type text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  settings jsonb NOT NULL,
  -- The sensitive settings as JSON, sealed for 'destinations/{id}'; null if none is set.
  sealed_settings bytea,
  -- The external container. It follows from the settings, but is stored: workers name entries without unsealing the settings.
  place text COLLATE "C" NOT NULL,
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
  pace_expires_at timestamptz,
  paced_until timestamptz,
  pace_granted integer,
  purge_initiated_at timestamptz,
  purge_error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (namespace_id, type, name)
);
CREATE INDEX destinations_type ON destinations (type);

CREATE TABLE associations (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  namespace_id text NOT NULL REFERENCES namespaces,
  destination_id bigint NOT NULL REFERENCES destinations,
  mount_id bigint NOT NULL REFERENCES mounts,
  secret_path text COLLATE "C" NOT NULL,
  -- The wanted state: each trigger increments it, in its own transaction.
  generation bigint NOT NULL DEFAULT 1,
  -- The present state: the last generation that was pushed completely.
  synced_generation bigint NOT NULL DEFAULT 0,
  removing boolean NOT NULL DEFAULT false,
  -- When a worker next processes the row. During a lease, the end of the lease. Null: nothing to do.
  due_at timestamptz DEFAULT now(),
  -- The fencing token of the claim that holds the row; null if no claim does.
  lease_token bigint,
  attempts integer NOT NULL DEFAULT 0,
  -- Why the last attempt failed for all entries: {class, code, message}.
  failure jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (destination_id, mount_id, secret_path)
);
CREATE INDEX associations_due ON associations (destination_id, due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX associations_secret ON associations (mount_id, secret_path);
CREATE INDEX associations_namespace ON associations (namespace_id, mount_id, secret_path);
CREATE SEQUENCE lease_tokens;

CREATE TABLE entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  association_id bigint NOT NULL REFERENCES associations ON DELETE CASCADE,
  destination_id bigint NOT NULL REFERENCES destinations,
  sub_key text COLLATE "C" NOT NULL,
  external_name text COLLATE "C" NOT NULL,
  -- The external container, and the name as the store compares it. Together they are unique. The name is null while another
  -- entry has it.
  place text COLLATE "C" NOT NULL,
  name_key text COLLATE "C",
  -- The ledger: we wrote the entry, or recorded that we were about to write it.
  held boolean NOT NULL DEFAULT false,
  -- Keyed fingerprint of the external value; null if that value is uncertain.
  value_print bytea,
  value_bytes integer,
  written_tags jsonb,
  reference text,
  status text NOT NULL DEFAULT 'PENDING',
  cause jsonb,
  synced_version integer,
  written_at timestamptz,
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (association_id, sub_key, external_name),
  UNIQUE (place, name_key)
);
CREATE INDEX entries_destination ON entries (destination_id);

CREATE TABLE sync_history (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  destination_id bigint NOT NULL,
  mount_id bigint NOT NULL,
  secret_path text COLLATE "C" NOT NULL,
  sub_key text NOT NULL,
  action text NOT NULL,
  source_version integer,
  outcome text NOT NULL,
  cause jsonb,
  duration_ms integer NOT NULL
);
CREATE INDEX sync_history_secret ON sync_history (destination_id, mount_id, secret_path, id);
CREATE INDEX sync_history_at ON sync_history (at);
`,
};
