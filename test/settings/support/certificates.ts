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

/** The DER of a certificate, in base64. */
export function toBase64(pem: string): string {
  return pem.replaceAll(/-----.*-----|\s/g, '');
}

/** The same certificate with an end that is no time. */
export function withoutEnd({ cert }: Certificate): string {
  const bytes = Buffer.from(toBase64(cert), 'base64');
  // Its second time by its tag and its length.
  const tag = Buffer.from([0x17, 13]);
  bytes.write('no', bytes.indexOf(tag, bytes.indexOf(tag) + 1) + tag.length);
  return `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64')}\n-----END CERTIFICATE-----`;
}
