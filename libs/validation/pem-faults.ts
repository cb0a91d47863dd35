import { createPrivateKey, X509Certificate } from 'node:crypto';

const FRAME = /-----BEGIN ([^-\r\n]*)-----/g;
const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/;

// What other frames hold, and what to do about it.
const OTHER_FRAMES: [label: RegExp, fault: string][] = [
  [
    /PRIVATE KEY$/,
    'is a private key: send the certificate, and replace the key if it should not have left its machine',
  ],
  [/CERTIFICATE REQUEST$/, 'is a certificate signing request: send the certificate that was issued for it'],
  [/PUBLIC KEY$/, 'is a public key alone: send the certificate that contains it'],
  [/^PKCS7$|^CMS$/, 'is a PKCS #7 bundle: extract the certificate with `openssl pkcs7 -print_certs`'],
  [/CRL$/, 'is a list of revoked certificates: send the certificate'],
  [/^TRUSTED CERTIFICATE$/, 'is in the format TRUSTED CERTIFICATE: convert it with `openssl x509`'],
];

/** Why a text is not one X.509 certificate in PEM, and what to do; undefined if it is one. */
export function findCertificateFault(text: string | null): string | undefined {
  if (!text?.trim()) return 'is required: an X.509 certificate in PEM';
  const labels = labelsOf(text);
  if (labels.length > 1 && labels.every((label) => label === 'CERTIFICATE'))
    return `holds ${labels.length} certificates: send only the one that signs`;
  return findCertificatesFault(text);
}

/** The same for a text that may hold several. */
export function findCertificatesFault(text: string): string | undefined {
  const labels = labelsOf(text);
  if (labels.length === 0) return frameFault(text, 'CERTIFICATE', isCertificateInBase64);
  const others = labels.filter((label) => label !== 'CERTIFICATE');
  const known = OTHER_FRAMES.find(([label]) => others.some((other) => label.test(other)));
  if (known && labels.length > others.length) return `holds more than a certificate: it also ${known[1]}`;
  if (known) return known[1];
  if (others.length > 0) return `has the frame BEGIN ${others[0]}: it must be BEGIN CERTIFICATE`;
  return text
    .split(/(?=-----BEGIN CERTIFICATE-----)/)
    .filter((block) => labelsOf(block).length > 0)
    .map((block) => brokenFault(block, 'CERTIFICATE', () => new X509Certificate(block)))
    .find((fault) => fault !== undefined);
}

/** The same for an RSA private key without a passphrase. */
export function findPrivateKeyFault(text: string | null): string | undefined {
  if (!text?.trim()) return 'is required: an RSA private key in PEM without a passphrase';
  const labels = labelsOf(text);
  if (labels.length === 0) return frameFault(text, 'PRIVATE KEY', isKeyInBase64);
  if (labels.length > 1) return `holds ${labels.length} PEM blocks: send only the private key`;
  const [label = ''] = labels;
  if (/CERTIFICATE/.test(label)) return 'is a certificate: send its private key';
  if (label.endsWith('PUBLIC KEY')) return 'is a public key: send the private key';
  if (label === 'OPENSSH PRIVATE KEY')
    return 'is in the format of OpenSSH: convert it with `ssh-keygen -p -m PEM`';
  if (label === 'ENCRYPTED PRIVATE KEY' || /^Proc-Type: 4,ENCRYPTED/m.test(text))
    return 'has a passphrase: remove it with `openssl pkey`';
  if (!label.endsWith('PRIVATE KEY')) return `has the frame BEGIN ${label}: it must be BEGIN PRIVATE KEY`;
  const broken = brokenFault(text, label, () => createPrivateKey(text));
  if (broken !== undefined) return broken;
  const type = createPrivateKey(text).asymmetricKeyType;
  return type === 'rsa' ? undefined : `is a key of the type ${type}: it must be an RSA key`;
}

function labelsOf(text: string): string[] {
  return [...text.matchAll(FRAME)].map(([, label = '']) => label);
}

// Texts without a frame that anything could be read from.
function frameFault(text: string, label: string, isBase64Of: (base64: string) => boolean): string {
  const frame = `-----BEGIN ${label}----- and -----END ${label}-----`;
  if (/^-----BEGIN [A-Z0-9 ]+/m.test(text)) return `is incomplete: it must be between ${frame}`;
  if (/BEGIN [A-Z0-9 ]+/.test(text)) return `has a frame with other dashes than five hyphens: write ${frame}`;
  if (/^\s*https?:/.test(text)) return 'is an address: send the content that it gives';
  if (/^\s*</.test(text)) return `is XML: send the text of its X509Certificate, between ${frame}`;
  if (/^\s*(?:[0-9a-f]{2}:){15,}[0-9a-f]{2}\s*$/i.test(text))
    return 'is a fingerprint: send the whole text in PEM';
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u0008\ufffd]/.test(text))
    return 'is binary (DER or PKCS #12): convert it to PEM with `openssl`';
  if (BASE64.test(text) && isBase64Of(text)) return `is base64 without its frame: put it between ${frame}`;
  return `has no frame: it must be between ${frame}`;
}

function isCertificateInBase64(base64: string): boolean {
  return isReadable(() => new X509Certificate(Buffer.from(base64, 'base64')));
}

function isKeyInBase64(base64: string): boolean {
  const key = Buffer.from(base64, 'base64');
  return (['pkcs8', 'pkcs1'] as const).some((type) =>
    isReadable(() => createPrivateKey({ key, format: 'der', type })),
  );
}

function brokenFault(text: string, label: string, read: () => unknown): string | undefined {
  if (isReadable(read)) return undefined;
  if (/\\r?\\n|\\n/.test(text)) return 'has its line ends written as \\n: send real line ends';
  const [, rest = ''] = text.split(`-----BEGIN ${label}-----`);
  const [body = '', ...end] = rest.split(`-----END ${label}-----`);
  if (end.length === 0) return `is cut off: the line -----END ${label}----- is missing`;
  if (body.trim() === '') return 'is empty between its frame';
  if (!BASE64.test(body)) return 'has characters between its frame that are not base64';
  const bytes = Buffer.from(body, 'base64');
  const wanted = bytes[1] === 0x82 ? bytes.readUInt16BE(2) + 4 : undefined;
  if (wanted !== undefined && bytes.length < wanted)
    return `is cut off: it has ${bytes.length} of ${wanted} bytes`;
  return 'is damaged: copy it again';
}

function isReadable(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}
