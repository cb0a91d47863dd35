/** Why a destination as a whole fails, and when a worker next probes whether it was fixed outside. */
export const destinationFailures = {
  name: '014-destination-failures',
  sql: `
ALTER TABLE destinations
  -- The failure that a person or time must fix outside, as {class, code, message}; null if none is known.
  ADD COLUMN failure jsonb,
  -- Consecutive failed probes.
  ADD COLUMN failures integer NOT NULL DEFAULT 0,
  ADD COLUMN failed_at timestamptz,
  -- Workers claim nothing before this time; then they push one association as a probe.
  ADD COLUMN probe_at timestamptz;
`,
};
