/** Whether the version of a mount was given explicitly; such a mount shows it in answers. */
export const namedVersions = {
  name: '028-named-versions',
  sql: `
ALTER TABLE mounts ADD COLUMN names_version boolean NOT NULL DEFAULT true;
`,
  compatible: true,
};
