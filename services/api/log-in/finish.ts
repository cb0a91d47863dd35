import { FOREIGN_KEY_VIOLATION, isSqlState } from '../../../libs/db/sql-state.ts';
import { transact } from '../../../libs/db/transact.ts';
import type { Database } from '../../../libs/db/connect.ts';
import { permissionDenied } from '../../../libs/errors/request-error.ts';
import { lifetimeOf } from '../../../libs/store/auth/lifetime.ts';
import { lockAuthMount, logInPath, type AuthMount } from '../../../libs/store/auth/mounts.ts';
import type { AuthRole } from '../../../libs/store/auth/roles.ts';
import { createToken, findTokenByAccessor, newAccessor } from '../../../libs/store/access/tokens.ts';
import { isWithinCidrs } from '../access/bound-cidrs.ts';
import { presentAuth } from '../presenters/token.ts';
import type { ApiRequest, Reply } from '../routing/endpoint.ts';
import { LogInRefusal } from './failures.ts';

/**
 * Who has proven to be allowed to log in; `user`: the name behind that of the auth method. `spend`: uses the credential up,
 * in the transaction that makes the token; it throws if there is nothing left to use.
 */
export type VerifiedLogIn = {
  mount: AuthMount;
  role: Pick<AuthRole, 'name' | 'settings'>;
  user: string;
  metadata: Record<string, string>;
  boundCidrs?: string[];
  spend?: (transaction: Database) => Promise<void>;
};

/** Makes the token of a log-in. Throws LogInRefusal if the role does not allow the address. The audit trail has who came in, at which auth method and by which role, before that. */
export async function finishLogIn(request: ApiRequest, verified: VerifiedLogIn): Promise<Reply<never>> {
  const { services, note, identified } = request;
  const { mount, role, user, metadata, spend } = verified;
  const { settings } = role;
  const boundCidrs = verified.boundCidrs?.length ? verified.boundCidrs : settings.token_bound_cidrs;
  note({ mount: mount.path, role: role.name });
  if (!isWithinCidrs(request.address, boundCidrs))
    throw new LogInRefusal('wrong address', permissionDenied());
  const accessor = newAccessor();
  const displayName = `${mount.path.replaceAll('/', '-')}-${user}`;
  const defaults = settings.token_no_default_policy ? [] : ['default'];
  const policies = [...new Set([...settings.token_policies, ...defaults])].toSorted();
  const { ttl } = lifetimeOf(mount, settings);
  note({ user, ttl_seconds: ttl });
  await identified({ accessor, actor: displayName, authMethod: mount.type, policies });
  const token = {
    accessor,
    namespaceId: mount.namespace_id,
    parentId: null,
    displayName,
    policies,
    meta: metadata,
    renewable: true,
    ttlSeconds: ttl,
    explicitMaxTtlSeconds: settings.token_explicit_max_ttl,
    boundCidrs,
    role: role.name,
    path: logInPath(mount),
  };
  const made = await transact(services.db, async (transaction) => {
    if (!(await lockAuthMount(transaction, mount))) throw permissionDenied();
    await spend?.(transaction);
    return createToken(transaction, services.installation.hashKey, token);
  }).catch((error: unknown) => {
    // The namespace was deleted at this moment.
    if (isSqlState(error, FOREIGN_KEY_VIOLATION)) throw permissionDenied();
    throw error;
  });
  const created = await findTokenByAccessor(services.db, accessor);
  if (!created) throw permissionDenied();
  return { status: 200, auth: presentAuth(created, made.secret) };
}
