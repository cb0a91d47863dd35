import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import type { EntryKey, Found } from '../../../libs/connector/contract.ts';
import { describeSecret, hasCode, isMissing, type Tools } from './secret-state.ts';

// Binary data and a secret without a version read as empty: the store takes no empty value, so it equals none of ours.
const NOTHING_OF_OURS = '';

async function readValue({ invoke }: Tools, name: string, signal: AbortSignal): Promise<string | null> {
  try {
    const output = await invoke(new GetSecretValueCommand({ SecretId: name }), signal);
    return output.SecretString ?? NOTHING_OF_OURS;
  } catch (error) {
    if (isMissing(error)) return NOTHING_OF_OURS;
    // Its deletion was scheduled since it was described.
    if (hasCode(error, 'invalid_request')) return null;
    throw error;
  }
}

/**
 * Value and owner. Our own secret that waits for its deletion reads as gone (`put` brings it back); somebody
 * else's reads as theirs without a value, because its name is taken all the same.
 */
export async function readEntry(
  tools: Tools,
  { name }: EntryKey,
  signal: AbortSignal,
): Promise<Found | null> {
  const state = await describeSecret(tools, name, signal);
  if (!state || (state.isScheduledForDeletion && state.owner === 'ours')) return null;
  const value = state.isScheduledForDeletion ? null : await readValue(tools, name, signal);
  return { owner: state.owner, value, changedAt: state.changedAt, reference: state.arn };
}
