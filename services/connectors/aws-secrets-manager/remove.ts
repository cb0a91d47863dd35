import { DeleteSecretCommand } from '@aws-sdk/client-secrets-manager';
import type { EntryKey } from '../../../libs/connector/contract.ts';
import { withHeldArn } from './held.ts';
import { describeSecret, hasCode, isMissing, type Tools } from './secret-state.ts';

/** Deletes at once, or after the recovery window of the settings; gone or scheduled already is done. */
export async function removeEntry(tools: Tools, entry: EntryKey, signal: AbortSignal): Promise<void> {
  try {
    await withHeldArn(tools, entry, signal, (arn) => deleteSecret(tools, arn, signal));
    tools.deletions.note(entry.name);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

async function deleteSecret(tools: Tools, arn: string, signal: AbortSignal): Promise<void> {
  const days = tools.settings.recovery_window_in_days;
  const how = days === undefined ? { ForceDeleteWithoutRecovery: true } : { RecoveryWindowInDays: days };
  try {
    await tools.invoke(new DeleteSecretCommand({ SecretId: arn, ...how }), signal);
  } catch (error) {
    if (!hasCode(error, 'invalid_request')) throw error;
    const state = await describeSecret(tools, arn, signal);
    if (state && !state.isScheduledForDeletion) throw error;
  }
}
