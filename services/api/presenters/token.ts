import type { TokenSurroundings } from '../../../libs/store/access/token-lists.ts';
import type { Token } from '../../../libs/store/access/tokens.ts';
import type { AuthAnswer, ListedTokenAnswer, TokenAnswer } from '../contract/tokens.ts';

/** What we tell about a token. `secret` is the secret of the token if the caller presented it, otherwise empty. */
export function presentToken(token: Token, secret: string): TokenAnswer {
  const isRoot = token.policies.includes('root') && token.parent_id === null;
  return {
    accessor: token.accessor,
    creation_time: Math.floor(token.created_at.getTime() / 1000),
    creation_ttl: token.ttl_seconds,
    display_name: token.display_name,
    entity_id: '',
    expire_time: token.expires_at?.toISOString() ?? null,
    explicit_max_ttl: token.explicit_max_ttl_seconds,
    id: secret,
    issue_time: token.created_at.toISOString(),
    meta: token.meta,
    num_uses: token.uses_left ?? 0,
    orphan: token.parent_id === null,
    path: isRoot ? 'auth/token/root' : token.path,
    policies: token.policies,
    renewable: token.renewable,
    ttl: remainingSeconds(token, Math.floor),
    type: 'service',
    ...(token.period_seconds > 0 ? { period: token.period_seconds } : {}),
    ...(token.role === null ? {} : { role: token.role }),
    ...(token.bound_cidrs.length > 0 ? { bound_cidrs: token.bound_cidrs } : {}),
    ...(token.namespace_path === '' ? {} : { namespace_path: `${token.namespace_path}/` }),
  };
}

/** A token in the list of tokens. Look-ups do not tell the rest: clients know what a look-up answers. */
export function presentListedToken(
  token: Token,
  surroundings: TokenSurroundings | undefined,
): ListedTokenAnswer {
  const used = token.last_used_at;
  const {
    created_by: maker = null,
    below = 0,
    sessions = 0,
    missing_policies: missing = [],
  } = surroundings ?? {};
  return {
    ...presentToken(token, ''),
    ...(used ? { last_used_time: used.toISOString() } : {}),
    ...(maker === null ? {} : { created_by: maker }),
    tokens_below: below,
    sessions,
    ...(missing.length > 0 ? { missing_policies: missing } : {}),
  };
}

/** The answer to a request that made or renewed a token. Only this answer shows the secret. */
export function presentAuth(token: Token, secret: string): AuthAnswer {
  return {
    client_token: secret,
    accessor: token.accessor,
    policies: token.policies,
    token_policies: token.policies,
    metadata: token.meta,
    lease_duration: remainingSeconds(token, Math.ceil),
    renewable: token.renewable,
    entity_id: '',
    token_type: 'service',
    orphan: token.parent_id === null,
    mfa_requirement: null,
    num_uses: token.uses_left ?? 0,
  };
}

// 0: never expires. A look-up rounds a part of a second down, so it shows only time that is certainly left. An answer
// that grants time rounds up.
function remainingSeconds({ remaining_seconds: seconds }: Token, round: (seconds: number) => number): number {
  return seconds === null ? 0 : Math.max(1, round(seconds));
}
