import { isDeepStrictEqual } from 'node:util';
import { parseLossless, stringifyLossless } from '../../../libs/validation/lossless.ts';
import { encodePath, type Client, type Fields } from '../client/http.ts';
import { limitsIn, readArchivedVersion, versionsIn, type ArchivedVersion } from './read-secrets.ts';

/** `same`: all of it is there already. `different`: something else is there, and stays. */
export type ImportOutcome = 'written' | 'same' | 'different';

type Secret = { mount: string; path: string };
type Options = { overwrite: boolean; dryRun: boolean };
type Content = { limits: Fields; custom_metadata: Fields; versions: ArchivedVersion[] };

/**
 * Writes a secret of a mount with versions. What an earlier import has written is continued, so that it may be repeated.
 * Nothing is deleted: with `overwrite` the versions follow those that are there. Someone's write meanwhile wins, and the
 * API refuses ours.
 */
export async function writeSecret(
  client: Client,
  secret: Secret,
  content: Content,
  { overwrite, dryRun }: Options,
): Promise<ImportOutcome> {
  const metadata = (await client.find('GET', encodePath(secret.mount, 'metadata', secret.path)))?.data;
  const listed = metadata ? versionsIn(metadata) : [];
  const present: ArchivedVersion[] = [];
  for (const one of listed.slice(-content.versions.length))
    present.push(await readArchivedVersion(client, secret, one));
  const done = overlap(present, content.versions);
  const isComplete = done === content.versions.length;
  const isOurs = isComplete || listed.length === done;
  const hasSettings = metadata !== undefined && isSame(settingsIn(metadata), settingsIn(content));
  if (isComplete && hasSettings) return 'same';
  if (!overwrite && metadata && !(isOurs && hasSettings)) return 'different';
  if (dryRun) return 'written';
  // First the settings: a repeated import recognises by them that the secret is its own.
  if (!hasSettings)
    await client.call('POST', encodePath(secret.mount, 'metadata', secret.path), settingsIn(content));
  let newest = Number(metadata?.['current_version'] ?? 0);
  for (const version of content.versions.slice(done)) newest = await append(client, secret, version, newest);
  return 'written';
}

/** The same for a mount without versions. */
export async function writeValue(
  client: Client,
  { mount, path }: Secret,
  json: string,
  { overwrite, dryRun }: Options,
): Promise<ImportOutcome> {
  const present = await client.find('GET', encodePath(mount, path));
  if (present && stringifyLossless(present.data) === json) return 'same';
  if (present && !overwrite) return 'different';
  if (!dryRun) await client.call('POST', encodePath(mount, path), parseLossless(json) as Fields);
  return 'written';
}

async function append(
  client: Client,
  secret: Secret,
  version: ArchivedVersion,
  newest: number,
): Promise<number> {
  const data = 'data' in version ? parseLossless(version.data) : {};
  const written = await client.call('POST', encodePath(secret.mount, 'data', secret.path), {
    data,
    options: { cas: newest },
  });
  const number = Number(written.data['version']);
  if ('data' in version) return number;
  const verb = 'destroyed' in version ? 'destroy' : 'delete';
  await client.call('POST', encodePath(secret.mount, verb, secret.path), { versions: [number] });
  return number;
}

// How many of the wanted versions are there already: the newest ones that are there are the first ones wanted.
function overlap(present: ArchivedVersion[], wanted: ArchivedVersion[]): number {
  for (let count = Math.min(present.length, wanted.length); count > 0; count -= 1)
    if (isDeepStrictEqual(present.slice(-count), wanted.slice(0, count))) return count;
  return 0;
}

function settingsIn(source: Fields): Fields {
  const limits = (source['limits'] ?? limitsIn(source)) as Fields;
  return { ...limits, custom_metadata: source['custom_metadata'] ?? {} };
}

// A parsed number may have a type of its own.
function isSame(left: unknown, right: unknown): boolean {
  return isDeepStrictEqual(parseLossless(stringifyLossless(left)), parseLossless(stringifyLossless(right)));
}
