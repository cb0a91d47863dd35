/** Every push updates rows of associations and entries, so these tables are vacuumed much earlier than by default. */
export const autovacuum = {
  name: '015-autovacuum',
  sql: `
-- The default waits for a fifth of the table; with millions of rows the dead ones would outgrow the live ones in the pages and
-- indexes that each claim reads. No pause between pages: what is small and often must not take long.
ALTER TABLE associations SET (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0, fillfactor = 80);
ALTER TABLE entries SET (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
`,
};
