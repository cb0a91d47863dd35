import { DeleteSecretCommand } from '@aws-sdk/client-secrets-manager';
import type { EntryKey } from '../../../libs/connector/contract.ts';
import { describeSecret, hasCode, isMissing, type Tools } from './secret-state.ts';

/** Deletes at once, or after the recovery window of the settings; gone or scheduled already is done. */
export async function removeEntry(tools: Tools, { name }: EntryKey, signal: AbortSignal): Promise<void> {
  const days = tools.settings.recovery_window_in_days;
  const how = days === undefined ? { ForceDeleteWithoutRecovery: true } : { RecoveryWindowInDays: days };
  try {
    await tools.invoke(new DeleteSecretCommand({ SecretId: name, ...how }), signal);
  } catch (error) {
    if (isMissing(error)) return;
    if (!hasCode(error, 'invalid_request')) throw error;
    const state = await describeSecret(tools, name, signal);
    if (state && !state.isScheduledForDeletion) throw error;
  }
}
