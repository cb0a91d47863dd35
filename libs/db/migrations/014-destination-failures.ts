/** Why a destination as a whole fails, and when a worker next probes whether it was fixed outside. */
export const destinationFailures = {
  name: '014-destination-failures',
  sql: `
ALTER TABLE destinations
  -- {class, code, message} of what a person or time must mend outside; null while none is known.
  ADD COLUMN failure jsonb,
  -- Failed looks in a row.
  ADD COLUMN failures integer NOT NULL DEFAULT 0,
  ADD COLUMN failed_at timestamptz,
  -- Nothing is claimed before; then one association tries.
  ADD COLUMN probe_at timestamptz;
`,
};
