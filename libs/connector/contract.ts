import type { Static, TObject } from 'typebox';
import type { EgressRules } from '../egress/guard.ts';
import type { CauseRow } from './causes.ts';
import type { NameRules, TagRules } from './rules.ts';
import type {
  AppRules,
  DestinationIdentity,
  IdentityRules,
  SignInMode,
} from './identity/destination-identity.ts';
import type { ConnectorError } from './errors.ts';

export type Granularity = 'secret-path' | 'secret-key';

/**
 * A destination type as data. The API reads it to validate and to make names, the engine to decide. A file that defines
 * one must not import a vendor SDK.
 */
export type Destination<Settings extends TObject = TObject> = {
  type: string;
  /** Other names of the type that paths may use. */
  aliases: string[];
  title: string;
  /**
   * The type's own fields. A field with `sensitive: true` is sealed at rest and reads back as `*****`. One with `address:
   * true` decides where secrets are sent.
   */
  settings: Settings;
  /**
   * Rules that the schema cannot express; each returns one sentence for each fault. A rule that reads a setting which the
   * schema refuses is left out, so rules that read different settings are best kept apart.
   */
  settingRules?: ((settings: Static<Settings>, operator: OperatorSettings) => string[])[];
  /**
   * The name of the external container, without any secret. Two destinations with the same container share one set of
   * entry names.
   */
  container: (settings: Static<Settings>, operator: Pick<OperatorSettings, 'namespace'>) => string;
  /** Tells which credentials are in use, without any secret, such as the ID of a key; by the setting that has them. */
  credentialIds?: (settings: Static<Settings>) => Record<string, string>;
  /**
   * Settings that cannot change while the destination has associations: we could no longer find the entries that we
   * wrote.
   */
  fixedSettings: (keyof Static<Settings> & string)[];
  /** Parts of settings that are fixed in the same way, by what a message calls them; undefined if the settings do not tell. */
  fixedParts?: (settings: Static<Settings>) => Record<string, string | undefined>;
  /** Values of fixed settings that are not given, taken from other settings, such as the project that credentials name. */
  impliedSettings?: (settings: Static<Settings>) => Partial<Static<Settings>>;
  /**
   * Settings that a new destination gets if the call leaves them out; they are stored with it. A destination that exists
   * keeps what it has. `warnings` tell the caller what is not as it would usually be.
   */
  whenNew?: (given: Partial<Static<Settings>>) => {
    settings: Partial<Static<Settings>>;
    warnings: string[];
  };
  /**
   * The part of the ledger's reference that identifies the entry itself, whichever destination wrote it; null if the
   * reference does not contain it. Only for types whose different `container` names may mean the same container.
   */
  identityOf?: (reference: string) => string | null;
  /**
   * Owned entries stay the same ones after a change of `container`. If false, the engine asks the store for the owner of
   * an entry before it replaces or deletes anything in the new container.
   */
  followsContainer?: boolean;
  /** What a person calls the places of `removedFrom` and `addedTo`, where their names alone do not say it. */
  placeNoun?: string;
  /** The ways to sign in, for forms, the usual one first. Absent: there is only one. */
  modes?: SignInMode[];
  /** The type also signs in without stored credentials: with tokens that we sign, or as the worker itself. */
  identity?: IdentityRules<keyof Static<Settings> & string>;
  defaultGranularity: Granularity;
  names: NameRules;
  limits: {
    /** Most bytes of one value, UTF-8. */
    valueBytes: number;
    /** A value that matches is refused; `message` says what it must not have. */
    refuses?: { expression: RegExp; message: string };
    /** Most entries that one container may hold. */
    entries?: number;
    /** The same where containers of the type differ; Infinity if nobody knows. */
    entriesOf?: (container: string) => number;
    /** Most bytes of all names and values of one destination together. */
    totalBytes?: number;
  };
  tags?: TagRules;
  /** A `put` that expects `absent` itself refuses a name that is taken; if false, the engine reads first. */
  createIsExclusive: boolean;
  /** `read` returns the value; if false, it only tells whether the entry exists. */
  readable: boolean;
  /** Most entries that `putMany` takes in one call. */
  batchSize?: number;
  /** The store's documented write limit. The workers of the type share it, for each destination. */
  rate?: { writes: number; perMs: number };
  /** What replaces the vendor's usual address; the documentation and `sealift doctor` show it. */
  address?: {
    /** The environment variable of the connector that replaces the usual address. */
    variable?: string;
    usual?: string;
    /** The setting with which a destination names its own address. */
    setting?: string;
  };
  /** The settings may name files below CREDENTIALS_DIR. The workers of the type must be able to read them. */
  credentialFiles?: true;
  /** For stores where a destination may sign in as an app. */
  app?: AppRules<Static<Settings>>;
  /** Causes that only this store has, by their code; all others are in `causes.ts`. */
  causes?: Record<string, CauseRow>;
};

/** What the operator of the installation set in the environment; a caller never sets it. */
export type OperatorSettings = Pick<EgressRules, 'egressAllow'> & {
  /** A named environment variable of the process, undefined where unset or empty. */
  environment: (name: string) => string | undefined;
  /** Path of the destination's namespace; absent or empty for the root namespace. */
  namespace?: string;
  /** The operator does not let this namespace use the worker's own cloud identity (`AMBIENT_CREDENTIALS`). */
  forbidsAmbient?: boolean;
};

