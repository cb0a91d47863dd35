/** What made an association due, and so what each attempt was for. */
export const triggers = {
  name: '034-triggers',
  sql: `
-- What made the association due: {cause, by, generation}. It counts only for that generation: a process of an older version
-- raises the generation without writing this column.
ALTER TABLE associations ADD COLUMN trigger jsonb;
-- What caused the attempt: {cause, by}; null if it is not known.
ALTER TABLE sync_history ADD COLUMN trigger jsonb;
`,
  compatible: true,
};
