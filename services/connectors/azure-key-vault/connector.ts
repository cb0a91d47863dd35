import type {
  Connector,
  EntryKey,
  Found,
  Owned,
  PutEntry,
  RetagEntry,
  Written,
} from '../../../libs/connector/contract.ts';
import { afterEffect, hasCode, isMissing, orNull } from '../../../libs/connector/errors.ts';
import { tryParseJson } from '../../../libs/connector/http/json.ts';
import { areSameTags, changeTags, withOwnerTag } from '../../../libs/connector/owner.ts';
import { checkPermissions } from './check.ts';
import { openVault } from './client.ts';
import type { destination } from './destination.ts';
import { failures } from './failures.ts';
import { readDeletedOwner, readSecret, type OpenStore } from './secret-state.ts';
import { retryWhileUnderWay } from './time-limit.ts';

/** Azure Key Vault through its own SDK. A write is one call, whether it creates or updates. */
export const connector: Connector<(typeof destination)['settings']> = {
  open(settings, context) {
    const { invoke, close } = openVault(settings, context);
    const { installation, callTimeoutMs } = context;
    const storeFor = (signal: AbortSignal): OpenStore => ({
      invoke: (operation, call) => invoke(operation, signal, call),
      signal,
      settings,
      installation,
      callTimeoutMs,
    });
    return {
      check: (signal) => checkPermissions(storeFor(signal)),
      read: (entry, signal) => readEntry(storeFor(signal), entry),
      findOwner: (entry, signal) => findOwner(storeFor(signal), entry),
      put: (entry, signal) => putEntry(storeFor(signal), entry),
      async retag(entry, signal) {
        await retagEntry(storeFor(signal), entry);
        return { reference: null };
      },
      remove: (entry, signal) => removeEntry(storeFor(signal), entry),
      close,
    };
  },
};

// A deleted secret of ours reads as gone (`put` brings it back). Somebody else's reads as theirs, without a value,
// because its name is still taken.
async function readEntry(store: OpenStore, { name }: EntryKey): Promise<Found | null> {
  const present = await orNull(readSecret(store, name));
  if (present) {
    const { owner, value, changedAt, tags } = present;
    return { owner, value, changedAt, tags, reference: null };
  }
  const owner = await readDeletedOwner(store, name);
  if (owner === null || owner === 'ours') return null;
  return { owner, value: null, changedAt: null, reference: null };
}

// We need the right to read a secret anyway. To list its versions we would need one more.
async function findOwner(store: OpenStore, { name }: EntryKey): Promise<Owned | null> {
  const present = await orNull(readSecret(store, name));
  return present && { owner: present.owner, reference: null };
}

// One call writes a version with its tags, whether the secret exists or not. A name that is deleted, or that the vault is
// deleting or recovering, takes more: we wait for it, for the time of one call.
async function putEntry(store: OpenStore, entry: PutEntry): Promise<Written> {
  await retryWhileUnderWay(store.callTimeoutMs, store.signal, async () => {
    try {
      await writeValue(store, entry);
    } catch (error) {
      if (!hasCode(error, 'deleted_recoverable')) throw error;
      await recover(store, entry);
      await afterEffect(() => writeValue(store, entry));
    }
  });
  return { reference: null };
}

async function writeValue(store: OpenStore, { name, value, tags }: PutEntry): Promise<void> {
  await store.invoke('SetSecret', (client, options) =>
    client.setSecret(name, value, {
      contentType: contentTypeOf(value),
      // Tags belong to a version: the new version has only the tags that are given here.
      tags: withOwnerTag(tags, store.installation),
      ...options,
    }),
  );
}

// Brings the deleted secret of that name back, unless it is somebody else's and nobody has decided to take it over.
async function recover(store: OpenStore, { name, expect }: PutEntry): Promise<void> {
  const owner = expect === 'absent' ? await readDeletedOwner(store, name) : 'ours';
  if (owner === null) return;
  if (owner !== 'ours')
    throw failures.fail('conflict', {
      message: 'The name belongs to a deleted secret that someone else wrote and that can be recovered.',
    });
  // If a recovery or a purge has removed it meanwhile, the write will show that.
  await orNull(
    store.invoke('RecoverDeletedSecret', (client, options) =>
      client.beginRecoverDeletedSecret(name, options),
    ),
  );
}

function contentTypeOf(value: string): string {
  const isJson = /^\s*[{[]/.test(value) && tryParseJson(value) !== undefined;
  return isJson ? 'application/json' : 'text/plain';
}

// Changes the tags of the current version. The vault replaces all tags at once, so we read them first, and then we also see
// whose the secret is by now.
async function retagEntry(store: OpenStore, entry: RetagEntry): Promise<void> {
  const { owner, tags: present, version } = await readSecret(store, entry.name);
  if (owner !== 'ours' && !entry.isTakenOver) throw failures.fail('not_found');
  const tags = changeTags(present, entry, store.installation);
  if (areSameTags(present, tags)) return;
  await store.invoke('UpdateSecret', (client, options) =>
    client.updateSecretProperties(entry.name, version, { ...options, tags }),
  );
}

// The secret stays recoverable for as long as the vault says, unless the settings ask to purge it. A secret that is
// already gone counts as removed.
async function removeEntry(store: OpenStore, { name }: EntryKey): Promise<void> {
  const isDeleted = await deleteSecret(store, name);
  if (store.settings.purge_on_delete !== true) return;
  // A secret of that name that somebody else deleted is not ours to purge.
  if (isDeleted || (await readDeletedOwner(store, name)) === 'ours')
    await afterEffect(() => purgeSecret(store, name));
}

// Returns whether there was something to delete.
async function deleteSecret({ invoke }: OpenStore, name: string): Promise<boolean> {
  try {
    await invoke('DeleteSecret', (client, options) => client.beginDeleteSecret(name, options));
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    if (hasCode(error, 'deletion_under_way')) return true;
    throw error;
  }
}

// The vault takes some seconds for a deletion, and it can purge only what is deleted.
async function purgeSecret({ invoke, callTimeoutMs, signal }: OpenStore, name: string): Promise<void> {
  const purge = (): Promise<void> =>
    invoke('PurgeDeletedSecret', (client, options) => client.purgeDeletedSecret(name, options));
  await orNull(retryWhileUnderWay(callTimeoutMs, signal, purge));
}
