import type { RetagEntry, Written } from '../../../libs/connector/contract.ts';
import { hasCode } from './outcomes.ts';
import { OWNER_LABEL, withOwnerLabel, type Labels } from './owner-label.ts';
import { getSecret } from './read.ts';
import { secretPath, type Tools } from './tools.ts';

/**
 * Sets labels and our mark; other labels stay. The store only replaces all labels at once, so they are read first, and an
 * etag keeps a change by somebody else in between: then it is done over, once.
 */
export async function retagEntry(tools: Tools, entry: RetagEntry, signal: AbortSignal): Promise<Written> {
  try {
    await replaceLabels(tools, entry, signal);
  } catch (error) {
    if (!hasCode(error, 'changed_meanwhile')) throw error;
    await replaceLabels(tools, entry, signal);
  }
  return { reference: entry.reference };
}

async function replaceLabels(tools: Tools, entry: RetagEntry, signal: AbortSignal): Promise<void> {
  const { labels: present, etag } = await getSecret(tools, entry.name, signal);
  const labels = merge(present, entry, tools.installation);
  if (isSame(present, labels)) return;
  await tools.invoke('UpdateSecret', signal, (client, options) =>
    client.updateSecret(
      {
        secret: { name: secretPath(tools, entry.name), labels, ...(etag ? { etag } : {}) },
        updateMask: { paths: ['labels'] },
      },
      options,
    ),
  );
}

function merge(present: Labels, { tags, removed }: RetagEntry, installation: string): Record<string, string> {
  const gone = new Set(removed.filter((key) => key !== OWNER_LABEL));
  const kept = Object.entries(present ?? {}).filter(([key]) => !gone.has(key));
  return { ...Object.fromEntries(kept), ...withOwnerLabel(tags, installation) };
}

function isSame(present: Labels, wanted: Record<string, string>): boolean {
  const entries = Object.entries(present ?? {});
  return (
    entries.length === Object.keys(wanted).length && entries.every(([key, value]) => wanted[key] === value)
  );
}
