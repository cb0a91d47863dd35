import type { Migration } from './migration.ts';

/** What asks a cluster whether the tokens of its pods are valid. */
export const tokenReviewers: Migration = {
  name: '012-token-reviewers',
  compatible: true,
  sql: `
-- Only of \`kubernetes\`: the token that asks the cluster, sealed for \`auth_mounts/{id}\`; null: there is none.
ALTER TABLE auth_mounts ADD COLUMN sealed_token_reviewer bytea;`,
};
