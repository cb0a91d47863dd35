import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** A symmetric key as in a key service: it never leaves, it keeps its versions, and it authenticates associated data. */
export function createSymmetricKey() {
  const versions = [randomBytes(32)];
  return {
    /** The number of the current version, from 1 on. */
    version: () => versions.length,
    rotate: () => void versions.push(randomBytes(32)),
    encrypt(plaintext: Buffer, associated: Buffer): Buffer {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', versions.at(-1) ?? '', nonce).setAAD(associated);
      return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
    },
    /** Null if the box was made with another key, version or associated data. */
    decrypt(box: Buffer, associated: Buffer, version: number): Buffer | null {
      const key = versions[version - 1];
      if (!key || box.length < 28) return null;
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, 12)).setAAD(associated);
        decipher.setAuthTag(box.subarray(-16));
        return Buffer.concat([decipher.update(box.subarray(12, -16)), decipher.final()]);
      } catch {
        return null;
      }
    },
  };
}
