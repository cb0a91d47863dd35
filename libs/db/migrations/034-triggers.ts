/** What made an association due, and so what each attempt was for. */
export const triggers = {
  name: '034-triggers',
  sql: `
-- {cause, by, generation}: why, by whom, and for which generation; of no use once the generation is another one, because a
-- process that does not know the column raised it.
ALTER TABLE associations ADD COLUMN trigger jsonb;
-- {cause, by}; null where it is not known.
ALTER TABLE sync_history ADD COLUMN trigger jsonb;
`,
  compatible: true,
};
