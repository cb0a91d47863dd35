/** Keeps the external changes that `verify` found, until the entry is written again or found unchanged. */
export const drift = {
  name: '031-drift',
  sql: `
ALTER TABLE entries
  -- What was found, as a cause: {class, code, message}; null if no difference is known.
  ADD COLUMN drift jsonb,
  ADD COLUMN drift_since timestamptz,
  -- Keyed fingerprint of the value that was found; null if there was none, or if the store returns no values.
  ADD COLUMN drift_print bytea;
CREATE INDEX entries_drift ON entries (destination_id) WHERE drift IS NOT NULL;
`,
  compatible: true,
};
