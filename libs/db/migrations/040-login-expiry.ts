/** Finds the logins at the identity provider that have expired, among many that have not. */
export const loginExpiry = {
  name: '040-login-expiry',
  sql: `
CREATE INDEX saml_requests_expiry ON saml_requests (expires_at);
CREATE INDEX saml_assertions_expiry ON saml_assertions (expires_at);
`,
  compatible: true,
};
