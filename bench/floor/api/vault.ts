import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Seals and opens values in Sealift's format (libs/crypto/seal.ts): what the database holds cannot be read without. */
export type Vault = {
  seal: (text: string, identity: string) => Buffer;
  open: (sealed: Buffer, identity: string) => string;
};

const ID_END = 9;
const KEY_END = ID_END + 60;

export function createVault(key: Buffer): Vault {
  const id = createHash('sha256').update('sealift master key id').update(key).digest().subarray(0, 8);
  const head = Buffer.concat([Buffer.from([1]), id]);
  return {
    seal: (text, identity) => {
      const dataKey = randomBytes(32);
      return Buffer.concat([
        head,
        encrypt(key, dataKey, identity),
        encrypt(dataKey, Buffer.from(text), identity),
      ]);
    },
    open: (sealed, identity) => {
      const dataKey = decrypt(key, sealed.subarray(ID_END, KEY_END), identity);
      return decrypt(dataKey, sealed.subarray(KEY_END), identity).toString();
    },
  };
}

function encrypt(key: Buffer, plain: Buffer, identity: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(identity));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, box: Buffer, identity: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, 12)).setAAD(Buffer.from(identity));
  decipher.setAuthTag(box.subarray(-16));
  return Buffer.concat([decipher.update(box.subarray(12, -16)), decipher.final()]);
}
