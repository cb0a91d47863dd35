import type { Connector, EntryKey, Found, Owned, RetagEntry } from '../../../libs/connector/contract.ts';
import { hasCode, orNull } from '../../../libs/connector/errors.ts';
import { areSameTags, changeTags, ownerOf } from '../../../libs/connector/owner.ts';
import { checkPermissions } from './check.ts';
import { openConnection, projectChanged } from './connection.ts';
import type { destination } from './destination.ts';
import { failures } from './failures.ts';
import { putEntry } from './put.ts';
import { projectOf, toReference } from './reference.ts';
import { deleteSecret, getSecret } from './secret.ts';
import { secretPath, toLabel, type Tools } from './tools.ts';
import { createUnsettled } from './unsettled.ts';
import { readLatest } from './versions.ts';

/** Google Cloud Secret Manager through its own SDK, over REST. */
export const connector: Connector<(typeof destination)['settings']> = {
  async open(settings, context) {
    const { invoke, projectId, close } = await openConnection(settings, context);
    const shared = { projectId, settings, mark: toLabel(context.installation), unsettled: createUnsettled() };
    const toolsFor = (signal: AbortSignal): Tools => ({
      ...shared,
      invoke: (operation, call) => invoke(operation, signal, call),
    });
    // The file may have been replaced while no session was open. Then the entry in the ledger is not the one that has the
    // name in this project.
    const here = async <Entry extends EntryKey>(entry: Entry): Promise<Entry> => {
      const project = entry.reference === null ? null : projectOf(entry.reference);
      if (project !== null && project !== projectId) throw projectChanged();
      return entry;
    };
    return {
      check: (signal, name) => checkPermissions(toolsFor(signal), name),
      read: async (entry, signal) => readEntry(toolsFor(signal), await here(entry)),
      findOwner: async (entry, signal) => findOwner(toolsFor(signal), await here(entry)),
      put: async (entry, signal) => putEntry(toolsFor(signal), await here(entry)),
      async retag(entry, signal) {
        await retagEntry(toolsFor(signal), await here(entry));
        return { reference: entry.reference };
      },
      remove: async (entry, signal) => deleteSecret(toolsFor(signal), (await here(entry)).name),
      close,
    };
  },
};

// The value is null if there is no version, if the newest one is disabled or destroyed, or if it is no text: it then
// equals nothing that we could push.
async function readEntry(tools: Tools, { name }: EntryKey): Promise<Found | null> {
  const secret = await orNull(getSecret(tools, name));
  if (!secret) return null;
  const latest = await readLatest(tools, name);
  return {
    owner: ownerOf(secret.labels, tools.mark),
    value: latest?.value ?? null,
    changedAt: null,
    reference: latest ? toReference(tools.projectId, latest.version, false) : null,
  };
}

// Reads no version.
async function findOwner(tools: Tools, { name }: EntryKey): Promise<Owned | null> {
  const secret = await orNull(getSecret(tools, name));
  return secret && { owner: ownerOf(secret.labels, tools.mark), reference: null };
}

// The store replaces all labels at once, so we read them first. The etag makes the write fail if somebody else changed
// them meanwhile. Then we try once more.
async function retagEntry(tools: Tools, entry: RetagEntry): Promise<void> {
  try {
    await replaceLabels(tools, entry);
  } catch (error) {
    if (!hasCode(error, 'store_busy')) throw error;
    await replaceLabels(tools, entry);
  }
}

async function replaceLabels(tools: Tools, entry: RetagEntry): Promise<void> {
  const { labels: present, etag } = await getSecret(tools, entry.name);
  // Somebody may have deleted ours and created their own.
  if (ownerOf(present, tools.mark) !== 'ours' && !entry.isTakenOver) throw failures.fail('not_found');
  const labels = changeTags(present ?? {}, entry, tools.mark);
  if (areSameTags(present ?? {}, labels)) return;
  const secret = { name: secretPath(tools, entry.name), labels, ...(etag ? { etag } : {}) };
  await tools.invoke('UpdateSecret', (client, options) =>
    client.updateSecret({ secret, updateMask: { paths: ['labels'] } }, options),
  );
}
