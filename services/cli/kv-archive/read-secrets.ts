import { isJsonObject, stringifyLossless } from '../../../libs/validation/lossless.ts';
import { encodePath, type Client, type Fields } from '../client/http.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import type { ArchiveItem } from './archive.ts';

/** A mount as the API describes it, without a slash at the end of its path. */
export type KvMount = { path: string; version: 1 | 2; description: string };

/** A version of a secret: its data as JSON, or what became of them. */
export type ArchivedVersion = { data: string } | { deleted: true } | { destroyed: true };

const PAGE = 1000;

/** The KV mounts in which the token may do anything. */
export async function fetchKvMounts(client: Client): Promise<KvMount[]> {
  const { data } = await client.call('GET', 'sys/internal/ui/mounts');
  return Object.entries((data['secret'] ?? {}) as Record<string, Fields>)
    .filter(([, { type }]) => type === 'kv')
    .map(([path, { options, description }]) => {
      const { version } = (options ?? {}) as { version?: unknown };
      return {
        path: path.replace(/\/$/, ''),
        version: String(version) === '2' ? 2 : 1,
        description: typeof description === 'string' ? description : '',
      };
    });
}

/**
 * All secrets of a mount after the mount itself. A secret whose version to export has no value is told to `skip`. Secrets
 * that are deleted meanwhile are left out.
 */
export async function* readMount(
  client: Client,
  mount: KvMount,
  { allVersions, skip }: { allVersions: boolean; skip: (name: string) => void },
): AsyncGenerator<ArchiveItem> {
  const { path: name, version, description } = mount;
  const limits = version === 2 ? await readLimits(client, name) : {};
  yield { kind: 'mount', mount: name, path: '', content: { version, description, limits } };
  for await (const path of walk(client, mount, '')) {
    const content =
      version === 2
        ? await readSecret(client, { mount: name, path }, allVersions)
        : await readValue(client, name, path);
    if (content === null) skip(`${name}/${path}`);
    else if (content) yield { kind: 'secret', mount: name, path, content };
  }
}

/** One of the versions that `versionsIn` returns. */
export async function readArchivedVersion(
  client: Client,
  { mount, path }: { mount: string; path: string },
  [number, state]: [string, Fields],
): Promise<ArchivedVersion> {
  if (state['destroyed'] === true) return { destroyed: true };
  const { deletion_time: deletion } = state;
  // A time in the future: the version can be read until then.
  if (typeof deletion === 'string' && Date.parse(deletion) <= Date.now()) return { deleted: true };
  const answer = await client.find('GET', `${encodePath(mount, 'data', path)}?version=${number}`);
  return answer ? { data: jsonOf(answer.data['data'], `${mount}/${path}`) } : { deleted: true };
}

/** What is set for a secret or a mount beside its values. */
export function limitsIn(data: Fields): Fields {
  const { max_versions, cas_required, delete_version_after } = data;
  return { max_versions, cas_required, delete_version_after };
}

/** The versions that metadata list, the oldest first. */
export function versionsIn(metadata: Fields): [string, Fields][] {
  return Object.entries((metadata['versions'] ?? {}) as Record<string, Fields>).toSorted(
    ([left], [right]) => Number(left) - Number(right),
  );
}

async function readSecret(
  client: Client,
  secret: { mount: string; path: string },
  allVersions: boolean,
): Promise<Fields | null | undefined> {
  const metadata = await client.find('GET', encodePath(secret.mount, 'metadata', secret.path));
  if (!metadata) return undefined;
  const listed = versionsIn(metadata.data);
  const versions: ArchivedVersion[] = [];
  for (const one of allVersions ? listed : listed.slice(-1))
    versions.push(await readArchivedVersion(client, secret, one));
  if (!versions.some((version) => 'data' in version)) return null;
  const { custom_metadata } = metadata.data;
  return { limits: limitsIn(metadata.data), custom_metadata: custom_metadata ?? {}, versions };
}

async function readValue(client: Client, mount: string, path: string): Promise<Fields | undefined> {
  const answer = await client.find('GET', encodePath(mount, path));
  if (answer && Object.keys(answer.data).length === 0) throw unreadable(`${mount}/${path}`);
  return answer && { versions: [{ data: stringifyLossless(answer.data) }] };
}

function jsonOf(data: unknown, name: string): string {
  if (!isJsonObject(data)) throw unreadable(name);
  return stringifyLossless(data);
}

// An empty secret must not take the place of one that this command cannot read.
function unreadable(name: string): CommandError {
  return new CommandError('failed', `${name}: the answer of the API cannot be read`);
}

async function readLimits(client: Client, mount: string): Promise<Fields> {
  try {
    return limitsIn((await client.call('GET', encodePath(mount, 'config'))).data);
  } catch (error) {
    // A token may read the secrets of a mount and not its limits.
    if (error instanceof CommandError && error.exitCode === exitCodes.denied) return {};
    throw error;
  }
}

async function* walk(client: Client, mount: KvMount, folder: string): AsyncGenerator<string> {
  const parts = mount.version === 2 ? [mount.path, 'metadata', folder] : [mount.path, folder];
  let after = '';
  for (;;) {
    const query = `?limit=${PAGE}${after === '' ? '' : `&after=${encodeURIComponent(after)}`}`;
    const answer = await client.find('LIST', `${encodePath(...parts)}${query}`);
    const keys = (answer?.data['keys'] ?? []) as string[];
    for (const key of keys) {
      if (key.endsWith('/')) yield* walk(client, mount, `${folder}${key}`);
      else yield `${folder}${key}`;
    }
    if (keys.length < PAGE) return;
    after = keys.at(-1) ?? '';
  }
}
