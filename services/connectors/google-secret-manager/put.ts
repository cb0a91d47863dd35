import type { PutEntry, Written } from '../../../libs/connector/contract.ts';
import { afterEffect, ConnectorError, hasCode, isMissing } from '../../../libs/connector/errors.ts';
import { failures } from './failures.ts';
import { toReference } from './reference.ts';
import { createSecret } from './secret.ts';
import type { Tools } from './tools.ts';
import { addVersion, destroyOlder, readLatest } from './versions.ts';

/** A new entry takes two calls, as the store demands. A known one takes one call, or more if older versions must go. */
export async function putEntry(tools: Tools, entry: PutEntry): Promise<Written> {
  if (entry.value === '') throw failures.fail('value_empty');
  return entry.expect === 'absent' ? create(tools, entry) : update(tools, entry);
}

// If the second call fails, a secret with our mark and without a version is left. `read` shows it so, and an update
// completes it.
async function create(tools: Tools, { name, value, tags }: PutEntry): Promise<Written> {
  await createSecret(tools, name, tags);
  try {
    const version = await afterEffect(() => addVersion(tools, name, value));
    return { reference: toReference(tools.projectId, version, version === 1) };
  } catch (error) {
    if (!isMissing(error)) throw error;
    const message = 'The secret was just created and is not visible yet; its value is written later.';
    throw failures.fail('store_busy', { message });
  }
}

async function update(tools: Tools, entry: PutEntry): Promise<Written> {
  const { name, token, reference } = entry;
  const { unsettled, settings } = tools;
  const version = (await findWritten(tools, entry)) ?? (await write(tools, entry));
  if (settings.destroy_old_versions) {
    // The value is written: a repeat after a failure only goes on destroying versions.
    unsettled.note(name, { token, version });
    await afterEffect(() => destroyOlder(tools, { name, version, reference }));
  }
  unsettled.settle(name);
  return { reference: toReference(tools.projectId, version, settings.destroy_old_versions === true) };
}

// Returns null unless this session began the same write before and its version is there.
async function findWritten(tools: Tools, { name, token, value }: PutEntry): Promise<number | null> {
  const begun = tools.unsettled.find(name, token);
  if (!begun) return null;
  if (begun.version !== null) return begun.version;
  try {
    const latest = await readLatest(tools, name);
    return latest?.value === value ? latest.version : null;
  } catch (error) {
    if (hasCode(error, 'permission_missing')) return null;
    throw error;
  }
}

async function write(tools: Tools, { name, value, token }: PutEntry): Promise<number> {
  try {
    return await addVersion(tools, name, value);
  } catch (error) {
    if (error instanceof ConnectorError && error.kind === 'external')
      tools.unsettled.note(name, { token, version: null });
    throw error;
  }
}
