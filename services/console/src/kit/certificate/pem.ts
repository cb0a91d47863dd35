import type { FileText } from '../text/file-button.tsx';
import { describeDay } from '../time.tsx';
import { validityOf, type Validity } from './validity.ts';

const LINE = 64;

/** A certificate as PEM, from its DER in base64. */
export function toPem(base64: string): string {
  const lines = base64.match(new RegExp(`.{1,${LINE}}`, 'g')) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

/** The DER of a certificate in base64, from PEM or from base64 with blanks. */
export function toBase64(text: string): string {
  return text.replaceAll(/-----[^-]*-----|\s/g, '');
}

/** When the certificate in this base64 is valid; null if it is none. */
export function validityOfBase64(base64: string): Validity | null {
  try {
    return validityOf(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));
  } catch {
    return null;
  }
}

const PEM = /-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----/;

/** Whose the first certificate in this PEM is, and until when it is valid, in sentences; empty if there is none. */
export function describePem(text: string): string {
  const validity = validityOfBase64(toBase64(PEM.exec(text)?.[1] ?? ''));
  if (!validity) return '';
  const { subject, from, until } = validity;
  const now = new Date();
  const life =
    until < now
      ? `It expired on ${describeDay(until)}.`
      : from > now
        ? `It is not valid before ${describeDay(from)}.`
        : `It is valid until ${describeDay(until)}.`;
  return `${subject ? `This is the certificate of ${subject}. ` : ''}${life}`;
}

/** The certificate in a file, as PEM; a fault says why there is none. */
export function certificateIn(
  file: Extract<FileText, { text: string }>,
): { text: string } | { fault: string } {
  if (!file.isBase64 && file.text.includes('-----BEGIN')) {
    return /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(file.text)
      ? { fault: 'It holds a private key. Choose a file with the certificate alone.' }
      : { text: file.text };
  }
  const base64 = toBase64(file.text);
  if (validityOfBase64(base64)) return { text: toPem(base64) };
  if (/^\s*(?:\uFEFF)?</.test(file.text))
    return { fault: 'It is XML. Metadata of the identity provider have a button of their own.' };
  return { fault: 'It is no certificate in PEM or DER. Export the certificate alone as .pem, .crt or .cer.' };
}
