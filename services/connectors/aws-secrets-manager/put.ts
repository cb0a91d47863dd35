import {
  CreateSecretCommand,
  PutSecretValueCommand,
  RestoreSecretCommand,
  TagResourceCommand,
} from '@aws-sdk/client-secrets-manager';
import type { PutEntry, Written } from '../../../libs/connector/contract.ts';
import { afterEffect, hasCode, isMissing } from '../../../libs/connector/errors.ts';
import { failures, isOfState } from './failures.ts';
import { withOwnedSecret } from './owned-secret.ts';
import { requireReplicas, settlePlacement, toReplicas } from './placement.ts';
import { isPlacedAsWanted, writeReference } from './reference.ts';
import { describeSecret, toTags, type OpenStore } from './secret-state.ts';

/** `isCurrent`: the value is now the current one. */
type Sent = Written & { isCurrent: boolean };

/**
 * Creates or replaces a secret in one call; only a name that waits for its deletion takes more. Replacing leaves tags as
 * they are.
 */
export async function putEntry(store: OpenStore, entry: PutEntry): Promise<Written> {
  if (entry.value === '') throw failures.fail('value_empty');
  if (entry.expect === 'absent') return create(store, entry);
  return withOwnedSecret(store, entry, {
    call: (arn) => writePlaced(store, arn, entry),
    async whenDeleted(arn) {
      await restoreSecret(store, arn);
      return afterEffect(() => writeRestored(store, arn, entry));
    },
  });
}

async function create(store: OpenStore, entry: PutEntry): Promise<Written> {
  const replicas = toReplicas(store.settings.replica_regions);
  const command = new CreateSecretCommand({
    Name: entry.name,
    SecretString: entry.value,
    ClientRequestToken: entry.token,
    Tags: toTags(entry.tags, store.installation),
    KmsKeyId: store.settings.kms_key_id,
    ...(replicas.length === 0 ? {} : { AddReplicaRegions: replicas }),
  });
  try {
    const { ARN, ReplicationStatus } = await store.send(command);
    requireReplicas(ReplicationStatus);
    return { reference: writeReference(ARN, store.settings) };
  } catch (error) {
    if (!isOfState(error)) throw error;
    return createAgain(store, entry, error);
  }
}

// AWS refuses the name without saying that it is taken: the name waits for its deletion, or AWS is deleting it right now.
async function createAgain(store: OpenStore, entry: PutEntry, refusal: Error): Promise<Written> {
  const state = await describeSecret(store, entry.name);
  // Our own deletion may still be running. For any other reason AWS's refusal says it all.
  if (!state) throw store.deletions.isRecent(entry.name) ? failures.fail('deletion_under_way') : refusal;
  if (!state.isScheduledForDeletion || state.owner !== 'ours') throw failures.fail('conflict');
  const id = state.arn ?? entry.name;
  await restoreSecret(store, id);
  return afterEffect(async () => {
    const lacks = Object.entries(entry.tags).some(([key, value]) => state.tags[key] !== value);
    if (lacks) await tagSecret(store, id, entry.tags);
    return writeRestored(store, id, entry);
  });
}

// Writes the value with the key of the settings, to all replicas.
async function writePlaced(store: OpenStore, arn: string, entry: PutEntry): Promise<Written> {
  if (isPlacedAsWanted(entry.reference ?? arn, store.settings)) return writeValue(store, arn, entry);
  await settlePlacement(store, arn, entry.reference);
  return afterEffect(() => writeValue(store, arn, entry));
}

// Its replicas were removed before its deletion.
function writeRestored(store: OpenStore, arn: string, entry: PutEntry): Promise<Written> {
  return writePlaced(store, arn, { ...entry, reference: null });
}

/**
 * Writes a version with the entry's token, so that a repeat changes nothing. A token cannot make this value the current
 * one if it went with another value, or if somebody has replaced its version since. Then we write with a fresh token.
 */
async function writeValue(store: OpenStore, id: string, { value, token }: PutEntry): Promise<Written> {
  try {
    const { isCurrent, reference } = await sendValue(store, id, value, token);
    if (isCurrent) return { reference };
  } catch (error) {
    if (!hasCode(error, 'store_busy')) throw error;
  }
  const again = await sendValue(store, id, value, undefined);
  if (again.isCurrent) return { reference: again.reference };
  const message = 'AWS accepted the value but does not show it as the current one; it is written again.';
  throw failures.fail('unexpected_answer', { message });
}

async function sendValue(
  { send, settings }: OpenStore,
  id: string,
  value: string,
  token?: string,
): Promise<Sent> {
  const output = await send(
    new PutSecretValueCommand({ SecretId: id, SecretString: value, ClientRequestToken: token }),
  );
  const reference = writeReference(output.ARN, settings);
  return { reference, isCurrent: output.VersionStages?.includes('AWSCURRENT') === true };
}

// Takes a secret back from its scheduled deletion, with its tags. A forced deletion goes on in the background and leaves
// nothing to restore.
async function restoreSecret({ send }: OpenStore, name: string): Promise<void> {
  try {
    await send(new RestoreSecretCommand({ SecretId: name }));
  } catch (error) {
    throw isMissing(error) || isOfState(error) ? failures.fail('deletion_under_way') : error;
  }
}

/** Sets tags and our mark; other tags stay. */
export async function tagSecret(
  { send, installation }: OpenStore,
  id: string,
  tags: PutEntry['tags'],
): Promise<void> {
  await send(new TagResourceCommand({ SecretId: id, Tags: toTags(tags, installation) }));
}
