/** One key of an external key service; only this key can unwrap what it wrapped. Both calls throw KeyServiceError. */
export type KeyService = {
  /** `ciphertext` has no comma, `#` or white space. `key`: the key's full name, if the service returns one. */
  wrap: (masterKey: Buffer, signal: AbortSignal) => Promise<{ ciphertext: string; key?: string }>;
  unwrap: (ciphertext: string, signal: AbortSignal) => Promise<Buffer>;
  close: () => void;
};

/**
 * The context that a wrapped key is bound to, if the service supports that. Other data that the key wrapped then does not
 * open as a master key, and permissions can be given for this purpose only. It never changes: wrapped keys would no
 * longer open.
 */
export const BINDING = { application: 'sealift', purpose: 'master-key' };

/** The same for services that take bytes. */
export const BINDING_TEXT = 'sealift/master-key';
