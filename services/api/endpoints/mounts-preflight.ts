import { permissionDenied } from '../../../libs/errors/request-error.ts';
import { lookUpMount, listMounts } from '../../../libs/store/mounts.ts';
import { mayEnter } from '../access/caller.ts';
import { endpoint, ok, type Endpoint } from '../endpoint.ts';
import { presentMount, presentMounts } from '../presenters/mount.ts';

const PREFIX = 'sys/internal/ui/mounts/';

/** What clients ask before they use a path: any token may, and sees only mounts that its rules reach into. */
export const mountPreflightEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/sys/internal/ui/mounts',
    access: 'token',
    summary: 'List the mounts that the caller has any right in',
    handle: async ({ services, namespace, caller }) => {
      const mounts = await listMounts(services.db, namespace.id);
      const visible = mounts.filter((mount) => mayEnter(caller, namespace, mount.path));
      return ok({ secret: presentMounts(visible), auth: {} });
    },
  }),
  endpoint({
    method: 'GET',
    path: '/sys/internal/ui/mounts/*path',
    access: 'token',
    summary: 'Find the mount that a path lies in',
    handle: async ({ services, namespace, caller, path }) => {
      const asked = path.slice(PREFIX.length);
      const mount = await lookUpMount(services.db, namespace.id, asked);
      // A missing mount and a missing right look alike.
      if (!mount || !mayEnter(caller, namespace, mount.path)) {
        throw permissionDenied(
          `preflight capability check returned 403, please ensure client's policies grant access to path "${asked}/"`,
        );
      }
      return ok({ ...presentMount(mount), path: `${mount.path}/` });
    },
  }),
];
