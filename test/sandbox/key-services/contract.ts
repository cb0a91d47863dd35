import type { Fake } from '../fake-server.ts';

export type KeyState = 'enabled' | 'disabled' | 'deleting' | 'gone';

/** A running stand-in for a key service with one key that can wrap master keys. */
export type KeyServiceFake = Fake & {
  /** The key's address, as Sealift's settings name it. */
  address: string;
  /** Environment variables that lead a process to the service and give it credentials. */
  environment: Record<string, string>;
  /** The same environment without credentials. */
  withoutCredentials: Record<string, string>;
  /** Texts of the environment that must stay secret. */
  credentials: string[];
  /** The names of its wrap and unwrap calls, for faults. */
  operations: string[];
  setState: (state: KeyState) => void;
  /** Whether the caller may use the key. */
  setAllowed: (isAllowed: boolean) => void;
  /** From now on the key wraps with new material. It still unwraps what the old material wrapped. */
  rotate: () => void;
  /** Wraps these bytes as a foreign program would, without Sealift's context, in the form of a wrapped master key. */
  wrapForOthers: (bytes: Buffer) => string;
  /** All plain bytes that it has unwrapped so far, in base64. */
  unwrapped: () => string[];
};

/** The store part of a fake's definition, for a service that stores nothing. */
export const HOLDS_NOTHING = { isWrite: () => false, entries: () => [], plant: () => undefined };
