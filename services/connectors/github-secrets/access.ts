import { hasCode } from '../../../libs/connector/errors.ts';
import { asObject } from '../../../libs/connector/http/json.ts';
import type { Client } from './client.ts';
import { failures } from './failures.ts';
import type { KeyHolder } from './public-key.ts';

/** For how long an answer of the container proves that a 404 means the secret and not the container, in milliseconds. */
const PROOF_MS = 30_000;

type Missing = 'whole' | 'environment' | 'right';

type Obstacle = { missing?: Missing; error: unknown };

export type Access = {
  /** Notes that the container has just answered. */
  note: () => void;
  /** Resolves if the container exists and the token reaches it; throws what is missing. `fresh` asks in any case. */
  prove: (signal: AbortSignal, options?: { fresh?: boolean }) => Promise<void>;
  /** Whether the environment is gone, and its secrets with it; throws anything else that is missing. */
  isEnvironmentGone: (signal: AbortSignal) => Promise<boolean>;
  /** Turns a "not found" about the container into the error that says what is not found. */
  explain: (error: unknown, signal: AbortSignal) => Promise<unknown>;
};

/**
 * GitHub answers 404 in both cases: a secret, an environment or a repository is gone, or the token may not see it. Only
 * one more call tells which.
 */
export function createAccess(client: Client, keys: KeyHolder): Access {
  let provenAt = -Infinity;
  const note = (): void => {
    provenAt = Date.now();
  };

  // Looks only into "not found" errors; any other error itself says what is wrong.
  async function diagnose(error: unknown, signal: AbortSignal): Promise<Obstacle> {
    if (!hasCode(error, 'container_not_found')) return { error };
    const missing = await findMissing(client, signal);
    return { missing, error: describeMissing(client, missing) ?? error };
  }

  // Returns null if the container answers.
  async function ask(signal: AbortSignal): Promise<Obstacle | null> {
    try {
      await keys.fetch(signal);
      note();
      return null;
    } catch (error) {
      return diagnose(error, signal);
    }
  }

  return {
    note,
    explain: async (error, signal) => (await diagnose(error, signal)).error,
    async prove(signal, { fresh = false } = {}) {
      if (!fresh && Date.now() - provenAt < PROOF_MS) return;
      const obstacle = await ask(signal);
      if (obstacle) throw obstacle.error;
    },
    async isEnvironmentGone(signal) {
      const obstacle = await ask(signal);
      if (obstacle && obstacle.missing !== 'environment') throw obstacle.error;
      return obstacle !== null;
    },
  };
}

async function findMissing(client: Client, signal: AbortSignal): Promise<Missing> {
  const { kind, path } = client.place;
  const { status, data } = await client.call('GET', path, { signal, expected: [200, 404] });
  if (status === 404) return 'whole';
  // An app gets no token that lacks the right.
  const mayWrite = client.isApp || asObject(data['permissions'])['push'] === true;
  return kind === 'environment' && mayWrite ? 'environment' : 'right';
}

// Returns undefined if the first error already says what is missing.
function describeMissing({ place, credential }: Client, missing: Missing) {
  if (missing === 'whole') return undefined;
  const { kind, container, permission } = place;
  if (missing === 'environment') {
    const message = `${container} does not exist: create the environment, or change environment_name.`;
    return failures.fail('container_not_found', { message });
  }
  const seen = kind === 'organization' ? 'organization' : 'repository';
  return failures.fail('permission_missing', {
    scope: 'destination',
    message: `The ${credential} sees the ${seen} but not the secrets of ${container}; it needs "${permission}: write".`,
  });
}
