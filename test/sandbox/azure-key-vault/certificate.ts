import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';

/** A self-signed certificate for 127.0.0.1, and its file for clients (`NODE_EXTRA_CA_CERTS`). */
export type Certificate = { cert: string; key: string; file: string; remove: () => Promise<void> };

/** Creates a new one at each start; `remove` deletes the file. */
export async function createCertificate(): Promise<Certificate> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    keySize: 2048,
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'keyUsage', digitalSignature: true, keyCertSign: true, keyEncipherment: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  });
  const directory = await mkdtemp(join(tmpdir(), 'sealift-authority-'));
  const file = join(directory, 'ca.pem');
  await writeFile(file, cert);
  return { cert, key, file, remove: () => rm(directory, { recursive: true, force: true }) };
}
