/** An index that finds the attempts at one secret at all destinations. It takes the place of one by destination. */
export const historyOfSecret = {
  name: '042-history-of-secret',
  sql: `
CREATE INDEX sync_history_of_secret ON sync_history (mount_id, secret_path, destination_id, id);
DROP INDEX sync_history_secret;
`,
  compatible: true,
};
