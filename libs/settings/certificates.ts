import { createPrivateKey, X509Certificate } from 'node:crypto';

/** One X.509 certificate in PEM, written as every reader of PEM takes it; undefined for what is none. */
export function normaliseCertificate(pem: string | null): string | undefined {
  return parseCertificate(pem)?.toString();
}

/** The same of an RSA private key that needs no passphrase, as PKCS #8. No other key signs or decrypts in SAML here. */
export function normalisePrivateKey(pem: string | null): string | undefined {
  try {
    const key = createPrivateKey(pem ?? '');
    if (key.asymmetricKeyType !== 'rsa') return undefined;
    return key.export({ type: 'pkcs8', format: 'pem' }).toString();
  } catch {
    return undefined;
  }
}

/** Whether a text is one X.509 certificate in PEM, whatever stands around it. */
export function isCertificate(pem: string | null): boolean {
  return parseCertificate(pem) !== undefined;
}

/** Whether two texts hold the same certificate, however they are wrapped; what is no certificate is compared as text. */
export function isSameCertificate(left: string, right: string): boolean {
  const [first, second] = [parseCertificate(left), parseCertificate(right)];
  if (first && second) return first.fingerprint256 === second.fingerprint256;
  return left.trim() === right.trim();
}

function parseCertificate(pem: string | null): X509Certificate | undefined {
  if (!pem || pem.split('-----BEGIN').length !== 2) return undefined;
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}
