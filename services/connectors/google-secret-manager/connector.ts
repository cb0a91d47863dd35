import type { Connector, EntryKey, Found, Owned, RetagEntry } from '../../../libs/connector/contract.ts';
import { hasCode, orNull } from '../../../libs/connector/errors.ts';
import { areSameTags, changeTags, ownerOf } from '../../../libs/connector/owner.ts';
import { checkPermissions } from './check.ts';
import { openConnection, projectChanged } from './connection.ts';
import type { destination } from './destination.ts';
import { failures } from './failures.ts';
import { putEntry } from './put.ts';
import { projectOf, toReference } from './reference.ts';
import { deleteSecret, getSecret, type Secret } from './secret.ts';
import { secretPath, toLabel, type OpenStore } from './open-store.ts';
import { createUnsettled } from './unsettled.ts';
import { readLatest } from './versions.ts';

/** Google Cloud Secret Manager through its own SDK, over REST. */
export const connector: Connector<(typeof destination)['settings']> = {
  async open(settings, context) {
    const { invoke, projectId, holder, close } = await openConnection(settings, context);
    const mark = toLabel(context.installation);
    const shared = { projectId, holder, settings, mark, unsettled: createUnsettled() };
    const storeFor = (signal: AbortSignal): OpenStore => ({
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
      check: (signal, name) => checkPermissions(storeFor(signal), name),
      read: async (entry, signal) => readEntry(storeFor(signal), await here(entry)),
      findOwner: async (entry, signal) => findOwner(storeFor(signal), await here(entry)),
      put: async (entry, signal) => putEntry(storeFor(signal), await here(entry)),
      async retag(entry, signal) {
        await retagEntry(storeFor(signal), await here(entry));
        return { reference: entry.reference };
      },
      remove: async (entry, signal) => deleteSecret(storeFor(signal), (await here(entry)).name),
      close,
    };
  },
};

// The value is null if there is no version, if the newest one is disabled or destroyed, or if it is no text: it then
// equals nothing that we could push.
async function readEntry(store: OpenStore, { name }: EntryKey): Promise<Found | null> {
  const secret = await orNull(getSecret(store, name));
  if (!secret) return null;
  const latest = await readLatest(store, name);
  return {
    owner: ownerOf(secret.labels, store.mark),
    value: latest?.value ?? null,
    changedAt: null,
    createdAt: timeOf(secret.createTime),
    tags: secret.labels ?? {},
    reference: latest ? toReference(store.projectId, latest.version, false) : null,
  };
}

// Seconds are a text, a number or an object, by the transport.
function timeOf(stamp: Secret['createTime']): Date | null {
  return stamp?.seconds ? new Date(Number(String(stamp.seconds)) * 1000) : null;
}

// Reads no version.
async function findOwner(store: OpenStore, { name }: EntryKey): Promise<Owned | null> {
  const secret = await orNull(getSecret(store, name));
  return secret && { owner: ownerOf(secret.labels, store.mark), reference: null };
}

// The store replaces all labels at once, so we read them first. The etag makes the write fail if somebody else changed
// them meanwhile. Then we try once more.
async function retagEntry(store: OpenStore, entry: RetagEntry): Promise<void> {
  try {
    await replaceLabels(store, entry);
  } catch (error) {
    if (!hasCode(error, 'store_busy')) throw error;
    await replaceLabels(store, entry);
  }
}

async function replaceLabels(store: OpenStore, entry: RetagEntry): Promise<void> {
  const { labels: present, etag } = await getSecret(store, entry.name);
  // Somebody may have deleted ours and created their own.
  if (ownerOf(present, store.mark) !== 'ours' && !entry.isTakenOver) throw failures.fail('not_found');
  const labels = changeTags(present ?? {}, entry, store.mark);
  if (areSameTags(present ?? {}, labels)) return;
  const secret = { name: secretPath(store, entry.name), labels, ...(etag ? { etag } : {}) };
  await store.invoke('UpdateSecret', (client, options) =>
    client.updateSecret({ secret, updateMask: { paths: ['labels'] } }, options),
  );
}
