/** The job schedule, the keys that sign workload tokens, the master keys, and what proves lost writes. */
export const maintenanceTables = `
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

-- The master keys that have sealed values here, and since when.
CREATE TABLE master_keys (
  -- Identifies the key and reveals nothing about it.
  id bytea PRIMARY KEY,
  term integer NOT NULL UNIQUE,
  installed_at timestamptz NOT NULL DEFAULT now()
);

-- Identifies this history of the database: the first process that reaches a promoted server gives it a new id. The other
-- columns prove that a promoted server lacks acknowledged changes, and say what was decided about the loss.
CREATE TABLE database_branch (
  only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  -- The server that the row was written on; null until the first process connects.
  system text,
  timeline integer,
  -- Random, because two promoted standbys can have the same timeline.
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  began_at timestamptz NOT NULL DEFAULT now(),
  -- Incremented every second. If a process saw a higher number than a new branch inherited, writes were lost.
  counted bigint NOT NULL DEFAULT 0,
  counted_at timestamptz NOT NULL DEFAULT now(),
  inherited bigint NOT NULL DEFAULT 0,
  -- Whether commits waited for a standby at the last increment.
  synchronous boolean NOT NULL DEFAULT false,
  loss_found_at timestamptz,
  -- Null after a loss was found: changes are refused.
  loss_accepted_at timestamptz,
  -- Syncing was enabled when the loss was found. It is disabled until an operator decides.
  paused_sync boolean NOT NULL DEFAULT false,
  -- The stores may contain writes that this branch does not know.
  ledger_is_stale boolean NOT NULL DEFAULT false
);
INSERT INTO database_branch DEFAULT VALUES;
`;
