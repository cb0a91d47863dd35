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
  -- The sensitive settings as JSON, sealed for 'destinations/{id}'; null where none is set.
  sealed_settings bytea,
  -- The external container, from the type's place(settings); kept here because the worker names entries without opening the settings.
  place text COLLATE "C" NOT NULL,
  granularity text NOT NULL,
  secret_name_template text NOT NULL,
  custom_tags jsonb NOT NULL DEFAULT '{}',
  conflict_policy text NOT NULL DEFAULT 'refuse',
  deletion_policy text NOT NULL DEFAULT 'delete',
  -- Bumped by every change; a worker's open session belongs to one revision.
  revision bigint NOT NULL DEFAULT 1,
  -- The store asked us to wait: nothing of the destination is claimed before.
  throttled_until timestamptz,
  -- For a while after that, writes are spaced as the store's documented limit says: until when, the time up to which
  -- they are given away, and how many the last claim was given.
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
  -- What is desired: bumped by every trigger in the transaction that causes it.
  generation bigint NOT NULL DEFAULT 1,
  -- What is true: the generation that was last pushed in full.
  synced_generation bigint NOT NULL DEFAULT 0,
  removing boolean NOT NULL DEFAULT false,
  -- When somebody shall look at the row next; while it is leased, when the lease ends. Null: nothing to do.
  due_at timestamptz DEFAULT now(),
  -- The fencing token of the claim that holds the row; null while nobody does.
  lease_token bigint,
  attempts integer NOT NULL DEFAULT 0,
  -- Why the last attempt failed as a whole: {class, code, message}.
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
  -- Where the name must be the only one: the external container, and the name as the store compares it. Null while another holds the name.
  place text COLLATE "C" NOT NULL,
  name_key text COLLATE "C",
  -- The ledger: we wrote the entry, or were about to when we were last heard of.
  held boolean NOT NULL DEFAULT false,
  -- Keyed fingerprint of the value that is out there; null where that is not certain.
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
