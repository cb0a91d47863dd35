/** First segments of paths that belong to the API. No mount may have such a name. */
export const RESERVED_SEGMENTS = new Set([
  'sys',
  'auth',
  'api',
  'v1',
  'ui',
  'docs',
  'health',
  'users',
  'identity',
  'cubbyhole',
  'openapi.json',
  'metrics',
  '.well-known',
]);
