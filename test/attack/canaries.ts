import { randomBytes } from 'node:crypto';

/** Recognisable secrets, by kind, and a search for them in any encoding. */
export type Canaries = {
  /** Makes a new secret. */
  make: (kind: string) => string;
  /** Adds a secret that was made elsewhere. */
  add: (kind: string, value: string) => void;
  /** The secrets found in a text or in bytes, as `kind as encoding`. */
  findIn: (haystack: string | Buffer) => string[];
};

/** Starts with no secrets. */
export function createCanaries(): Canaries {
  const encodings = new Map<string, string>();
  const add = (kind: string, value: string): void => {
    for (const [encoding, text] of encode(value)) encodings.set(text, `${kind} as ${encoding}`);
  };
  return {
    make: (kind) => {
      // Contains characters that JSON, URLs and HTML encode differently.
      const value = `canary"<&/+${randomBytes(12).toString('hex')}`;
      add(kind, value);
      return value;
    },
    add,
    findIn: (haystack) => {
      const text = typeof haystack === 'string' ? haystack : haystack.toString('latin1');
      return [...encodings].filter(([encoding]) => text.includes(encoding)).map(([, what]) => what);
    },
  };
}

function encode(value: string): [string, string][] {
  const bytes = Buffer.from(value);
  const json = JSON.stringify(value).slice(1, -1);
  // In Base64 the middle of a secret depends on its position within three bytes.
  const base64 = [0, 1, 2].map((offset): [string, string] => [
    `Base64, offset ${offset}`,
    Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .slice(offset === 0 ? 0 : 4, -4),
  ]);
  return [
    ['it is', value],
    ['JSON', json],
    ['JSON in JSON', JSON.stringify(json).slice(1, -1)],
    ['a URL part', encodeURIComponent(value)],
    ['hexadecimal', bytes.toString('hex')],
    ['its tail', value.slice(-20)],
    ['reversed', value.split('').toReversed().join('')],
    ...base64,
    ...base64.map(([name, text]): [string, string] => [
      `${name}, for URLs`,
      text.replaceAll('+', '-').replaceAll('/', '_'),
    ]),
  ];
}
