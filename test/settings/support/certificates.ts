import { generate } from 'selfsigned';

/** A self-signed certificate and its key, both in PEM. */
export type Certificate = { cert: string; key: string };

/** Makes a new pair at each call. */
export async function createCertificate(name: string): Promise<Certificate> {
  const made = await generate([{ name: 'commonName', value: name }], { keySize: 2048 });
  return { cert: made.cert, key: made.private };
}
