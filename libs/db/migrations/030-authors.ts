/** The author of the last change; null for changes before this step, or by a process that does not know the step. */
export const authors = {
  name: '030-authors',
  sql: `
-- The last change by a person. A worker's update of a destination changes only updated_at.
ALTER TABLE destinations ADD COLUMN changed_at timestamptz, ADD COLUMN changed_by text;
ALTER TABLE settings ADD COLUMN changed_by text;
ALTER TABLE policies ADD COLUMN revision bigint NOT NULL DEFAULT 1, ADD COLUMN changed_by text;
ALTER TABLE policy_engine_versions ADD COLUMN revision bigint NOT NULL DEFAULT 1, ADD COLUMN changed_by text;
`,
  compatible: true,
};
