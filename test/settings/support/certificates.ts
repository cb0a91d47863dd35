import { generate } from 'selfsigned';

const YEAR_MS = 365 * 86_400_000;

/** A self-signed certificate and its key, both in PEM. */
export type Certificate = { cert: string; key: string };

/** Makes a new pair at each call. It is valid for a year. */
export function createCertificate(name: string): Promise<Certificate> {
  return createCertificateUntil(name, new Date(Date.now() + YEAR_MS));
}

/** The same, with a certificate that ends then. */
export async function createCertificateUntil(name: string, end: Date): Promise<Certificate> {
  const dates = { notBeforeDate: new Date(end.getTime() - 2 * YEAR_MS), notAfterDate: end };
  const made = await generate([{ name: 'commonName', value: name }], { keySize: 2048, ...dates });
  return { cert: made.cert, key: made.private };
}
