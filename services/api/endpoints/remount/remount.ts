import { Type } from 'typebox';
import { badRequest, notFound, permissionDenied } from '../../../../libs/errors/request-error.ts';
import { findNamespaceOf } from '../../../../libs/store/access/namespaces.ts';
import { findMove, moveMount, type MountPlace } from '../../../../libs/store/secrets/mounts-move.ts';
import { findMount } from '../../../../libs/store/secrets/mounts.ts';
import { findAuthMount } from '../../../../libs/store/auth/mounts.ts';
import { findAuthMove, moveAuthMount } from '../../../../libs/store/auth/mounts-end.ts';
import { capabilitiesOf } from '../../access/caller.ts';
import type { Capability } from '../../access/policy.ts';
import { endpoint, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { checkAuthPath } from '../auth-methods/body.ts';
import { checkMountPath } from '../mounts/body.ts';
import { counted } from '../../../../libs/collections/counted.ts';
import { moveAnswer, moveStatusAnswer } from '../../contract/mounts.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Moves a mount or an auth method. Paths may begin with a namespace below the request's own. */
export const remountEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    alsoMethods: ['PUT'],
    path: '/sys/remount',
    access: 'sudo',
    summary:
      'Move a mount with its secrets and their associations, or an auth method (auth/…) with its roles',
    answers: { 200: { data: moveAnswer } },
    body: Type.Object({
      from: Type.String({
        minLength: 1,
        description: 'Present path of the mount; of an auth method it begins with auth/.',
      }),
      to: Type.String({
        minLength: 1,
        description: 'New path of the mount; of an auth method it begins with auth/ too.',
      }),
    }),
    handle: async (request) => {
      const { services, body } = request;
      const from = await placeOf(request, body.from);
      const to = await placeOf(request, body.to);
      if (isAuth(from) || isAuth(to)) return ok({ migration_id: await moveMethod(request, from, to) });
      requireRight(request, from, ['delete']);
      requireRight(request, to, ['create', 'update']);
      checkMountPath(to.path);
      const mount = await findMount(services.db, from.namespace.id, from.path);
      if (!mount) throw badRequest(`No secret engine mount at ${trimmed(body.from)}/`);
      request.note({ mount: mount.accessor, from: absolute(from), to: absolute(to) });
      const { BATCH_ROWS: limit } = services.config;
      const move = await moveMount(services.db, mount, {
        from,
        to,
        author: request.caller.token.display_name,
        limit,
      });
      if (move.renamed > 0)
        request.warn(
          `${counted(move.renamed, 'association gets another external name', 'associations get other external names')}, because the templates of their destinations use the mount`,
        );
      return ok({ migration_id: move.id });
    },
  }),
  endpoint({
    method: 'GET',
    path: '/sys/remount/status/:id',
    access: 'policy',
    summary: 'Read the result of the last move of a mount or auth method',
    answers: { 200: { data: moveStatusAnswer } },
    handle: async ({ services, params }) => {
      const { id = '' } = params;
      const found = UUID.test(id)
        ? [await findMove(services.db, id), await findAuthMove(services.db, id)]
        : [];
      const move = found.find(Boolean);
      if (!move) throw notFound();
      const { source, target } = move;
      return ok({
        migration_id: id,
        migration_info: { source_mount: `${source}/`, target_mount: `${target}/`, status: 'success' },
      });
    },
  }),
];

async function placeOf({ services, namespace }: ApiRequest, path: string): Promise<MountPlace> {
  const given = trimmed(path);
  const entered = await findNamespaceOf(services.db, namespace, given);
  return entered ? { namespace: entered.namespace, path: entered.rest } : { namespace, path: given };
}

const AUTH = /^auth\//;

function isAuth({ path }: MountPlace): boolean {
  return AUTH.test(path);
}

// Tokens and roles belong to a namespace, so an auth method stays in its own.
async function moveMethod(request: ApiRequest, from: MountPlace, to: MountPlace): Promise<string> {
  const { services, note } = request;
  if (!isAuth(from) || !isAuth(to) || from.namespace.id !== to.namespace.id)
    throw badRequest('an auth method moves to another path of auth/ in its namespace only');
  requireRight(request, from, ['sudo']);
  requireRight(request, to, ['sudo']);
  const path = to.path.replace(AUTH, '');
  checkAuthPath(path);
  const name = from.path.replace(AUTH, '');
  if (name === 'token') throw badRequest('token credential backend cannot be moved');
  const mount = await findAuthMount(services.db, from.namespace.id, name);
  if (!mount) throw badRequest(`No auth engine at ${name}/`);
  note({ mount: mount.accessor, from: absolute(from), to: absolute(to) });
  const { BATCH_ROWS: limit } = services.config;
  return moveAuthMount(services.db, mount, { namespace: from.namespace, path, limit });
}

function absolute({ namespace, path }: MountPlace): string {
  return [namespace.path, path].filter(Boolean).join('/');
}

function trimmed(path: string): string {
  return path.split('/').filter(Boolean).join('/');
}

function requireRight({ caller }: ApiRequest, { namespace, path }: MountPlace, any: Capability[]): void {
  const given = capabilitiesOf(caller, namespace, AUTH.test(path) ? `sys/${path}` : `sys/mounts/${path}`);
  if (!any.some((capability) => given.has(capability))) throw permissionDenied();
}
