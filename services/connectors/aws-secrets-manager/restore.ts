import { RestoreSecretCommand } from '@aws-sdk/client-secrets-manager';
import { ConnectorError } from '../../../libs/connector/errors.ts';
import { hasCode, isMissing, type Tools } from './secret-state.ts';

/** The name is not free yet, and nothing is left to restore: a forced deletion is carried out in the background. */
export function stillBeingDeleted(): ConnectorError {
  return new ConnectorError({
    kind: 'external',
    code: 'deletion_under_way',
    message: 'The name is still being deleted; it is tried again shortly.',
    retryAfterMs: 2000,
  });
}

/** Takes a secret back from its scheduled deletion, with its tags. */
export async function restoreSecret({ invoke }: Tools, name: string, signal: AbortSignal): Promise<void> {
  try {
    await invoke(new RestoreSecretCommand({ SecretId: name }), signal);
  } catch (error) {
    throw isMissing(error) || hasCode(error, 'invalid_request') ? stillBeingDeleted() : error;
  }
}
