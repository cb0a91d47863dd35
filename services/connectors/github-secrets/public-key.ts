import sodium from 'libsodium-wrappers';
import type { Client } from './client.ts';
import { failures } from './failures.ts';

export type PublicKey = { id: string; key: Uint8Array };

export type KeyHolder = {
  /** The key in memory; fetches it if there is none yet. */
  current: (signal: AbortSignal) => Promise<PublicKey>;
  /** Returns a key other than the one with this id if GitHub has one by now, or else that same key. */
  renew: (staleId: string, signal: AbortSignal) => Promise<PublicKey>;
  /** Asks GitHub in any case: an answer proves that the token reaches the container. */
  fetch: (signal: AbortSignal) => Promise<PublicKey>;
};

/** Keeps the public key that seals values. Calls that need it at the same time share one fetch. */
export function createKeyHolder(client: Client): KeyHolder {
  let publicKey: PublicKey | undefined;
  let underWay: Promise<PublicKey> | undefined;

  async function fetch(signal: AbortSignal): Promise<PublicKey> {
    publicKey = readKey(
      (await client.call('GET', `${client.place.secretsPath}/public-key`, { signal, expected: [200] })).data,
    );
    return publicKey;
  }

  // A caller that gives up must not end the shared fetch for the others: if it fails, each waiting caller fetches for
  // itself.
  async function share(signal: AbortSignal): Promise<PublicKey> {
    if (underWay) {
      const shared = await underWay.catch(() => undefined);
      if (shared) return shared;
      return fetch(signal);
    }
    underWay = fetch(signal).finally(() => (underWay = undefined));
    return underWay;
  }

  return {
    current: async (signal) => publicKey ?? share(signal),
    renew: async (staleId, signal) => (publicKey && publicKey.id !== staleId ? publicKey : share(signal)),
    fetch,
  };
}

/** Seals a value so that only the holder of the private key can read it; base64. */
export async function sealFor(key: PublicKey, value: string): Promise<string> {
  await sodium.ready;
  const sealed = sodium.crypto_box_seal(Buffer.from(value, 'utf8'), key.key);
  return sodium.to_base64(sealed, sodium.base64_variants.ORIGINAL);
}

function readKey(data: Record<string, unknown>): PublicKey {
  const { key_id: id, key } = data;
  if (typeof id !== 'string' || typeof key !== 'string') throw failures.fail('unexpected_answer');
  const bytes = Buffer.from(key, 'base64');
  if (bytes.length !== 32) throw failures.fail('unexpected_answer');
  return { id, key: bytes };
}
