/** Associations (the work orders), entries (the ledger of external entries), and the history of attempts. */
export const associationsTables = `
CREATE TABLE associations (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- That of its destination. A reference would prevent the deletion of a namespace whose destinations are deleted.
  namespace_id text NOT NULL,
  destination_id bigint NOT NULL,
  mount_id bigint NOT NULL,
  secret_path text COLLATE "C" NOT NULL,
  -- The wanted state: each trigger increments it, in its own transaction.
  generation bigint NOT NULL DEFAULT 1,
  -- The present state: the last generation that was pushed completely.
  synced_generation bigint NOT NULL DEFAULT 0,
  removing boolean NOT NULL DEFAULT false,
  -- When a worker next processes the row. During a lease, the end of the lease. Null: nothing to do.
  due_at timestamptz DEFAULT now(),
  -- The fencing token of the claim that has the row, a random number; null if no claim has it.
  lease_token bigint,
  attempts integer NOT NULL DEFAULT 0,
  -- Why the last attempt failed for all entries: {class, code, message}.
  failure jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  drift_checked_at timestamptz,
  -- When the current series of failures began; null if there is none.
  failing_since timestamptz,
  -- What made the association due: {cause, by, generation}. It counts only for that generation.
  trigger jsonb
  -- Every push updates rows of associations and entries, so these tables are vacuumed much earlier than by default. By
  -- default, Postgres waits until a fifth of a table is dead rows. With millions of rows, the pages and indexes that each
  -- claim reads would then contain more dead rows than live ones. The vacuum makes no pauses: it runs often, so it must be
  -- short. The fill factor leaves room on the page for the new version of a row (HOT).
) WITH (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0, fillfactor = 80);
CREATE INDEX associations_due ON associations (destination_id, due_at, id) WHERE due_at IS NOT NULL;
-- A job searches for failures every minute. The index is empty if nothing fails.
CREATE INDEX associations_failing ON associations (id) WHERE failure IS NOT NULL;

-- The lookup keys of associations. Every push updates its association twice and changes when it is due, so Postgres would
-- update every index of that table each time; indexes over paths there took a fifth of its time.
CREATE TABLE association_keys (
  association_id bigint PRIMARY KEY REFERENCES associations ON DELETE CASCADE,
  destination_id bigint NOT NULL REFERENCES destinations,
  mount_id bigint NOT NULL REFERENCES mounts,
  secret_path text COLLATE "C" NOT NULL,
  UNIQUE (destination_id, mount_id, secret_path)
);
CREATE INDEX association_keys_secret ON association_keys (mount_id, secret_path);
CREATE INDEX association_keys_destination ON association_keys (destination_id, association_id);

CREATE TABLE entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  association_id bigint NOT NULL REFERENCES associations ON DELETE CASCADE,
  destination_id bigint NOT NULL REFERENCES destinations,
  sub_key text COLLATE "C" NOT NULL,
  external_name text COLLATE "C" NOT NULL,
  -- The container, and the name as the store compares it. Together they are unique. The name is null while another entry
  -- has it.
  container text COLLATE "C" NOT NULL,
  name_key text COLLATE "C",
  -- The ledger: we wrote the entry, or recorded that we were about to write it.
  owned boolean NOT NULL DEFAULT false,
  -- Keyed fingerprint of the external value; null if that value is uncertain.
  value_fingerprint bytea,
  value_bytes integer,
  written_tags jsonb,
  reference text,
  status text NOT NULL DEFAULT 'PENDING',
  cause jsonb,
  synced_version integer,
  written_at timestamptz,
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- The time of the last call that was given up and may have taken effect, or may still do so. Null once a later write is
  -- confirmed.
  uncertain_at timestamptz,
  -- When the store last confirmed that the entry is ours.
  owner_seen_at timestamptz,
  -- The name that the entry waits for while another entry has it. With it, entries that wait for each other can swap names.
  wanted_key text COLLATE "C",
  -- When the current series of failures began; null if there is none.
  failing_since timestamptz,
  -- The external change that a check found, as a cause: {class, code, message}. It stays until the entry is written again
  -- or found unchanged. Null if no difference is known.
  drift jsonb,
  drift_since timestamptz,
  -- Keyed fingerprint of the value that was found; null if there was none, or if the store returns no values.
  drift_fingerprint bytea,
  UNIQUE (association_id, sub_key, external_name),
  UNIQUE (container, name_key)
) WITH (
  fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX entries_destination ON entries (destination_id);
CREATE INDEX entries_failing ON entries (association_id) WHERE cause IS NOT NULL;
-- Finds the associations that wait for a name, once that name is free.
CREATE INDEX entries_wanted ON entries (container, wanted_key) WHERE wanted_key IS NOT NULL;
CREATE INDEX entries_drift ON entries (destination_id) WHERE drift IS NOT NULL;

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
  duration_ms integer NOT NULL,
  -- What caused the attempt: {cause, by}; null if it is not known.
  trigger jsonb
);
CREATE INDEX sync_history_at ON sync_history (at);
-- Finds the attempts at one secret, at all destinations or at one.
CREATE INDEX sync_history_of_secret ON sync_history (mount_id, secret_path, destination_id, id);
`;
