import type { Fake } from '../fake-server.ts';

export type KeyState = 'enabled' | 'disabled' | 'deleting' | 'gone';

/** A running stand-in for a key service with one key that can wrap master keys. */
export type KeyServiceFake = Fake & {
  /** The key, as Sealift's settings name it. */
  address: string;
  /** What a process must be told to reach the service and to be let in. */
  environment: Record<string, string>;
  /** The same of a process that nobody has given credentials. */
  withoutCredentials: Record<string, string>;
  /** What of it nobody may be shown. */
  credentials: string[];
  /** Its calls that wrap and unwrap, for faults. */
  operations: string[];
  setState: (state: KeyState) => void;
  /** Whether the caller may use the key. */
  setAllowed: (isAllowed: boolean) => void;
  /** From now on the key wraps with new material; what the old one wrapped still opens. */
  rotate: () => void;
  /** These bytes as somebody wrapped them who binds nothing to them, in the form of a wrapped master key. */
  wrapForOthers: (bytes: Buffer) => string;
  /** The plain bytes that it unwrapped so far, as texts of base64. */
  unwrapped: () => string[];
};

/** What the server of a fake asks of a store, of a service that stores nothing. */
export const HOLDS_NOTHING = { isWrite: () => false, entries: () => [], plant: () => undefined };
