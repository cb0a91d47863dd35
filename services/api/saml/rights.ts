import { findNamespace } from '../../../libs/store/access/namespaces.ts';
import { namespacesOfTeams, policiesOfTeams, type TeamNamespace } from '../../../libs/store/access/teams.ts';
import { LIMITS, requireWithin } from '../limits.ts';
import type { ApiServices } from '../services.ts';
import type { Identity } from './identity.ts';
import { refuseLogin } from './refuse-login.ts';

type Means = Pick<ApiServices, 'db'>;

/**
 * The policies that a person gets in the namespace of a path. Throws 401 without a team there: a namespace that there is
 * not is refused alike, because the answer must not tell.
 */
export async function rightsOf({ db }: Means, identity: Identity, path: string): Promise<TeamNamespace> {
  const namespace = await findNamespace(db, path);
  const ofTeams = namespace ? await policiesOfTeams(db, namespace.id, identity.groups) : [];
  if (!namespace || (path !== '' && ofTeams.length === 0))
    return refuseLogin('the person belongs to no team of the namespace');
  return { namespaceId: namespace.id, path, policies: policiesIn(path, identity, ofTeams) };
}

/**
 * The namespaces that a person can sign in to, at least one: the named one alone, or else all with a team of theirs. The
 * root is among them where it gives them something, or nothing else does.
 */
export async function choicesOf(
  means: Means,
  identity: Identity,
  named: string | null,
): Promise<[TeamNamespace, ...TeamNamespace[]]> {
  if (named !== null) return [await rightsOf(means, identity, named)];
  const found = await namespacesOfTeams(means.db, identity.groups);
  const below = found
    .filter(({ path }) => path !== '')
    .map((one) => ({ ...one, policies: policiesIn(one.path, identity, one.policies) }));
  const root = await rightsOf(means, identity, '');
  const [first, ...others] = below;
  return first && root.policies.length === 1 ? [first, ...others] : [root, ...below];
}

function policiesIn(path: string, { siteAdmin }: Identity, ofTeams: string[]): string[] {
  const isSiteAdmin = siteAdmin && path === '';
  const policies = [...new Set(['default', ...(isSiteAdmin ? ['site-admin'] : []), ...ofTeams])];
  requireWithin(LIMITS.tokenPolicies, policies.length);
  return policies.toSorted();
}
