import type { Static, TObject } from 'typebox';
import type { Cause } from './causes.ts';
import type { ConnectorError } from './errors.ts';

export type Granularity = 'secret-path' | 'secret-key';

/** How a store writes its entries' names; `normaliseName` applies it and `checkName` refuses what cannot be fixed. */
export type NameRules = {
  /** Matches one character that is allowed; without flags. */
  allowed: RegExp;
  /** What a character outside the alphabet becomes. */
  replacement: string;
  maxLength: number;
  /** Stores that upper-case every name. */
  uppercase?: boolean;
  /** Two names that differ in case only are one entry. */
  caseInsensitive?: boolean;
  /** A normalised name must match this whole pattern; the sentence says what is wrong if not. */
  pattern?: { expression: RegExp; message: string };
};

/** How a store writes tags (labels); a tag that could not be held exactly as written is refused when the destination is written. */
export type TagRules = {
  /** Most tags a person may set, after our own marks are taken off the store's limit. */
  max: number;
  key: { expression: RegExp; message: string };
  value: { expression: RegExp; message: string };
};

/**
 * What a destination type is, as data. The API reads it to validate and name, the engine to decide.
 * No vendor SDK may be imported beside it.
 */
export type Destination<Settings extends TObject = TObject> = {
  type: string;
  /** Other names of the type accepted on the path. */
  aliases: string[];
  title: string;
  /**
   * The type's own fields; a field with `sensitive: true` is sealed at rest and reads back as `*****`, one with
   * `address: true` decides where secrets are sent.
   */
  settings: Settings;
  /** Rules the schema cannot say; returns one sentence for each fault. */
  checkSettings?: (settings: Static<Settings>, operator: OperatorSettings) => string[];
  /** Names the external container, without any secret: two destinations of one container share one space of names. */
  container: (settings: Static<Settings>, operator: Pick<OperatorSettings, 'namespace'>) => string;
  /** Settings that cannot change while the destination holds associations: what is out there could not be followed. */
  fixedSettings: (keyof Static<Settings> & string)[];
  /** What other settings tell of a fixed one that is not given, such as the project that credentials name. */
  impliedSettings?: (settings: Static<Settings>) => Partial<Static<Settings>>;
  /**
   * Of what the ledger keeps about an entry, the part that names the entry itself, whichever destination wrote it; null
   * where it is not told. Only for types of which two `container` names may mean one container after all.
   */
  identityOf?: (reference: string) => string | null;
  /**
   * Held entries follow a change of `container`: they are the same ones under it. Where they do not, the store is asked
   * whose an entry is before anything in the new container is replaced or deleted.
   */
  followsContainer?: boolean;
  defaultGranularity: Granularity;
  names: NameRules;
  limits: {
    /** Most bytes of one value, UTF-8. */
    valueBytes: number;
    /** Most entries one destination may hold. */
    entries?: number;
    /** Most bytes of all values of one destination together. */
    totalBytes?: number;
  };
  tags?: TagRules;
  /** A `put` that expects `absent` refuses a taken name by itself; where false the engine reads first. */
  createIsExclusive: boolean;
  /** `read` returns the value; where false only presence can be told. */
  readable: boolean;
  /** Most entries `putMany` takes in one call. */
  batchSize?: number;
  /** The store's documented write limit; workers of the type share it by destination. */
  rate?: { writes: number; perMs: number };
  /** What leads the type elsewhere than to its vendor; the documentation and `sealift doctor` tell it. */
  address?: {
    /** The environment variable of the connector that replaces the usual address. */
    variable?: string;
    usual?: string;
    /** The setting by which a destination names its own. */
    setting?: string;
  };
  /** Its settings may name files below CREDENTIALS_DIR, which its workers must be able to read. */
  credentialFiles?: true;
  /** Causes of failures that only this store has, by their code; all others are in `causes.ts`. */
  causes?: Record<string, Cause>;
};

/** What the operator of the installation set in the environment; never from a caller. */
export type OperatorSettings = {
  /** A named environment variable of the process, undefined where unset or empty. */
  environment: (name: string) => string | undefined;
  /** Path of the destination's namespace; absent or empty for the root namespace. */
  namespace?: string;
  /** The operator does not let this namespace use the worker's own cloud identity (`AMBIENT_CREDENTIALS`). */
  forbidsAmbient?: boolean;
  /** CIDRs and host suffixes that may be called although the egress guard would refuse them (`EGRESS_ALLOW`). */
  egressAllow: string[];
};

