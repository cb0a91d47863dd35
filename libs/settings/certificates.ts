import { createPrivateKey, X509Certificate } from 'node:crypto';

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

/** When the certificate in a text ends; undefined if the text is not one certificate. */
export function endOfCertificate(pem: string): Date | undefined {
  const certificate = parseCertificate(pem);
  return certificate && new Date(certificate.validTo);
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
