import { createPrivateKey, X509Certificate } from 'node:crypto';

/** Whether a text is one X.509 certificate in PEM. */
export function isCertificate(pem: string | null): boolean {
  return parseCertificate(pem) !== undefined;
}

/** Whether a text is a private key in PEM that needs no passphrase. */
export function isPrivateKey(pem: string | null): boolean {
  try {
    createPrivateKey(pem ?? '');
    return true;
  } catch {
    return false;
  }
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
