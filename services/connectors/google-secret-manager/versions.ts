import { hasCode, isMissing } from '../../../libs/connector/errors.ts';
import { toReference } from './reference.ts';
import { secretPath, type OpenStore } from './open-store.ts';

/** The newest version and its value as text; null if it is no text. */
export type Latest = { version: number; value: string | null };

/** Adds a version that becomes the newest, and returns its number. */
export async function addVersion(store: OpenStore, name: string, value: string): Promise<number> {
  const request = { parent: secretPath(store, name), payload: { data: Buffer.from(value, 'utf8') } };
  const added = await store.invoke('AddSecretVersion', (client, options) =>
    client.addSecretVersion(request, options),
  );
  return versionNumber(added.name);
}

/** Reads the newest version; null if there is none, or if it is disabled or destroyed. */
export async function readLatest(store: OpenStore, name: string): Promise<Latest | null> {
  const request = { name: `${secretPath(store, name)}/versions/latest` };
  try {
    const found = await store.invoke('AccessSecretVersion', (client, options) =>
      client.accessSecretVersion(request, options),
    );
    return { version: versionNumber(found.name), value: toText(found.payload?.data) };
  } catch (error) {
    if (isUnusable(error)) return null;
    throw error;
  }
}

/**
 * Destroys the versions that are older than the given one. One call is enough if the ledger says that only one older
 * version is left; otherwise lists them first.
 */
export async function destroyOlder(
  store: OpenStore,
  { name, version, reference }: { name: string; version: number; reference: string | null },
): Promise<void> {
  const isAlone = reference === toReference(store.projectId, version - 1, true);
  const older = isAlone ? [version - 1] : await listOlder(store, name, version);
  for (const number of older) await destroy(store, `${secretPath(store, name)}/versions/${number}`);
}

async function listOlder(store: OpenStore, name: string, version: number): Promise<number[]> {
  const request = { parent: secretPath(store, name), filter: 'state:ENABLED OR state:DISABLED' };
  // The SDK fetches all pages.
  const versions = await store.invoke('ListSecretVersions', (client, options) =>
    client.listSecretVersions(request, options),
  );
  return versions
    .filter(({ state, scheduledDestroyTime }) => state !== 'DESTROYED' && !scheduledDestroyTime)
    .map((one) => versionNumber(one.name))
    .filter((number) => number > 0 && number < version);
}

async function destroy(store: OpenStore, name: string): Promise<void> {
  try {
    await store.invoke('DestroySecretVersion', (client, options) =>
      client.destroySecretVersion({ name }, options),
    );
  } catch (error) {
    if (!isUnusable(error)) throw error;
  }
}

// Whether the version is gone, disabled or already destroyed.
function isUnusable(error: unknown): boolean {
  return isMissing(error) || hasCode(error, 'precondition_failed');
}

// Reads the number at the end of a version's name: the project before it may be spelt in two ways.
function versionNumber(name: string | null | undefined): number {
  return Number(/\/versions\/(\d{1,15})$/.exec(name ?? '')?.[1] ?? 0);
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
