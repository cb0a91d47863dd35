/** Who deleted a version, and who changed a secret last: display names, null if not recorded. */
export const attribution = {
  name: '009-attribution',
  sql: `
ALTER TABLE secrets ADD COLUMN last_updated_by text;
ALTER TABLE secret_versions ADD COLUMN deleted_by text;
`,
  compatible: true,
};
