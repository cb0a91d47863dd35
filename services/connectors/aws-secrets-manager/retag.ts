import { TagResourceCommand, UntagResourceCommand } from '@aws-sdk/client-secrets-manager';
import type { RetagEntry, Written } from '../../../libs/connector/contract.ts';
import { ConnectorError } from '../../../libs/connector/errors.ts';
import { withHeldArn } from './held.ts';
import { OWNER_TAG, withOwnerTag } from './owner-tag.ts';
import { describeSecret, hasCode, type Tools } from './secret-state.ts';

/** Sets tags and our mark; other tags stay. */
export async function tagSecret(
  { invoke, installation }: Tools,
  name: string,
  tags: Record<string, string>,
  signal: AbortSignal,
): Promise<void> {
  await invoke(new TagResourceCommand({ SecretId: name, Tags: withOwnerTag(tags, installation) }), signal);
}

async function applyTags(
  tools: Tools,
  arn: string,
  { tags, removed }: RetagEntry,
  signal: AbortSignal,
): Promise<void> {
  // Removed first: a secret that holds as many tags as it may has room for the new ones then.
  const keys = removed.filter((key) => key !== OWNER_TAG && !Object.hasOwn(tags, key));
  if (keys.length > 0) await tools.invoke(new UntagResourceCommand({ SecretId: arn, TagKeys: keys }), signal);
  await tagSecret(tools, arn, tags, signal);
}

/** One call, or two where tags go. A secret that waits for its deletion counts as missing. */
export function retagEntry(tools: Tools, entry: RetagEntry, signal: AbortSignal): Promise<Written> {
  return withHeldArn(tools, entry, signal, (arn) => retagSecret(tools, arn, entry, signal));
}

async function retagSecret(
  tools: Tools,
  arn: string,
  entry: RetagEntry,
  signal: AbortSignal,
): Promise<Written> {
  try {
    await applyTags(tools, arn, entry, signal);
    return { reference: arn };
  } catch (error) {
    if (!hasCode(error, 'invalid_request')) throw error;
    const state = await describeSecret(tools, arn, signal);
    if (state && !state.isScheduledForDeletion) throw error;
    throw new ConnectorError({
      kind: 'missing',
      code: 'scheduled_for_deletion',
      message: 'The secret waits for its deletion.',
    });
  }
}