/** What the settings of a destination let it reach; an empty list limits nothing. */
export type NetworkLimits = {
  /** CIDRs of both IP versions. */
  addresses: string[];
  ports: number[];
};

/** What a connector is handed beside the checked settings. It has no way to the database, the broker or the keys. */
export type ConnectorContext = OperatorSettings & {
  /** This installation's id: what the owner mark carries. */
  installation: string;
  /** Limit of one vendor call in milliseconds. */
  callTimeoutMs: number;
  /** Every agent obeys them, also where it signs in. Absent where the destination has none. */
  networkLimits?: NetworkLimits | undefined;
  /** Told when the store's clock turns out to be so far from this machine's, in milliseconds (positive: the store is ahead). */
  noteClockOffset?: (milliseconds: number) => void;
};

/** An entry of the external store: its name, and what this connector asked the ledger to keep about it. */
export type EntryKey = {
  name: string;
  /** Opaque to the engine: a row id, a version id. Null where nothing is kept. */
  reference: string | null;
};

export type PutEntry = EntryKey & {
  value: string;
  /** All tags a person set on the destination; never our own marks, which the connector adds. */
  tags: Record<string, string>;
  /** `absent`: the ledger does not hold the name, so an existing one must not be overwritten (kind `exists`). `present`: replace it (kind `missing` when gone). */
  expect: 'absent' | 'present';
  /** Same entry, same generation, same token (36 characters, UUID shaped): a repeated call can be made harmless with it. */
  token: string;
};

export type RetagEntry = EntryKey & {
  /** All tags the entry shall carry, beside the owner mark (which is set too). */
  tags: Record<string, string>;
  /** Keys we wrote earlier that are to go. Any other tag is left alone. */
  removed: string[];
};

export type Written = { reference: string | null };

export type Found = {
  /** `ours`: bears this installation's mark. `other`: another installation's. `unmarked`: none, or the store has no marks. */
  owner: 'ours' | 'other' | 'unmarked';
  /** Null where the store does not give values back. */
  value: string | null;
  changedAt: Date | null;
  /** Whether somebody changed it after the write that `reference` is of; absent or null where the store does not tell. */
  isChangedByOthers?: boolean | null;
  reference: string | null;
};

/** Whose an entry is, and what the ledger is to keep of it. */
export type Owned = Pick<Found, 'owner' | 'reference'>;

/** One open connection to one destination; kept and reused by the engine until the destination changes. */
export type Session = {
  /**
   * Tries the credentials with the least harmful call; throws a ConnectorError that names what is missing. `name` is one
   * that the destination's template would give, and no secret has: rights may be limited to names of that form.
   */
  check: (signal: AbortSignal, name: string) => Promise<void>;
  /** Null where there is no such entry. */
  read: (entry: EntryKey, signal: AbortSignal) => Promise<Found | null>;
  /**
   * Whose the entry of that name is, without its value where the store allows; null where there is none. Only for stores
   * that address entries by name: the engine asks before it updates or deletes an entry that the ledger holds. Other stores
   * address the very entry by its `reference`.
   */
  findOwner?: (entry: EntryKey, signal: AbortSignal) => Promise<Owned | null>;
  put: (entry: PutEntry, signal: AbortSignal) => Promise<Written>;
  /** One result for each entry, in order. Only where the store takes several in one call. */
  putMany?: (entries: PutEntry[], signal: AbortSignal) => Promise<(Written | ConnectorError)[]>;
  /** Sets tags and owner mark without writing the value. Only where the store has tags. */
  retag?: (entry: RetagEntry, signal: AbortSignal) => Promise<Written>;
  /** Deletes the entry; one that is gone already counts as deleted. */
  remove: (entry: EntryKey, signal: AbortSignal) => Promise<void>;
  /** Whether a held entry must be written again although its value is the same, because the settings it was written under changed. No call. */
  isOutdated?: (entry: EntryKey) => boolean;
  close?: () => void | Promise<void>;
};

export type Connector<Settings extends TObject = TObject> = {
  open: (settings: Static<Settings>, context: ConnectorContext) => Session | Promise<Session>;
};
