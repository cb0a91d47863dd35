import { CreateSecretCommand, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import type { PutEntry, Written } from '../../../libs/connector/contract.ts';
import { afterEffect, ConnectorError } from '../../../libs/connector/errors.ts';
import { withHeldArn } from './held.ts';
import { withOwnerTag } from './owner-tag.ts';
import { restoreSecret, stillBeingDeleted } from './restore.ts';
import { tagSecret } from './retag.ts';
import { describeSecret, hasCode, type SecretState, type Tools } from './secret-state.ts';

function emptyValue(): ConnectorError {
  return new ConnectorError({
    kind: 'client',
    code: 'value_empty',
    final: true,
    message: 'The value is empty, and AWS Secrets Manager holds no empty values.',
  });
}

function nameTaken(): ConnectorError {
  return new ConnectorError({
    kind: 'exists',
    code: 'name_taken',
    message: 'A secret of this name exists already, or waits for its deletion.',
  });
}

function notCurrent(): ConnectorError {
  return new ConnectorError({
    kind: 'external',
    code: 'unexpected_answer',
    message: 'AWS took the value and does not say that it is the current one; it is written again.',
  });
}

/** `isCurrent`: the value is the current one afterwards. */
type Sent = Written & { isCurrent: boolean };

async function sendValue(
  { invoke }: Tools,
  id: string,
  value: string,
  token: string | undefined,
  signal: AbortSignal,
): Promise<Sent> {
  const command = new PutSecretValueCommand({
    SecretId: id,
    SecretString: value,
    ClientRequestToken: token,
  });
  const output = await invoke(command, signal);
  return { reference: output.ARN ?? null, isCurrent: output.VersionStages?.includes('AWSCURRENT') === true };
}

/**
 * Writes a version under the entry's token, so that a repeat changes nothing. A token that went with another value, or
 * whose version somebody has since replaced, cannot make this value the current one: then a fresh token does.
 */
async function writeValue(
  tools: Tools,
  id: string,
  { value, token }: PutEntry,
  signal: AbortSignal,
): Promise<Written> {
  try {
    const { isCurrent, reference } = await sendValue(tools, id, value, token, signal);
    if (isCurrent) return { reference };
  } catch (error) {
    if (!hasCode(error, 'version_conflict')) throw error;
  }
  const again = await sendValue(tools, id, value, undefined, signal);
  if (!again.isCurrent) throw notCurrent();
  return { reference: again.reference };
}

async function update(tools: Tools, arn: string, entry: PutEntry, signal: AbortSignal): Promise<Written> {
  try {
    return await writeValue(tools, arn, entry, signal);
  } catch (error) {
    if (!hasCode(error, 'invalid_request')) throw error;
    const state = await describeSecret(tools, arn, signal);
    if (state && !state.isScheduledForDeletion) throw error;
    await restoreSecret(tools, arn, signal);
    return afterEffect(() => writeValue(tools, arn, entry, signal));
  }
}

function lacksTags(state: SecretState, tags: Record<string, string>): boolean {
  return Object.entries(tags).some(
    ([key, value]) => !state.tags.some((tag) => tag.Key === key && tag.Value === value),
  );
}

// The name is refused without being plainly taken: it waits for its deletion, or is just being deleted.
async function createAgain(
  tools: Tools,
  entry: PutEntry,
  refusal: unknown,
  signal: AbortSignal,
): Promise<Written> {
  const state = await describeSecret(tools, entry.name, signal);
  // A deletion of our own may be under way. Of any other reason AWS has said what there is to say.
  if (!state) throw tools.deletions.isRecent(entry.name) ? stillBeingDeleted() : refusal;
  if (!state.isScheduledForDeletion || state.owner !== 'ours') throw nameTaken();
  const id = state.arn ?? entry.name;
  await restoreSecret(tools, id, signal);
  return afterEffect(async () => {
    if (lacksTags(state, entry.tags)) await tagSecret(tools, id, entry.tags, signal);
    return writeValue(tools, id, entry, signal);
  });
}

async function create(tools: Tools, entry: PutEntry, signal: AbortSignal): Promise<Written> {
  const { invoke, installation, settings } = tools;
  try {
    const { ARN } = await invoke(
      new CreateSecretCommand({
        Name: entry.name,
        SecretString: entry.value,
        ClientRequestToken: entry.token,
        Tags: withOwnerTag(entry.tags, installation),
        KmsKeyId: settings.kms_key_id,
      }),
      signal,
    );
    return { reference: ARN ?? null };
  } catch (error) {
    if (!hasCode(error, 'invalid_request')) throw error;
    return createAgain(tools, entry, error, signal);
  }
}

/** Creates or replaces in one call; only a name that waits for its deletion takes more. Replacing leaves tags alone. */
export async function putEntry(tools: Tools, entry: PutEntry, signal: AbortSignal): Promise<Written> {
  if (entry.value === '') throw emptyValue();
  if (entry.expect === 'absent') return create(tools, entry, signal);
  return withHeldArn(tools, entry, signal, (arn) => update(tools, arn, entry, signal));
}
