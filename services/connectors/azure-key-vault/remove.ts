import type { EntryKey } from '../../../libs/connector/contract.ts';
import { afterEffect } from '../../../libs/connector/errors.ts';
import { outwait } from './patience.ts';
import { hasCode, isMissing, readDeletedOwner, type Tools } from './secret-state.ts';

// Whether there was something to delete.
async function deleteSecret({ invoke }: Tools, name: string, signal: AbortSignal): Promise<boolean> {
  try {
    await invoke('DeleteSecret', signal, (client, options) => client.beginDeleteSecret(name, options));
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    if (hasCode(error, 'deletion_under_way')) return true;
    throw error;
  }
}

// A deletion takes the vault some seconds, and only what is deleted can be purged.
async function purgeSecret(tools: Tools, name: string, signal: AbortSignal): Promise<void> {
  try {
    await outwait(tools.callTimeoutMs, signal, () =>
      tools.invoke('PurgeDeletedSecret', signal, (client, options) =>
        client.purgeDeletedSecret(name, options),
      ),
    );
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Deletes the secret; it stays recoverable for as long as the vault says, unless the settings ask to purge it. Gone already is done. */
export async function removeEntry(tools: Tools, { name }: EntryKey, signal: AbortSignal): Promise<void> {
  const isDeleted = await deleteSecret(tools, name, signal);
  if (tools.settings.purge_on_delete !== true) return;
  // What somebody else has deleted under the name is not ours to purge.
  if (isDeleted || (await readDeletedOwner(tools, name, signal)) === 'ours')
    await afterEffect(() => purgeSecret(tools, name, signal));
}
