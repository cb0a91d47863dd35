import type { PutEntry, Written } from '../../../libs/connector/contract.ts';
import { afterEffect, ConnectorError, hasCode, isMissing } from '../../../libs/connector/errors.ts';
import { failures } from './failures.ts';
import { toReference } from './reference.ts';
import { createSecret } from './secret.ts';
import type { OpenStore } from './open-store.ts';
import { addVersion, destroyOlder, readLatest } from './versions.ts';

/** A new entry takes two calls, as the store demands. A known one takes one call, or more if older versions must go. */
export async function putEntry(store: OpenStore, entry: PutEntry): Promise<Written> {
  if (entry.value === '') throw failures.fail('value_empty');
  return entry.expect === 'absent' ? create(store, entry) : update(store, entry);
}

// If the second call fails, a secret with our mark and without a version is left. `read` shows it so, and an update
// completes it.
async function create(store: OpenStore, { name, value, tags }: PutEntry): Promise<Written> {
  await createSecret(store, name, tags);
  try {
    const version = await afterEffect(() => addVersion(store, name, value));
    return { reference: toReference(store.projectId, version, version === 1) };
  } catch (error) {
    if (!isMissing(error)) throw error;
    const message = 'The secret was just created and is not visible yet; its value is written later.';
    throw failures.fail('store_busy', { message });
  }
}

async function update(store: OpenStore, entry: PutEntry): Promise<Written> {
  const { name, token, reference } = entry;
  const { unsettled, settings } = store;
  const version = (await findWritten(store, entry)) ?? (await write(store, entry));
  if (settings.destroy_old_versions) {
    // The value is written: a repeat after a failure only goes on destroying versions.
    unsettled.note(name, { token, version });
    await afterEffect(() => destroyOlder(store, { name, version, reference }));
  }
  unsettled.settle(name);
  return { reference: toReference(store.projectId, version, settings.destroy_old_versions === true) };
}

// Returns null unless this session began the same write before and its version is there.
async function findWritten(store: OpenStore, { name, token, value }: PutEntry): Promise<number | null> {
  const begun = store.unsettled.find(name, token);
  if (!begun) return null;
  if (begun.version !== null) return begun.version;
  try {
    const latest = await readLatest(store, name);
    return latest?.value === value ? latest.version : null;
  } catch (error) {
    if (hasCode(error, 'permission_missing')) return null;
    throw error;
  }
}

async function write(store: OpenStore, { name, value, token }: PutEntry): Promise<number> {
  try {
    return await addVersion(store, name, value);
  } catch (error) {
    if (error instanceof ConnectorError && error.kind === 'external')
      store.unsettled.note(name, { token, version: null });
    throw error;
  }
}
