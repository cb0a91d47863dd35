import type { RetagEntry, Written } from '../../../libs/connector/contract.ts';
import { OWNER_TAG, type Tags, withOwnerTag } from './owner-tag.ts';
import { readSecret, type Tools } from './secret-state.ts';

function isSame(left: Tags, right: Tags): boolean {
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => left[key] === right[key]);
}

/** Sets tags and our mark on the current version; other tags stay. The vault replaces all tags at once, so they are read first. */
export async function retagEntry(
  tools: Tools,
  { name, tags, removed }: RetagEntry,
  signal: AbortSignal,
): Promise<Written> {
  const present = await readSecret(tools, name, signal);
  const kept = Object.entries(present.tags).filter(([key]) => key === OWNER_TAG || !removed.includes(key));
  const wanted = withOwnerTag({ ...Object.fromEntries(kept), ...tags }, tools.installation);
  if (!isSame(present.tags, wanted))
    await tools.invoke('UpdateSecret', signal, (client, options) =>
      client.updateSecretProperties(name, present.version, { ...options, tags: wanted }),
    );
  return { reference: null };
}
