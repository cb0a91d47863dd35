import type { RevealedAnswer } from '../../../../api/contract/secrets.ts';
import { ask, pathOf } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { readOf } from '../../api/right.ts';
import type { SecretName } from './split-path.ts';

/** The call that shows values of a version; without keys it shows all. */
export function revealOf(secret: SecretName, version: number, keys?: string[]): Call {
  return {
    method: 'POST',
    path: `sys/reveal/${pathOf(secret.mount, secret.path)}`,
    body: { ...(keys ? { keys } : {}), version },
    // It shows what a read of the secret shows, to the same people.
    rights: [readOf(secret)],
  };
}

/** Fetches values, by key. The audit trail has an entry before they arrive. */
export async function reveal(call: Call): Promise<Map<string, RevealedAnswer>> {
  const { values } = await ask<{ values: Record<string, RevealedAnswer> }>(call);
  return new Map(Object.entries(values));
}
