import { badRequest, unsupportedOperation } from '../../../../libs/errors/request-error.ts';
import {
  createMount,
  findMount,
  listMounts,
  updateMount,
  type Mount,
} from '../../../../libs/store/secrets/mounts.ts';
import { deleteMount } from '../../../../libs/store/secrets/mounts-delete.ts';
import { describeChanges } from '../../../../libs/validation/changes.ts';
import { endpoint, isThere, noContent, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { presentMount, presentMounts, presentTuning } from '../../presenters/mount.ts';
import { checkMountPath, leaseSettings, mountBody, optionVersion, tuneBody, mountVersionOf } from './body.ts';
import { mountAnswer, mountsAnswer, tuningAnswer } from '../../contract/mounts.ts';

const PREFIX = 'sys/mounts/';
const PATH = '/sys/mounts/*path';
const TUNE = '/sys/mounts/*path/tune';

/** The KV mounts of a namespace. */
export const kvMountEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/sys/mounts',
    access: 'policy',
    summary: 'List the mounts of a namespace',
    answers: { 200: { data: mountsAnswer } },
    handle: async ({ services, namespace }) => ok(presentMounts(await listMounts(services.db, namespace.id))),
  }),
  endpoint({
    method: 'GET',
    path: TUNE,
    access: 'policy',
    summary: 'Read the settings of a mount',
    answers: { 200: { data: tuningAnswer } },
    handle: async (request) => ok(presentTuning(await mountOf(request, '/tune'))),
  }),
  endpoint({
    method: 'POST',
    path: TUNE,
    alsoMethods: ['PUT'],
    access: 'policy',
    summary: 'Change settings of a mount, or upgrade it to version 2',
    answers: { 204: {} },
    body: tuneBody,
    exists: isThere,
    handle: async (request) => {
      const mount = await mountOf(request, '/tune');
      const { description, options, plugin_version: _plugin, token_type: _type, ...given } = request.body;
      const version = optionVersion(options);
      if (version === 1 && mount.version === 2)
        throw badRequest('a mount of version 2 cannot become version 1');
      const isKnown = ([key, value]: [string, unknown]) =>
        Object.hasOwn(tuneBody.properties, key) && value !== undefined;
      const config = Object.fromEntries(Object.entries(given).filter(isKnown));
      const settings = leaseSettings(config);
      const { note, services } = request;
      note({ mount: mount.path, changed: changesOf(mount, { ...settings, description, version }) });
      await updateMount(services.db, mount.id, {
        config: settings,
        ...(description === undefined ? {} : { description }),
        ...(version === undefined ? {} : { version, names_version: true }),
      });
      return noContent();
    },
  }),
  endpoint({
    method: 'GET',
    path: PATH,
    access: 'policy',
    summary: 'Read a mount',
    answers: { 200: { data: mountAnswer } },
    handle: async (request) => ok(presentMount(await mountOf(request))),
  }),
  endpoint({
    method: 'POST',
    path: PATH,
    alsoMethods: ['PUT'],
    access: 'policy',
    summary: 'Create a mount',
    answers: { 204: {} },
    body: mountBody,
    handle: async ({ services, namespace, path, body, note }) => {
      const mountPath = path.slice(PREFIX.length);
      checkMountPath(mountPath);
      note({ mount: mountPath, version: mountVersionOf(body) });
      await createMount(services.db, {
        namespace,
        path: mountPath,
        version: mountVersionOf(body),
        names_version: mountVersionOf(body) === 2 || optionVersion(body.options) !== undefined,
        description: body.description ?? '',
        config: leaseSettings(body.config),
        local: body.local ?? false,
        seal_wrap: body.seal_wrap ?? false,
      });
      return noContent();
    },
  }),
  endpoint({
    method: 'DELETE',
    path: PATH,
    access: 'policy',
    summary: 'Delete a mount with all its secrets',
    answers: { 204: {} },
    handle: async ({ services, namespace, path, note }) => {
      refuseTuneDeletion(path);
      const mount = await findMount(services.db, namespace.id, path.slice(PREFIX.length));
      if (mount) note({ mount: mount.path, version: mount.version, accessor: mount.accessor });
      if (mount) await deleteMount(services.db, mount, services.config.BATCH_ROWS);
      return noContent();
    },
  }),
];

// The row of a mount matches this path too.
function refuseTuneDeletion(path: string): void {
  if (path.slice(PREFIX.length).endsWith('/tune')) throw unsupportedOperation('GET, POST, PUT');
}

// Settings that are not sent keep their values.
function changesOf({ config, description, version }: Mount, sent: Record<string, unknown>): object {
  const before: Record<string, unknown> = { ...config, description, version };
  const given = Object.entries(sent).filter(([, value]) => value !== undefined);
  return describeChanges(before, { ...before, ...Object.fromEntries(given) });
}

// Throws 400 for a missing mount, not 404. Clients look for this text.
async function mountOf(
  { services, namespace, path }: Pick<ApiRequest, 'services' | 'namespace' | 'path'>,
  suffix = '',
): Promise<Mount> {
  const mountPath = path.slice(PREFIX.length, path.length - suffix.length);
  const mount = await findMount(services.db, namespace.id, mountPath);
  if (!mount) throw badRequest(`No secret engine mount at ${mountPath}/`);
  return mount;
}
