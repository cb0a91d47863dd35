/** Who changed what last; null where it was before this step, or where a process did it that does not know the step. */
export const authors = {
  name: '030-authors',
  sql: `
-- By a person: what workers note about a destination counts in updated_at alone.
ALTER TABLE destinations ADD COLUMN changed_at timestamptz, ADD COLUMN changed_by text;
ALTER TABLE settings ADD COLUMN changed_by text;
ALTER TABLE policies ADD COLUMN revision bigint NOT NULL DEFAULT 1, ADD COLUMN changed_by text;
ALTER TABLE policy_engine_versions ADD COLUMN revision bigint NOT NULL DEFAULT 1, ADD COLUMN changed_by text;
`,
  compatible: true,
};
