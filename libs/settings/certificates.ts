import { createPrivateKey, X509Certificate } from 'node:crypto';

const DAY_MS = 86_400_000;

/** One X.509 certificate in standard PEM form; undefined if the text is not one. */
export function normaliseCertificate(pem: string | null): string | undefined {
  return parseCertificate(pem)?.toString();
}

/**
 * The same for an RSA private key without a passphrase, as PKCS #8. SAML here signs and decrypts with no other kind of
 * key.
 */
export function normalisePrivateKey(pem: string | null): string | undefined {
  try {
    const key = createPrivateKey(pem ?? '');
    if (key.asymmetricKeyType !== 'rsa') return undefined;
    return key.export({ type: 'pkcs8', format: 'pem' }).toString();
  } catch {
    return undefined;
  }
}

/** Whether a text contains exactly one X.509 certificate in PEM, whatever is around it. */
export function isCertificate(pem: string | null): boolean {
  return parseCertificate(pem) !== undefined;
}

/** Whether two texts contain the same certificate, however they are wrapped. Other texts are compared as they are. */
export function isSameCertificate(left: string, right: string): boolean {
  const [first, second] = [parseCertificate(left), parseCertificate(right)];
  if (first && second) return first.fingerprint256 === second.fingerprint256;
  return left.trim() === right.trim();
}

/** From how many days before its end a certificate is said to end soon. */
export const SOON_DAYS = 30;

/** Where the present lies in the life of a certificate. */
export type Standing = 'not_yet_valid' | 'valid' | 'ends_soon' | 'ended';

/**
 * Whose a certificate is, and when it is valid. `fingerprint`: SHA-256 in hex, with colons; `days`: whole days until it ends,
 * less than 0 if it has ended.
 */
export type CertificateFacts = {
  subject: string;
  issuer: string;
  fingerprint: string;
  from: Date;
  until: Date;
  standing: Standing;
  days: number;
};

/** What the certificate in a text says; undefined if the text is not one certificate, or has no dates that are any. */
export function describeCertificate(pem: unknown): CertificateFacts | undefined {
  const certificate = typeof pem === 'string' ? parseCertificate(pem) : undefined;
  if (!certificate) return undefined;
  const [from, until] = [new Date(certificate.validFrom), new Date(certificate.validTo)];
  if ([from, until].some((time) => Number.isNaN(time.getTime()))) return undefined;
  const days = Math.floor((until.getTime() - Date.now()) / DAY_MS);
  const { subject, issuer, fingerprint256: fingerprint } = certificate;
  const names = { subject: inOneLine(subject), issuer: inOneLine(issuer) };
  return { ...names, fingerprint, from, until, days, standing: standingOf(from, days) };
}

// Each part of a name has a line: `CN=idp`, and `O=Example` below it. A name may have no parts.
function inOneLine(name: string | undefined): string {
  return (name ?? '').trim().replaceAll('\n', ', ');
}

function standingOf(from: Date, days: number): Standing {
  if (days < 0) return 'ended';
  if (from.getTime() > Date.now()) return 'not_yet_valid';
  return days < SOON_DAYS ? 'ends_soon' : 'valid';
}

/** Whether a private key belongs to a certificate. Both must be readable. */
export function isPair(certificate: string, privateKey: string): boolean {
  return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(privateKey));
}

function parseCertificate(pem: string | null): X509Certificate | undefined {
  if (!pem || pem.split('-----BEGIN').length !== 2) return undefined;
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}
