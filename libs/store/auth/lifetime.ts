import type { Database } from '../../db/connect.ts';
import { badRequest } from '../../errors/request-error.ts';
import type { Token } from '../access/tokens.ts';
import { lookUpAuthMount, logInPath, type AuthMount } from './mounts.ts';
import { findAuthRole, type TokenRules } from './roles.ts';

/** How long the token of a log-in lives, unless the role or the auth method says otherwise. */
export const DEFAULT_LOG_IN_SECONDS = 3600;

/** 768 hours: how long a token lives at most with all renewals, unless the role or the auth method says less. */
export const LONGEST_TOKEN_SECONDS = 768 * 3600;

/** Seconds; `most`: with all renewals. */
type Lifetime = { ttl: number; most: number };

/** The lifetime of the tokens of a role. */
export function lifetimeOf({ tuning }: Pick<AuthMount, 'tuning'>, rules: TokenRules): Lifetime {
  const limits = [rules.token_max_ttl, rules.token_explicit_max_ttl, tuning.max_lease_ttl ?? 0];
  const most = Math.min(LONGEST_TOKEN_SECONDS, ...limits.filter((limit) => limit > 0));
  const wanted = rules.token_ttl || tuning.default_lease_ttl || DEFAULT_LOG_IN_SECONDS;
  return { ttl: Math.min(wanted, most), most };
}

/**
 * For a renewal: what its role and auth method say now about the token of a log-in; undefined for other tokens. Throws 400
 * if they are gone.
 */
export async function findLogInLifetime(
  db: Database,
  { path, namespace_id: namespaceId, role }: Pick<Token, 'path' | 'namespace_id' | 'role'>,
): Promise<Lifetime | undefined> {
  const [, inside] = /^auth\/(?!token\/)(.+)\/login$/.exec(path) ?? [];
  if (inside === undefined) return undefined;
  const mount = await lookUpAuthMount(db, namespaceId, inside);
  const isSame = mount && logInPath(mount) === path;
  const found = isSame ? await findAuthRole(db, mount.id, role ?? '') : undefined;
  if (!mount || !found) throw badRequest(`role ${JSON.stringify(role)} does not exist during renewal`);
  return lifetimeOf(mount, found.settings);
}
