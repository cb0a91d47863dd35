import { services } from './services.ts';

/** The address of a key in a key service: `{service}://{key}`. */
export type KeyAddress = { service: string; key: string };

/**
 * A master key that a key service wrapped: `{service}://{key}#{ciphertext}`. It names the key that can unwrap it. It is
 * no secret.
 */
export type WrappedKey = KeyAddress & { ciphertext: string };

/** Parses the address of a key. A string result says what is wrong with it. */
export function parseAddress(text: string): KeyAddress | string {
  const [, service = '', key = ''] = /^([a-z-]+):\/\/([^#\s,]+)$/.exec(text) ?? [];
  const kind = Object.hasOwn(services, service) ? services[service] : undefined;
  if (!kind)
    return `the address of a key begins with ${Object.keys(services)
      .map((name) => `${name}://`)
      .join(', ')}`;
  return kind.key.test(key) ? { service, key } : `a key of ${service} is written like ${kind.example}`;
}

/** Whether a text is meant as a wrapped key: a plain key never contains `://`. */
export function looksWrapped(text: string): boolean {
  return text.includes('://');
}

/** Parses a wrapped key. A string result says what is wrong with it, and contains no part of it. */
export function parseWrapped(text: string): WrappedKey | string {
  const [address = '', ciphertext = '', ...more] = text.split('#');
  const found = parseAddress(address);
  if (typeof found === 'string') return found;
  const isWhole = more.length === 0 && /^[\w:+/=-]{16,8192}$/.test(ciphertext);
  return isWhole
    ? { ...found, ciphertext }
    : 'a wrapped key consists of the address of a key, # and the wrapped value';
}

export function formatAddress({ service, key }: KeyAddress): string {
  return `${service}://${key}`;
}

export function formatWrapped(wrapped: WrappedKey): string {
  return `${formatAddress(wrapped)}#${wrapped.ciphertext}`;
}
