/** Custom metadata of a namespace. */
export const namespaceMetadata = {
  name: '023-namespace-metadata',
  sql: `
ALTER TABLE namespaces ADD COLUMN custom_metadata jsonb NOT NULL DEFAULT '{}';
`,
  compatible: true,
};
