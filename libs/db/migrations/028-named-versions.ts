/** Whether somebody named the version of a mount, which it then reads back. */
export const namedVersions = {
  name: '028-named-versions',
  sql: `
ALTER TABLE mounts ADD COLUMN names_version boolean NOT NULL DEFAULT true;
`,
  compatible: true,
};
