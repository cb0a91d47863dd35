import type { EntryKey } from '../../../libs/connector/contract.ts';
import { isMissing } from './outcomes.ts';
import { secretPath, type Tools } from './tools.ts';

/** Deletes a secret with all its versions, for good; one that is gone already counts as deleted. */
export async function removeEntry(tools: Tools, { name }: EntryKey, signal: AbortSignal): Promise<void> {
  try {
    await tools.invoke('DeleteSecret', signal, (client, options) =>
      client.deleteSecret({ name: secretPath(tools, name) }, options),
    );
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
