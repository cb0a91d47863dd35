/** Shapes of the answers about tokens, audit and versions. There are only types here, so an import loads nothing. Times are RFC 3339. */

/** `id` is the secret of the token if the caller presented it, otherwise empty. `ttl` is in seconds; 0: never expires. */
export type TokenAnswer = {
  accessor: string;
  creation_time: number;
  creation_ttl: number;
  display_name: string;
  entity_id: string;
  expire_time: string | null;
  explicit_max_ttl: number;
  id: string;
  issue_time: string;
  meta: Record<string, string> | null;
  num_uses: number;
  orphan: boolean;
  path: string;
  policies: string[];
  renewable: boolean;
  ttl: number;
  type: string;
  period?: number;
  role?: string;
  bound_cidrs?: string[];
  namespace_path?: string;
};

/** A token of the list also tells its last use, which a look-up does not. */
export type ListedTokenAnswer = TokenAnswer & { last_used_time?: string };

export type TokensAnswer = { tokens: ListedTokenAnswer[]; next_before: number | null };

export type PolicyAnswer = { policy: string };

/**
 * `detail` has names only, never a value. `user`: the person who has logged in; `auth-method`: how the caller came in.
 * Entries of older versions have null instead.
 */
export type AuditEventAnswer = {
  id: string;
  type: string;
  attributes: {
    at: string;
    user: string | null;
    actor: string;
    accessor: string | null;
    'auth-method': string | null;
    policies: string[] | null;
    address: string | null;
    namespace: string;
    action: string;
    path: string;
    secret: string | null;
    outcome: string;
    status: number | null;
    'request-id': string | null;
    detail: Record<string, unknown> | null;
  };
};

/** `url` and `sha` are those of linux/amd64; null if there is no such build. */
export type PolicyEngineVersionAnswer = {
  id: string;
  type: string;
  attributes: {
    version: string;
    url: string | null;
    sha: string | null;
    deprecated: boolean;
    'deprecated-reason': string | null;
    official: boolean;
    enabled: boolean;
    beta: boolean;
    usage: number;
    'created-at': string;
    archs: { url: string; sha: string; os: string; arch: string }[];
  };
  meta: { revision: string; 'changed-at': string | null; 'changed-by': string | null };
};
