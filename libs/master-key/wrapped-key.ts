import { services } from './services.ts';

/** A key of a key service: `{service}://{key}`. */
export type KeyAddress = { service: string; key: string };

/** A master key as a key service wrapped it: `{service}://{key}#{ciphertext}`. It names what can unwrap it, and is no secret. */
export type WrappedKey = KeyAddress & { ciphertext: string };

/** Reads the address of a key; a text is what is wrong with it. */
export function parseAddress(text: string): KeyAddress | string {
  const [, service = '', key = ''] = /^([a-z-]+):\/\/([^#\s,]+)$/.exec(text) ?? [];
  const kind = Object.hasOwn(services, service) ? services[service] : undefined;
  if (!kind)
    return `the address of a key begins with ${Object.keys(services)
      .map((name) => `${name}://`)
      .join(', ')}`;
  return kind.key.test(key) ? { service, key } : `a key of ${service} is written like ${kind.example}`;
}

/** Whether a text means to be a wrapped key: no plain one has this in it. */
export function looksWrapped(text: string): boolean {
  return text.includes('://');
}

/** Reads a wrapped key; a text is what is wrong with it, and repeats none of it. */
export function parseWrapped(text: string): WrappedKey | string {
  const [address = '', ciphertext = '', ...more] = text.split('#');
  const found = parseAddress(address);
  if (typeof found === 'string') return found;
  const isWhole = more.length === 0 && /^[\w:+/=-]{16,8192}$/.test(ciphertext);
  return isWhole
    ? { ...found, ciphertext }
    : 'a wrapped key is the address of a key, # and what the key made';
}

export function formatAddress({ service, key }: KeyAddress): string {
  return `${service}://${key}`;
}

export function formatWrapped(wrapped: WrappedKey): string {
  return `${formatAddress(wrapped)}#${wrapped.ciphertext}`;
}
