import type { PutEntry, Written } from '../../../libs/connector/contract.ts';
import { afterEffect, hasCode, orNull } from '../../../libs/connector/errors.ts';
import { parseJson } from '../../../libs/connector/http/json.ts';
import { withOwnerTag } from '../../../libs/connector/owner.ts';
import { failures } from './failures.ts';
import { readDeletedOwner, type Tools } from './secret-state.ts';
import { retryWhileUnderWay } from './time-limit.ts';

/**
 * Writes a version with its tags in one call, whether the secret is there or not; only a name that is deleted, or just
 * being deleted or recovered, takes more: it is waited for, for the time of one call.
 */
export async function putEntry(tools: Tools, entry: PutEntry): Promise<Written> {
  await retryWhileUnderWay(tools.callTimeoutMs, tools.signal, async () => {
    try {
      await writeValue(tools, entry);
    } catch (error) {
      if (!hasCode(error, 'deleted_recoverable')) throw error;
      await recover(tools, entry);
      await afterEffect(() => writeValue(tools, entry));
    }
  });
  return { reference: null };
}

async function writeValue(tools: Tools, { name, value, tags }: PutEntry): Promise<void> {
  await tools.invoke('SetSecret', (client, options) =>
    client.setSecret(name, value, {
      contentType: contentTypeOf(value),
      // Tags belong to a version: what is not given here is not on the new one.
      tags: withOwnerTag(tags, tools.installation),
      ...options,
    }),
  );
}

// Brings the deleted secret of that name back, unless it is somebody else's and nobody has decided to take it.
async function recover(tools: Tools, { name, expect }: PutEntry): Promise<void> {
  const owner = expect === 'absent' ? await readDeletedOwner(tools, name) : 'ours';
  if (owner === null) return;
  if (owner !== 'ours')
    throw failures.fail('conflict', {
      message: 'The name belongs to a deleted secret of somebody else that can be recovered.',
    });
  // Where it is gone meanwhile, by a recovery or a purge, writing tells.
  await orNull(
    tools.invoke('RecoverDeletedSecret', (client, options) =>
      client.beginRecoverDeletedSecret(name, options),
    ),
  );
}

function contentTypeOf(value: string): string {
  const isJson = /^\s*[{[]/.test(value) && parseJson(value) !== undefined;
  return isJson ? 'application/json' : 'text/plain';
}
