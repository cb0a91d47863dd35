import type { PutEntry, Written } from '../../../libs/connector/contract.ts';
import { afterEffect, ConnectorError } from '../../../libs/connector/errors.ts';
import { withOwnerTag } from './owner-tag.ts';
import { outwait } from './patience.ts';
import { hasCode, readDeletedOwner, type Tools } from './secret-state.ts';

const WRITTEN: Written = { reference: null };

function contentTypeOf(value: string): string {
  if (!/^\s*[{[]/.test(value)) return 'text/plain';
  try {
    JSON.parse(value);
    return 'application/json';
  } catch {
    return 'text/plain';
  }
}

async function writeValue(tools: Tools, { name, value, tags }: PutEntry, signal: AbortSignal): Promise<void> {
  await tools.invoke('SetSecret', signal, (client, options) =>
    client.setSecret(name, value, {
      contentType: contentTypeOf(value),
      // Tags belong to a version: what is not given here is not on the new one.
      tags: withOwnerTag(tags, tools.installation),
      ...options,
    }),
  );
}

// Brings the deleted secret of that name back, unless it is somebody else's and nobody has decided to take it.
async function recover(tools: Tools, { name, expect }: PutEntry, signal: AbortSignal): Promise<void> {
  const owner = expect === 'absent' ? await readDeletedOwner(tools, name, signal) : 'ours';
  if (owner === null) return;
  if (owner !== 'ours')
    throw new ConnectorError({
      kind: 'exists',
      code: 'name_taken',
      message: 'The name belongs to a deleted secret of somebody else that can be recovered.',
    });
  try {
    await tools.invoke('RecoverDeletedSecret', signal, (client, options) =>
      client.beginRecoverDeletedSecret(name, options),
    );
  } catch (error) {
    // Gone meanwhile, by a recovery or a purge: writing tells.
    if (!hasCode(error, 'not_found')) throw error;
  }
}

/**
 * Writes a version with its tags in one call, whether the secret is there or not; only a name that is deleted, or just
 * being deleted or recovered, takes more: it is waited for, for the time of one call.
 */
export async function putEntry(tools: Tools, entry: PutEntry, signal: AbortSignal): Promise<Written> {
  await outwait(tools.callTimeoutMs, signal, async () => {
    try {
      await writeValue(tools, entry, signal);
    } catch (error) {
      if (!hasCode(error, 'deleted_recoverable')) throw error;
      await recover(tools, entry, signal);
      await afterEffect(() => writeValue(tools, entry, signal));
    }
  });
  return WRITTEN;
}
