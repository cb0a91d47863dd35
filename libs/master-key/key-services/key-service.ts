/** One key of a key service outside: what it wraps, it alone can unwrap. Both calls throw KeyServiceError. */
export type KeyService = {
  /** `ciphertext` has no comma, `#` or white space. `key`: the key's name where the service tells a fuller one. */
  wrap: (masterKey: Buffer, signal: AbortSignal) => Promise<{ ciphertext: string; key?: string }>;
  unwrap: (ciphertext: string, signal: AbortSignal) => Promise<Buffer>;
  close: () => void;
};

/**
 * What a wrapped key is bound to, where the service has a place for it: whatever else the key wraps does not open as a
 * master key, and rights can be given for this purpose alone. It never changes: what was wrapped would not open.
 */
export const BINDING = { application: 'sealift', purpose: 'master-key' };

/** The same for services that take bytes. */
export const BINDING_TEXT = 'sealift/master-key';
