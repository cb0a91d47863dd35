/** Which secret a wrapped answer holds, so that the audit trail can name it when it is fetched. */
export const wrappedSecret = {
  name: '044-wrapped-secret',
  sql: `
ALTER TABLE wrapped_responses
  ADD COLUMN secret text,
  ADD COLUMN mount_id bigint,
  ADD COLUMN secret_path text;
`,
  compatible: true,
};
