import { randomBytes } from 'node:crypto';

/** Secrets that stand out, by what they are, and a search for any encoding of them. */
export type Canaries = {
  /** A new secret of its own. */
  make: (kind: string) => string;
  /** Takes up a secret that was made elsewhere. */
  add: (kind: string, value: string) => void;
  /** What is found in a text or bytes: `kind as encoding`. */
  findIn: (haystack: string | Buffer) => string[];
};

/** Begins empty. */
export function createCanaries(): Canaries {
  const encodings = new Map<string, string>();
  const add = (kind: string, value: string): void => {
    for (const [encoding, text] of encode(value)) encodings.set(text, `${kind} as ${encoding}`);
  };
  return {
    make: (kind) => {
      // Characters that JSON, URLs and HTML write differently.
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
  // The middle of a secret in Base64 depends on where it begins within three bytes.
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
