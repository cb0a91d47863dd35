import { hasCode, isMissing } from './outcomes.ts';
import { toReference } from './reference.ts';
import { secretPath, type Tools } from './tools.ts';

/** The newest version's value as text; null where it is no text. */
export type Latest = { version: number; value: string | null };

/** The number at the end of a version's name; its project may be spelt in two ways. */
export function versionNumber(name: string | null | undefined): number {
  return Number(/\/versions\/(\d{1,15})$/.exec(name ?? '')?.[1] ?? 0);
}

/** Adds a version that becomes the newest, and returns its number. */
export async function addVersion(
  tools: Tools,
  name: string,
  value: string,
  signal: AbortSignal,
): Promise<number> {
  const added = await tools.invoke('AddSecretVersion', signal, (client, options) =>
    client.addSecretVersion(
      {
        parent: secretPath(tools, name),
        payload: { data: Buffer.from(value, 'utf8') },
      },
      options,
    ),
  );
  return versionNumber(added.name);
}

/** Null where there is no version, or the newest is disabled or destroyed. */
export async function readLatest(tools: Tools, name: string, signal: AbortSignal): Promise<Latest | null> {
  try {
    const found = await tools.invoke('AccessSecretVersion', signal, (client, options) =>
      client.accessSecretVersion({ name: `${secretPath(tools, name)}/versions/latest` }, options),
    );
    return { version: versionNumber(found.name), value: toText(found.payload?.data) };
  } catch (error) {
    if (isMissing(error) || hasCode(error, 'version_state')) return null;
    throw error;
  }
}

/** Destroys what is older than a version: one call where the ledger tells that only one is left, else listed first. */
export async function destroyOlder(
  tools: Tools,
  target: { name: string; version: number; reference: string | null },
  signal: AbortSignal,
): Promise<void> {
  const { name, version, reference } = target;
  const older =
    reference === toReference(tools.projectId, version - 1, true)
      ? [version - 1]
      : await listOlder(tools, name, version, signal);
  for (const number of older) await destroy(tools, `${secretPath(tools, name)}/versions/${number}`, signal);
}

async function listOlder(
  tools: Tools,
  name: string,
  version: number,
  signal: AbortSignal,
): Promise<number[]> {
  // The SDK fetches page after page.
  const versions = await tools.invoke('ListSecretVersions', signal, (client, options) =>
    client.listSecretVersions(
      {
        parent: secretPath(tools, name),
        filter: 'state:ENABLED OR state:DISABLED',
      },
      options,
    ),
  );
  return versions
    .filter(({ state, scheduledDestroyTime }) => state !== 'DESTROYED' && !scheduledDestroyTime)
    .map((one) => versionNumber(one.name))
    .filter((number) => number > 0 && number < version);
}

async function destroy(tools: Tools, name: string, signal: AbortSignal): Promise<void> {
  try {
    await tools.invoke('DestroySecretVersion', signal, (client, options) =>
      client.destroySecretVersion({ name }, options),
    );
  } catch (error) {
    // Destroyed already.
    if (!isMissing(error) && !hasCode(error, 'version_state')) throw error;
  }
}

function toText(data: Uint8Array | string | null | undefined): string | null {
  if (!data) return null;
  const bytes = typeof data === 'string' ? Buffer.from(data, 'base64') : data;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
