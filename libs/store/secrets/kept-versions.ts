/** SQL: how many versions of the secret `s` are kept in a mount whose limit is the parameter. The larger of both limits counts; 0: not set. */
export const KEPT_VERSIONS = 'coalesce(nullif(greatest(s.max_versions, ?::integer), 0), 10)';
