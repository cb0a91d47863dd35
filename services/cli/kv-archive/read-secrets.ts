import { isJsonObject, stringifyLossless } from '../../../libs/validation/lossless.ts';
import { encodePath, type Client, type Fields } from '../client/http.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import type { ArchiveItem } from './archive.ts';

/** A mount as the API describes it, without a slash at the end of its path. */
export type KvMount = { path: string; version: 1 | 2; description: string };

/** A version of a secret: its data as JSON, or what became of them. */
export type ArchivedVersion = { data: string } | { deleted: true } | { destroyed: true };

/** Why something is not exported. */
export type Omission = 'no value' | 'not readable' | 'not listable';

/** What to export, and who is told what is left out. */
export type Selection = { allVersions: boolean; leaveOut: (name: string, reason: Omission) => void };

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
 * All secrets of a mount after the mount itself. What the token may not list or read, and a secret whose version to export
 * has no value, is told to `leaveOut`. Secrets that are deleted meanwhile are not.
 */
export async function* readMount(
  client: Client,
  mount: KvMount,
  selection: Selection,
): AsyncGenerator<ArchiveItem> {
  const { path: name, version, description } = mount;
  const limits = version === 2 ? await readLimits(client, name) : {};
  yield { kind: 'mount', mount: name, path: '', content: { version, description, limits } };
  for await (const path of walk(client, { mount, folder: '' }, selection)) {
    const content = await unlessDenied(
      version === 2
        ? readSecret(client, { mount: name, path }, selection.allVersions)
        : readValue(client, name, path),
    );
    if (content === 'denied') selection.leaveOut(`${name}/${path}`, 'not readable');
    else if (content === null) selection.leaveOut(`${name}/${path}`, 'no value');
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
  // A token may read the secrets of a mount and not its limits.
  const answer = await unlessDenied(client.call('GET', encodePath(mount, 'config')));
  return answer === 'denied' ? {} : limitsIn(answer.data);
}

async function unlessDenied<Result>(call: Promise<Result>): Promise<Result | 'denied'> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof CommandError && error.exitCode === exitCodes.denied) return 'denied';
    throw error;
  }
}

type Folder = { mount: KvMount; folder: string };

async function* walk(
  client: Client,
  { mount, folder }: Folder,
  selection: Selection,
): AsyncGenerator<string> {
  const parts = mount.version === 2 ? [mount.path, 'metadata', folder] : [mount.path, folder];
  let after = '';
  for (;;) {
    const query = `?limit=${PAGE}${after === '' ? '' : `&after=${encodeURIComponent(after)}`}`;
    const answer = await unlessDenied(client.find('LIST', `${encodePath(...parts)}${query}`));
    if (answer === 'denied') return selection.leaveOut(`${mount.path}/${folder}`, 'not listable');
    const keys = (answer?.data['keys'] ?? []) as string[];
    for (const key of keys) {
      if (key.endsWith('/')) yield* walk(client, { mount, folder: `${folder}${key}` }, selection);
      else yield `${folder}${key}`;
    }
    if (keys.length < PAGE) return;
    after = keys.at(-1) ?? '';
  }
}
