/** An index that finds the changes of a destination among all audit entries. */
export const destinationHistory = {
  name: '032-destination-history',
  sql: `
-- Contains only the few entries about destinations. Other entries need no write to it.
CREATE INDEX audit_events_destinations ON audit_events (namespace, path, id) WHERE path LIKE 'sys/sync/destinations/%';
`,
  compatible: true,
};
