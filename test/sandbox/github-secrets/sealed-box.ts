import { randomInt } from 'node:crypto';
import sodium from 'libsodium-wrappers';

await sodium.ready;

/** A key pair; the store has one for each repository and environment. */
export type SealingKey = { id: string; publicKey: string; open: (sealed: string) => string | null };

/** Makes a key pair. `open` returns null for text that was not sealed with its public half. */
export function createSealingKey(): SealingKey {
  const pair = sodium.crypto_box_keypair();
  const variant = sodium.base64_variants.ORIGINAL;
  return {
    id: Array.from({ length: 18 }, () => randomInt(10)).join(''),
    publicKey: sodium.to_base64(pair.publicKey, variant),
    open(sealed) {
      try {
        const box = sodium.from_base64(sealed, variant);
        return Buffer.from(sodium.crypto_box_seal_open(box, pair.publicKey, pair.privateKey)).toString(
          'utf8',
        );
      } catch {
        return null;
      }
    },
  };
}
