import type { Static } from 'typebox';
import { badRequest, unsupportedOperation } from '../../../../libs/errors/request-error.ts';
import {
  createAuthMount,
  findAuthMount,
  listAuthMounts,
  updateAuthMount,
  type AuthMount,
} from '../../../../libs/store/auth/mounts.ts';
import { deleteAuthMount } from '../../../../libs/store/auth/mounts-end.ts';
import { describeChanges, describeWrite } from '../../../../libs/validation/changes.ts';
import { authMethodAnswer, authMethodsAnswer, authTuningAnswer } from '../../contract/mounts.ts';
import {
  presentAuthMount,
  presentAuthMounts,
  presentAuthTuning,
  presentTokenMethod,
} from '../../presenters/auth-method.ts';
import { endpoint, isThere, noContent, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { authTypeOf, checkAuthPath, methodBody, methodTuneBody, tuningOf } from './body.ts';

const PREFIX = 'sys/auth/';
const PATH = '/sys/auth/*path';

/** Auth methods: how callers get tokens. Every namespace has `token`; the others are enabled. */
export const authMethodEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/sys/auth',
    access: 'policy',
    summary: 'List the auth methods of a namespace',
    answers: { 200: { data: authMethodsAnswer } },
    handle: async ({ services, namespace }) => {
      const mounts = await listAuthMounts(services.db, namespace.id);
      return ok({ ...presentAuthMounts(mounts), 'token/': presentTokenMethod(namespace) });
    },
  }),
  ...[`${PATH}/tune`, '/sys/mounts/auth/*path/tune'].flatMap(tuneEndpoints),
  // Clients read the second path, which needs no sudo.
  ...(
    [
      [PATH, 'sudo'],
      ['/sys/mounts/auth/*path', 'policy'],
    ] as const
  ).map(([path, access]) =>
    endpoint({
      method: 'GET',
      path,
      access,
      summary: 'Read an auth method',
      answers: { 200: { data: authMethodAnswer } },
      handle: async (request) => {
        const isToken = nameOf(request.path) === 'token';
        return ok(isToken ? presentTokenMethod(request.namespace) : presentAuthMount(await mountOf(request)));
      },
    }),
  ),
  endpoint({
    method: 'POST',
    path: PATH,
    alsoMethods: ['PUT'],
    access: 'sudo',
    summary: 'Enable an auth method',
    answers: { 204: {} },
    body: methodBody,
    handle: async ({ services, namespace, path: requested, body, note }) => {
      const path = requested.slice(PREFIX.length);
      const type = authTypeOf(body.type || path);
      checkAuthPath(path);
      const tuning = tuningOf(body.config ?? {});
      const description = body.description ?? '';
      note({ mount: path, type, ...describeWrite(undefined, { ...tuning, description }) });
      const { local = false, seal_wrap = false } = body;
      await createAuthMount(services.db, {
        namespace_id: namespace.id,
        path,
        type,
        description,
        tuning,
        local,
        seal_wrap,
      });
      return noContent();
    },
  }),
  endpoint({
    method: 'DELETE',
    path: PATH,
    access: 'sudo',
    summary: 'Disable an auth method; its roles are deleted and its tokens end',
    answers: { 204: {} },
    handle: async ({ services, namespace, path: requested, note }) => {
      const path = requested.slice(PREFIX.length);
      if (path.endsWith('/tune')) throw unsupportedOperation('GET, POST, PUT');
      if (path === 'token') throw badRequest('token credential backend cannot be disabled');
      const mount = await findAuthMount(services.db, namespace.id, path);
      if (!mount) return noContent();
      note({ mount: path, type: mount.type, accessor: mount.accessor });
      await deleteAuthMount(services.db, mount, services.config.BATCH_ROWS);
      return noContent();
    },
  }),
];

function tuneEndpoints(path: string): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path,
      access: 'policy',
      summary: 'Read the tuning of an auth method',
      answers: { 200: { data: authTuningAnswer } },
      handle: async (request) => ok(presentAuthTuning(await mountOf(request))),
    }),
    endpoint({
      method: 'POST',
      path,
      alsoMethods: ['PUT'],
      access: 'policy',
      summary: 'Tune an auth method; absent fields keep their values',
      answers: { 204: {} },
      exists: isThere,
      body: methodTuneBody,
      handle: async (request) => {
        const mount = await mountOf(request);
        if (request.body.type != null)
          throw badRequest(
            `type: ${mount.path} keeps its type, and no auth method can be enabled at a path that ends in tune`,
          );
        await tune(request, mount);
        return noContent();
      },
    }),
  ];
}

async function tune(
  { services, body, note }: ApiRequest<Static<typeof methodTuneBody>>,
  mount: AuthMount,
): Promise<void> {
  const { description = mount.description, ...given } = body;
  const changes = tuningOf(given);
  const before = { ...mount.tuning, description: mount.description };
  const changed = describeChanges(before, { ...before, ...changes, description });
  note({ mount: mount.path, changed });
  await updateAuthMount(services.db, mount.id, { tuning: changes, description });
}

function nameOf(path: string): string {
  return path.replace(/^sys\/(?:mounts\/)?auth\//, '');
}

// Throws 400 for a missing one, not 404. Clients look for this text.
async function mountOf({
  services,
  namespace,
  path,
}: Pick<ApiRequest, 'services' | 'namespace' | 'path'>): Promise<AuthMount> {
  const name = nameOf(path).replace(/\/tune$/, '');
  const mount = await findAuthMount(services.db, namespace.id, name);
  if (!mount) throw badRequest(`No auth engine at ${name}/`);
  return mount;
}
