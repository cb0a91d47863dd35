import type { Migration } from './migration.ts';

/** By what people tell sessions apart: a browser and a system in words of ours, and the address it began from. */
export const sessionBrowsers: Migration = {
  name: '021-session-browsers',
  compatible: true,
  sql: `
ALTER TABLE sessions ADD COLUMN browser text, ADD COLUMN system text, ADD COLUMN address text;`,
};
