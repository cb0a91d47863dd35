/** Who changed a destination is found among all entries of the audit trail. */
export const destinationHistory = {
  name: '032-destination-history',
  sql: `
-- Of the few entries that are about destinations; all others cost nothing.
CREATE INDEX audit_events_destinations ON audit_events (namespace, path, id) WHERE path LIKE 'sys/sync/destinations/%';
`,
  compatible: true,
};
