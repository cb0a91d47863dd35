import type { Database } from '../../../../libs/db/connect.ts';
import { permissionDenied } from '../../../../libs/errors/request-error.ts';
import { filterInSlices } from '../../../../libs/time/slices.ts';
import { listAuthMounts, lookUpAuthMount } from '../../../../libs/store/auth/mounts.ts';
import { listMounts, lookUpMount, type Mount } from '../../../../libs/store/secrets/mounts.ts';
import { findNamespaceOf, type Namespace } from '../../../../libs/store/access/namespaces.ts';
import { mayEnter } from '../../access/caller.ts';
import { endpoint, ok, type Endpoint } from '../../routing/endpoint.ts';
import { presentAuthMount, presentAuthMounts, presentTokenMethod } from '../../presenters/auth-method.ts';
import { presentMount, presentMounts } from '../../presenters/mount.ts';
import { mountOfPathAnswer, visibleMountsAnswer } from '../../contract/mounts.ts';

const PREFIX = 'sys/internal/ui/mounts/';
const TOKENS = 'auth/token';

/** What clients ask before they use a path. Any token may ask, and sees only mounts in which its rules allow something. */
export const mountPreflightEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/sys/internal/ui/mounts',
    access: 'token',
    summary: 'List the mounts where the caller has any capability',
    answers: { 200: { data: visibleMountsAnswer } },
    handle: async ({ services, namespace, caller }) => {
      const mounts = await listMounts(services.db, namespace.id);
      const visible = await filterInSlices(mounts, (mount) => mayEnter(caller, namespace, mount.path));
      const methods = (await listAuthMounts(services.db, namespace.id)).filter(({ path }) =>
        mayEnter(caller, namespace, `auth/${path}`),
      );
      const tokens = mayEnter(caller, namespace, TOKENS) ? { 'token/': presentTokenMethod(namespace) } : {};
      return ok({ secret: presentMounts(visible), auth: { ...presentAuthMounts(methods), ...tokens } });
    },
  }),
  endpoint({
    method: 'GET',
    path: '/sys/internal/ui/mounts/*path',
    access: 'token',
    summary: 'Find the mount of a path',
    answers: { 200: { data: mountOfPathAnswer } },
    handle: async ({ services, namespace, caller, path }) => {
      const rest = path.slice(PREFIX.length);
      if (`${rest}/`.startsWith(`${TOKENS}/`) && mayEnter(caller, namespace, TOKENS))
        return ok({ ...presentTokenMethod(namespace), path: `${TOKENS}/` });
      const method =
        rest.startsWith('auth/') && (await lookUpAuthMount(services.db, namespace.id, rest.slice(5)));
      if (method && mayEnter(caller, namespace, `auth/${method.path}`))
        return ok({ ...presentAuthMount(method), path: `auth/${method.path}/` });
      const found = await findOn(services.db, namespace, rest);
      // A missing mount and a missing right look alike.
      if (!found || !mayEnter(caller, found.namespace, found.mount.path)) {
        throw permissionDenied(
          `preflight capability check returned 403, please ensure client's policies grant access to path "${rest}/"`,
        );
      }
      return ok({ ...presentMount(found.mount), path: `${found.way}${found.mount.path}/` });
    },
  }),
];

type Found = { namespace: Namespace; way: string; mount: Mount };

// The path may begin with a lower namespace. `way` is then the part of the path before the mount.
async function findOn(db: Database, namespace: Namespace, path: string): Promise<Found | undefined> {
  const mount = await lookUpMount(db, namespace.id, path);
  if (mount) return { namespace, way: '', mount };
  const entered = await findNamespaceOf(db, namespace, path);
  const below = entered && (await lookUpMount(db, entered.namespace.id, entered.rest));
  return below && { namespace: entered.namespace, way: `${entered.way}/`, mount: below };
}
