import { GetSecretValueCommand, UntagResourceCommand } from '@aws-sdk/client-secrets-manager';
import type { Connector, EntryKey, Found, RetagEntry, Written } from '../../../libs/connector/contract.ts';
import { orNull } from '../../../libs/connector/errors.ts';
import { OWNER_TAG } from '../../../libs/connector/owner.ts';
import { checkPermissions } from './check.ts';
import { openClient } from './client.ts';
import { createDeletions } from './deletions.ts';
import type { destination } from './destination.ts';
import { failures, isOfState } from './failures.ts';
import { withOwnedSecret } from './owned-secret.ts';
import { deleteSecret } from './placement.ts';
import { putEntry, tagSecret } from './put.ts';
import { isPlacedAsWanted, replicasLost } from './reference.ts';
import { describeSecret, type OpenStore } from './secret-state.ts';

// Binary data and a secret without a version read as an empty value. The store takes no empty value, so no value of ours
// equals it.
const NOTHING_OF_OURS = '';

/** AWS Secrets Manager through its own SDK. An update is one call, a creation is one call. */
export const connector: Connector<(typeof destination)['settings']> = {
  open(settings, context) {
    const { installation } = context;
    const { send, close } = openClient(settings, context);
    const deletions = createDeletions();
    const storeFor = (signal: AbortSignal): OpenStore => ({
      send: (command) => send(command, signal),
      installation,
      settings,
      deletions,
    });
    return {
      check: (signal, name) => checkPermissions(storeFor(signal), name),
      read: (entry, signal) => readEntry(storeFor(signal), entry),
      put: (entry, signal) => putEntry(storeFor(signal), entry),
      retag: (entry, signal) => retagEntry(storeFor(signal), entry),
      remove: (entry, signal) => removeEntry(storeFor(signal), entry),
      isOutdated: ({ reference }) => !isPlacedAsWanted(reference, settings),
      removedFrom: ({ reference }) => replicasLost(reference, settings),
      close,
    };
  },
};

// A secret of ours that waits for its deletion reads as gone (`put` brings it back). Somebody else's reads as theirs,
// without a value, because its name is still taken.
async function readEntry(store: OpenStore, { name }: EntryKey): Promise<Found | null> {
  const state = await describeSecret(store, name);
  if (!state || (state.isScheduledForDeletion && state.owner === 'ours')) return null;
  const value = state.isScheduledForDeletion ? null : await readValue(store, name);
  const { owner, changedAt, createdAt, tags, arn } = state;
  return { owner, value, changedAt, createdAt, tags, reference: arn };
}

async function readValue({ send }: OpenStore, name: string): Promise<string | null> {
  try {
    const output = await orNull(send(new GetSecretValueCommand({ SecretId: name })));
    return output?.SecretString ?? NOTHING_OF_OURS;
  } catch (error) {
    // Somebody scheduled its deletion after we described it.
    if (isOfState(error)) return null;
    throw error;
  }
}

// One call, or two if tags must go. The removal comes first, so that a secret with the most tags allowed has room for the
// new ones.
function retagEntry(store: OpenStore, entry: RetagEntry): Promise<Written> {
  const keys = entry.removed.filter((key) => key !== OWNER_TAG && !Object.hasOwn(entry.tags, key));
  return withOwnedSecret(store, entry, {
    async call(arn) {
      if (keys.length > 0) await store.send(new UntagResourceCommand({ SecretId: arn, TagKeys: keys }));
      await tagSecret(store, arn, entry.tags);
      return { reference: entry.reference ?? arn };
    },
    whenDeleted: () => Promise.reject(failures.fail('not_found')),
  });
}

// Deletes at once, or after the recovery window of the settings. A secret that is gone or already scheduled counts as
// deleted.
async function removeEntry(store: OpenStore, entry: EntryKey): Promise<void> {
  const days = store.settings.recovery_window_in_days;
  const window = days === undefined ? { ForceDeleteWithoutRecovery: true } : { RecoveryWindowInDays: days };
  const removal = withOwnedSecret(store, entry, {
    call: (arn) => deleteSecret(store, { SecretId: arn, ...window }),
    whenDeleted: () => Promise.resolve({}),
  });
  if (await orNull(removal)) store.deletions.note(entry.name);
}
