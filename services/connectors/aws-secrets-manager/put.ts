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
import { describeSecret, toTags, type Tools } from './secret-state.ts';

/** `isCurrent`: the value is now the current one. */
type Sent = Written & { isCurrent: boolean };

/**
 * Creates or replaces a secret in one call; only a name that waits for its deletion takes more. Replacing leaves tags as
 * they are.
 */
export async function putEntry(tools: Tools, entry: PutEntry): Promise<Written> {
  if (entry.value === '') throw failures.fail('value_empty');
  if (entry.expect === 'absent') return create(tools, entry);
  return withOwnedSecret(tools, entry, {
    call: (arn) => writePlaced(tools, arn, entry),
    async whenDeleted(arn) {
      await restoreSecret(tools, arn);
      return afterEffect(() => writeRestored(tools, arn, entry));
    },
  });
}

async function create(tools: Tools, entry: PutEntry): Promise<Written> {
  const replicas = toReplicas(tools.settings.replica_regions);
  const command = new CreateSecretCommand({
    Name: entry.name,
    SecretString: entry.value,
    ClientRequestToken: entry.token,
    Tags: toTags(entry.tags, tools.installation),
    KmsKeyId: tools.settings.kms_key_id,
    ...(replicas.length === 0 ? {} : { AddReplicaRegions: replicas }),
  });
  try {
    const { ARN, ReplicationStatus } = await tools.send(command);
    requireReplicas(ReplicationStatus);
    return { reference: writeReference(ARN, tools.settings) };
  } catch (error) {
    if (!isOfState(error)) throw error;
    return createAgain(tools, entry, error);
  }
}

// AWS refuses the name without saying that it is taken: the name waits for its deletion, or AWS is deleting it right now.
async function createAgain(tools: Tools, entry: PutEntry, refusal: Error): Promise<Written> {
  const state = await describeSecret(tools, entry.name);
  // Our own deletion may still be running. For any other reason AWS's refusal says it all.
  if (!state) throw tools.deletions.isRecent(entry.name) ? failures.fail('deletion_under_way') : refusal;
  if (!state.isScheduledForDeletion || state.owner !== 'ours') throw failures.fail('conflict');
  const id = state.arn ?? entry.name;
  await restoreSecret(tools, id);
  return afterEffect(async () => {
    const lacks = Object.entries(entry.tags).some(([key, value]) => state.tags[key] !== value);
    if (lacks) await tagSecret(tools, id, entry.tags);
    return writeRestored(tools, id, entry);
  });
}

// Writes the value with the key of the settings, to all replicas.
async function writePlaced(tools: Tools, arn: string, entry: PutEntry): Promise<Written> {
  if (isPlacedAsWanted(entry.reference ?? arn, tools.settings)) return writeValue(tools, arn, entry);
  await settlePlacement(tools, arn, entry.reference);
  return afterEffect(() => writeValue(tools, arn, entry));
}

// Its replicas were removed before its deletion.
function writeRestored(tools: Tools, arn: string, entry: PutEntry): Promise<Written> {
  return writePlaced(tools, arn, { ...entry, reference: null });
}

/**
 * Writes a version with the entry's token, so that a repeat changes nothing. A token cannot make this value the current
 * one if it went with another value, or if somebody has replaced its version since. Then we write with a fresh token.
 */
async function writeValue(tools: Tools, id: string, { value, token }: PutEntry): Promise<Written> {
  try {
    const { isCurrent, reference } = await sendValue(tools, id, value, token);
    if (isCurrent) return { reference };
  } catch (error) {
    if (!hasCode(error, 'store_busy')) throw error;
  }
  const again = await sendValue(tools, id, value, undefined);
  if (again.isCurrent) return { reference: again.reference };
  const message = 'AWS accepted the value but does not show it as the current one; it is written again.';
  throw failures.fail('unexpected_answer', { message });
}

async function sendValue(
  { send, settings }: Tools,
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
async function restoreSecret({ send }: Tools, name: string): Promise<void> {
  try {
    await send(new RestoreSecretCommand({ SecretId: name }));
  } catch (error) {
    throw isMissing(error) || isOfState(error) ? failures.fail('deletion_under_way') : error;
  }
}

/** Sets tags and our mark; other tags stay. */
export async function tagSecret(
  { send, installation }: Tools,
  id: string,
  tags: PutEntry['tags'],
): Promise<void> {
  await send(new TagResourceCommand({ SecretId: id, Tags: toTags(tags, installation) }));
}
