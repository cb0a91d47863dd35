/** Every push updates rows of associations and entries, so these tables are vacuumed much earlier than by default. */
export const autovacuum = {
  name: '015-autovacuum',
  sql: `
-- By default, Postgres waits until a fifth of a table is dead rows. With millions of rows, the pages and indexes that each
-- claim reads would then contain more dead rows than live ones. The vacuum makes no pauses: it runs often, so it must be short.
ALTER TABLE associations SET (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0, fillfactor = 80);
ALTER TABLE entries SET (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
`,
};
