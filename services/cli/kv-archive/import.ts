import { encodePath, type Client, type Fields } from '../client/http.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import type { Archive, ArchiveItem } from './archive.ts';
import { fetchKvMounts, type ArchivedVersion } from './read-secrets.ts';
import { writeSecret, writeValue, type ImportOutcome } from './write-secret.ts';

/** What became of the secrets and mounts of an archive. */
export type ImportCounts = Record<ImportOutcome | 'failed' | 'mounts', number>;

type Options = { overwrite: boolean; dryRun: boolean; tell: (line: string) => void };

/**
 * Writes all secrets of an archive, after all of it was read once and found whole: nothing is written from a damaged file.
 * A secret that fails does not stop the others; an API that cannot be reached does.
 */
export async function importArchive(
  client: Client,
  archive: Archive,
  options: Options,
): Promise<ImportCounts> {
  for await (const item of archive.read()) void item;
  const counts: ImportCounts = { written: 0, same: 0, different: 0, failed: 0, mounts: 0 };
  const versions = new Map((await fetchKvMounts(client)).map(({ path, version }) => [path, version]));
  for await (const item of archive.read()) {
    const name = item.kind === 'mount' ? `${item.mount}/` : `${item.mount}/${item.path}`;
    try {
      if (item.kind === 'mount') {
        if (await makeMount(client, item, versions, options)) counts.mounts += 1;
        continue;
      }
      const outcome = await writeItem(client, item, versions.get(item.mount), options);
      counts[outcome] += 1;
      if (outcome === 'different')
        options.tell(`${name}: something else is there, and stays (see --overwrite)`);
    } catch (error) {
      if (!(error instanceof CommandError) || error.exitCode === exitCodes.unreachable) throw error;
      counts.failed += 1;
      options.tell(`${name}: ${error.message}`);
    }
  }
  return counts;
}

// Mounts that are there keep their settings.
async function makeMount(
  client: Client,
  { mount, content }: ArchiveItem,
  versions: Map<string, 1 | 2>,
  { dryRun }: Options,
): Promise<boolean> {
  const version = Number(content['version']) === 2 ? 2 : 1;
  const present = versions.get(mount);
  if (present !== undefined && present !== version)
    throw new CommandError(
      'failed',
      `the mount is there with version ${present}, and was exported with version ${version}`,
    );
  if (present !== undefined) return false;
  versions.set(mount, version);
  if (dryRun) return true;
  const { description, limits } = content;
  await client.call('POST', `sys/mounts/${encodePath(mount)}`, {
    type: 'kv',
    description,
    options: { version: String(version) },
  });
  if (version === 2) await client.call('POST', encodePath(mount, 'config'), limits as Fields);
  return true;
}

async function writeItem(
  client: Client,
  { mount, path, content }: ArchiveItem,
  version: 1 | 2 | undefined,
  options: Options,
): Promise<ImportOutcome> {
  const secret = { mount, path };
  const { limits = {}, custom_metadata = {}, versions = [] } = content as Record<string, Fields>;
  const wanted = versions as unknown as ArchivedVersion[];
  // Only exports of mounts with versions have limits of secrets.
  if ((version === 2) !== 'limits' in content)
    throw new CommandError('failed', 'its mount is not there with the version that was exported');
  if (version === 2)
    return writeSecret(client, secret, { limits, custom_metadata, versions: wanted }, options);
  const [only] = wanted;
  return writeValue(client, secret, only && 'data' in only ? only.data : '{}', options);
}
