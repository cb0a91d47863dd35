/** When a certificate is valid, and whose it is: the common name of its subject, empty if it has none. */
export type Validity = { from: Date; until: Date; subject: string };

type DerElement = { tag: number; content: Uint8Array };

const SEQUENCE = 0x30;
const VERSION = 0xa0;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;
const LONG_LENGTH = 0x80;
const MOST_LENGTH_BYTES = 4;
// The object identifier 2.5.4.3.
const COMMON_NAME = '85,4,3';

/** When the X.509 certificate in this DER is valid, and whose it is; null if it is none. */
export function validityOf(der: Uint8Array): Validity | null {
  const [certificate] = elementsOf(der);
  if (certificate?.tag !== SEQUENCE) return null;
  const [signed] = elementsOf(certificate.content);
  if (signed?.tag !== SEQUENCE) return null;
  // Before the validity come serial number, algorithm and issuer.
  const [, , , validity, subject] = elementsOf(signed.content).filter(({ tag }) => tag !== VERSION);
  if (validity?.tag !== SEQUENCE) return null;
  const [from, until] = elementsOf(validity.content).map(timeOf);
  return from && until ? { from, until, subject: subject ? commonNameOf(subject) : '' } : null;
}

// A name is a sequence of sets of pairs.
function commonNameOf({ content }: DerElement): string {
  const pairs = elementsOf(content).flatMap((set) =>
    elementsOf(set.content).map((pair) => elementsOf(pair.content)),
  );
  const [, name] = pairs.find(([kind]) => String(kind?.content) === COMMON_NAME) ?? [];
  return name ? new TextDecoder().decode(name.content) : '';
}

// The elements that follow one another, as far as they are whole.
function elementsOf(bytes: Uint8Array): DerElement[] {
  const elements: DerElement[] = [];
  let position = 0;
  while (position + 1 < bytes.length) {
    const { length, start } = lengthAt(bytes, position + 1);
    if (start + length > bytes.length) break;
    elements.push({ tag: bytes[position] ?? 0, content: bytes.subarray(start, start + length) });
    position = start + length;
  }
  return elements;
}

function lengthAt(bytes: Uint8Array, position: number): { length: number; start: number } {
  const first = bytes[position] ?? 0;
  if (first < LONG_LENGTH) return { length: first, start: position + 1 };
  const count = first - LONG_LENGTH;
  if (count > MOST_LENGTH_BYTES) return { length: Infinity, start: position };
  const digits = bytes.subarray(position + 1, position + 1 + count);
  return { length: digits.reduce((sum, digit) => sum * 256 + digit, 0), start: position + 1 + count };
}

function timeOf({ tag, content }: DerElement): Date | null {
  const text = new TextDecoder().decode(content);
  if (tag !== UTC_TIME && tag !== GENERALIZED_TIME) return null;
  // A year of two digits is one from 1950 to 2049.
  const full = tag === UTC_TIME ? `${Number(text.slice(0, 2)) < 50 ? '20' : '19'}${text}` : text;
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(full);
  if (!parts) return null;
  const [, year, month, day, hour, minute, second] = parts;
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time.getTime()) ? null : time;
}