/** What a connector gets beside the checked settings. It cannot reach the database, the broker or the keys. */
export type ConnectorContext = OperatorSettings &
  EgressRules & {
    /** This installation's id, which the owner mark carries. */
    installation: string;
    /** Time limit of one vendor call in milliseconds. */
    callTimeoutMs: number;
    /** A new token with which the app that the settings name signs in; undefined if there is no such app any more. */
    appToken?: () => Promise<string | undefined>;
    /** Whether the destination was changed so lately that the store may not know yet what it signs in with. */
    isNew?: () => boolean;
    /**
     * The connector reports the offset of the store's clock from this machine's, in milliseconds (positive: the store is
     * ahead).
     */
    noteClockOffset?: (milliseconds: number) => void;
    /** Only for types with an `identity`. */
    identity?: DestinationIdentity;
  };

/** An entry of the external store: its name, and what this connector asked the ledger to keep about it. */
export type EntryKey = {
  name: string;
  /** Opaque to the engine: a row id, a version id. Null if the ledger keeps nothing. */
  reference: string | null;
  /** With a null `reference`: that of our own entry of this name, which is not meant. */
  besides?: string | null;
};

export type PutEntry = EntryKey & {
  value: string;
  /** All tags that a user set on the destination. Our own marks are not among them: the connector adds those. */
  tags: Record<string, string>;
  /**
   * `absent`: the ledger does not hold the name, so `put` must not overwrite an existing entry (kind `exists`).
   * `present`: `put` replaces the entry (kind `missing` if it is gone).
   */
  expect: 'absent' | 'present';
  /** The same for one entry and generation (36 characters, UUID shaped): with it, a repeated call can be harmless. */
  token: string;
};

export type RetagEntry = EntryKey & {
  /** All tags that the entry must have. The connector sets the owner mark too. */
  tags: Record<string, string>;
  /** Keys that we wrote earlier and that must go. Any other tag stays. */
  removed: string[];
  /**
   * We take over an entry of somebody else. Otherwise it must be ours: if `retag` sees that it bears another mark or none,
   * the entry that we wrote is gone (kind `missing`).
   */
  isTakenOver?: boolean;
};

export type Written = { reference: string | null };

export type Found = {
  /** Whose mark it has; `unmarked`: none, as in a store without marks. */
  owner: 'ours' | 'other' | 'unmarked';
  /** Null if the store does not return values. */
  value: string | null;
  /** When its value was last written; null if the store does not tell. */
  changedAt: Date | null;
  createdAt?: Date | null;
  /** All tags, labels or the comment that it has, which may tell a person whose it is. */
  tags?: Record<string, string>;
  /**
   * Whether somebody changed the entry after the write that `reference` names; absent or null if the store does not tell.
   */
  isChangedByOthers?: boolean | null;
  /** Why a write to it is refused, whoever asks for it; for a person. */
  blocked?: string | undefined;
  /** Of an entry of ours in places: where a write adds or removes its value, and where a removal leaves what somebody added. */
  moves?: { addedTo: string[]; removedFrom: string[] } | undefined;
  staysIn?: string[] | undefined;
  /**
   * What a write changes of it beside its value, because the store keeps it in another way than the settings say; for a
   * person, after "it". Such an entry is written even if it has our value.
   */
  becomes?: string | undefined;
  reference: string | null;
};

/** The owner of an entry, and the reference that the ledger must keep. */
export type Owned = Pick<Found, 'owner' | 'reference'>;

/** One open connection to one destination. The engine keeps and reuses it until the destination changes. */
export type Session = {
  /**
   * Tries the credentials with the least harmful call; throws a ConnectorError that names what is missing. `name` has the
   * form that the destination's template gives, because rights may be limited to such names. No secret has that name.
   */
  check: (signal: AbortSignal, name: string) => Promise<void>;
  /** Null if there is no such entry. */
  read: (entry: EntryKey, signal: AbortSignal) => Promise<Found | null>;
  /**
   * Looks at all entries at once, so that reading several of them takes few calls or none; what changes since does not show.
   * Only for stores that list what tells whose entries are, and whether somebody changed them.
   */
  survey?: (signal: AbortSignal) => Promise<Pick<Session, 'read'>>;
  /**
   * The owner of the entry of that name, without its value if the store allows that; null if there is none. Only for
   * stores that address entries by name: the engine asks before it updates or deletes an entry that the ledger holds.
   * Other stores address the very entry by its `reference`.
   */
  findOwner?: (entry: EntryKey, signal: AbortSignal) => Promise<Owned | null>;
  put: (entry: PutEntry, signal: AbortSignal) => Promise<Written>;
  /** One result for each entry, in order. Only for stores that take several entries in one call. */
  putMany?: (entries: PutEntry[], signal: AbortSignal) => Promise<(Written | ConnectorError)[]>;
  /** Sets tags and owner mark without writing the value. Only for stores with tags. */
  retag?: (entry: RetagEntry, signal: AbortSignal) => Promise<Written>;
  /** Deletes the entry. An entry that is already gone counts as deleted. */
  remove: (entry: EntryKey, signal: AbortSignal) => Promise<void>;
  /**
   * Whether an owned entry must be written again although its value is the same, because the settings of its last write
   * have changed. Makes no call.
   */
  isOutdated?: (entry: EntryKey) => boolean;
  /** Where the store no longer has the value of such an entry once it is written again, for a person. Makes no call. */
  removedFrom?: (entry: EntryKey) => string[];
  /** Where it then gets its value in addition. */
  addedTo?: (entry: EntryKey) => string[];
  close?: () => void | Promise<void>;
};

export type Connector<Settings extends TObject = TObject> = {
  open: (settings: Static<Settings>, context: ConnectorContext) => Session | Promise<Session>;
};
