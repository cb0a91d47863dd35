import { Type } from 'typebox';
import { describeSecrets } from '../../../../libs/store/secrets/describe.ts';
import { listChildren, listSecretsBelow } from '../../../../libs/store/secrets/list.ts';
import { filterInSlices } from '../../../../libs/time/slices.ts';
import { mayEnter, waysBelow } from '../../access/caller.ts';
import { reachableAnswer } from '../../contract/secrets.ts';
import { endpoint, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { folderAt, type MountFolder } from './folder-at.ts';
import { isSeen } from './is-seen.ts';

const MOST = 500;
// Each costs a look-up.
const MOST_BEGINNINGS = 20;
const MOST_NAMED = 1000;

/** What a caller reaches in a folder that it may not list. */
export const reachableEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/sys/search/reachable',
    access: 'token',
    summary:
      "List what the caller's rules lead to in a folder, also where the folder may not be listed; a rule with `+` leads to no name",
    query: Type.Object({
      mount: Type.String({ minLength: 1, description: 'Path of the mount.' }),
      folder: Type.Optional(
        Type.String({ maxLength: 2000, description: 'Path of the folder in the mount. Default: the mount.' }),
      ),
    }),
    answers: { 200: { data: reachableAnswer } },
    handle: async (request) => {
      const { mount, folder = '' } = request.query;
      const within = await folderAt(request, `${mount}/${folder}`);
      if (within?.mount.version !== 2) return ok({ keys: [], is_complete: true });
      const found = await candidates(request, within);
      const keys = await filterInSlices([...found].toSorted(), (key) => isReached(request, within, key));
      return ok({ keys: keys.slice(0, MOST), is_complete: keys.length <= MOST });
    },
  }),
];

async function candidates(
  { services, namespace, caller }: ApiRequest,
  { mount, folder }: MountFolder,
): Promise<Set<string>> {
  const roots = ['data', 'metadata'].map((kind) => [mount.path, kind, folder].filter(Boolean).join('/'));
  const { folders, things, beginnings } = waysBelow(caller, namespace, roots);
  const prefix = folder === '' ? '' : `${folder}/`;
  const named = [...things].slice(0, MOST_NAMED).map((name) => `${prefix}${name}`);
  const existing = await describeSecrets(services.db, mount.id, named, { links: false });
  const keys = new Set([
    ...[...folders].map((name) => `${name}/`),
    ...existing.map(({ path }) => path.slice(prefix.length)),
  ]);
  // An empty beginning covers every other one.
  const starts = beginnings.has('') ? [''] : [...beginnings].slice(0, MOST_BEGINNINGS);
  for (const start of starts) {
    const options = start === '' ? {} : { after: start };
    const children = await listChildren(services.db, { mount, folder, limit: MOST + 1, ...options });
    for (const key of children) if (key.startsWith(start)) keys.add(key);
    // The list begins after the name itself.
    const [first] = await listSecretsBelow(services.db, mount.id, {
      prefix: `${prefix}${start}`,
      after: '',
      limit: 1,
    });
    if (start !== '' && first === `${prefix}${start}`) keys.add(start);
  }
  return keys;
}

function isReached(request: ApiRequest, { mount, folder }: MountFolder, key: string): boolean {
  const path = [folder, key].filter(Boolean).join('/');
  if (!key.endsWith('/')) return isSeen(request, { mount: mount.path, path });
  const { caller, namespace } = request;
  return ['data', 'metadata'].some((kind) =>
    mayEnter(caller, namespace, `${mount.path}/${kind}/${path.replace(/\/$/, '')}`),
  );
}
