import { ConnectorError } from '../../../libs/connector/errors.ts';
import type { Client } from './client.ts';
import type { KeyHolder } from './public-key.ts';

/** How long an answer of the place is proof that a 404 means the secret and not the place, in milliseconds. */
const PROOF_MS = 30_000;

type Access = {
  /** The place just answered. */
  note: () => void;
  /** Returns where the place is there and the token reaches it; throws what is missing. `fresh` asks in any case. */
  prove: (signal: AbortSignal, options?: { fresh?: boolean }) => Promise<void>;
  /** Turns a "not found" about the place into the error that says what is not found. */
  explain: (error: unknown, signal: AbortSignal) => Promise<unknown>;
};

/**
 * The store answers 404 alike for a secret, an environment or a repository that is gone and for a token that may not
 * see it. Only a further call tells them apart.
 */
export function createAccess(client: Client, keys: KeyHolder, now: () => number = Date.now): Access {
  let provenAt = -Infinity;
  const note = () => {
    provenAt = now();
  };

  async function explain(error: unknown, signal: AbortSignal): Promise<unknown> {
    if (!(error instanceof ConnectorError) || error.code !== 'repository_not_found') return error;
    const { status, data } = await client.call('GET', '', { signal, expected: [200, 404] });
    if (status === 404) return error;
    const { push } = (data['permissions'] ?? {}) as { push?: unknown };
    const isEnvironment = client.secretsPath.startsWith('/environments/');
    if (isEnvironment && push === true) {
      return new ConnectorError({
        kind: 'client',
        code: 'environment_not_found',
        scope: 'destination',
        message: `There is no ${client.place}; create the environment or change environment_name.`,
      });
    }
    return new ConnectorError({
      kind: 'client',
      code: 'permission_missing',
      scope: 'destination',
      message: `The access_token sees the repository but not the secrets of ${client.place}; it needs "${isEnvironment ? 'environments' : 'secrets'}: write".`,
    });
  }

  return {
    note,
    explain,
    async prove(signal, { fresh = false } = {}) {
      if (!fresh && now() - provenAt < PROOF_MS) return;
      try {
        await keys.fetch(signal);
      } catch (error) {
        throw await explain(error, signal);
      }
      note();
    },
  };
}
