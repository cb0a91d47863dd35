/** When an entry's last uncertain call was, and when its owner was last seen; lease tokens become random. */
export const uncertainWrites = {
  name: '012-uncertain-writes',
  sql: `
-- The time of the last call that was given up and may have taken effect, or may still do so. Null once a later write is
-- confirmed.
ALTER TABLE entries ADD COLUMN uncertain_at timestamptz;
-- When the store last confirmed that the entry is ours.
ALTER TABLE entries ADD COLUMN owner_seen_at timestamptz;
UPDATE entries SET uncertain_at = now() WHERE value_print IS NULL AND written_at IS NOT NULL;
-- How many seconds that answer stays valid for an update. 0: the worker asks the store before each update.
ALTER TABLE destinations ADD COLUMN owner_check_seconds integer NOT NULL DEFAULT 0;
-- After a failover a sequence may return the same numbers again, so lease tokens are random now.
DROP SEQUENCE lease_tokens;
`,
};
