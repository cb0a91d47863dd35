/** When an entry's last uncertain call was, and when its owner was last seen; lease tokens become random. */
export const uncertainWrites = {
  name: '012-uncertain-writes',
  sql: `
-- When a call was given up whose effect may still come, or may have come unnoticed; null once a later write is confirmed.
ALTER TABLE entries ADD COLUMN uncertain_at timestamptz;
-- When the store last said that the entry is ours.
ALTER TABLE entries ADD COLUMN owner_seen_at timestamptz;
UPDATE entries SET uncertain_at = now() WHERE value_print IS NULL AND written_at IS NOT NULL;
-- How long such a word of the store holds before an update, in seconds. 0: the store is asked before each.
ALTER TABLE destinations ADD COLUMN owner_check_seconds integer NOT NULL DEFAULT 0;
-- A failover may repeat the numbers of a sequence.
DROP SEQUENCE lease_tokens;
`,
};
