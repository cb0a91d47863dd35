import type { Decision, Trigger } from '../due/trigger.ts';

/**
 * A cause as shown to people: `class` is one of the error statuses, `code` is stable, `message` is short and has no
 * secrets.
 */
export type Cause = { class: ErrorStatus; code: string; message: string };

export type ErrorStatus = 'CLIENT_SIDE_ERROR' | 'EXTERNAL_SERVICE_ERROR' | 'INTERNAL_ERROR';

/** The ledger's knowledge of one external entry. */
export type LedgerEntry = {
  id: number;
  subKey: string;
  externalName: string;
  /** Null while another entry holds the name. */
  nameKey: string | null;
  owned: boolean;
  /** Hex; null while a write is unconfirmed, and after a change outside. */
  valueFingerprint: string | null;
  valueBytes: number | null;
  writtenTags: Record<string, string> | null;
  reference: string | null;
  status: string;
  syncedVersion: number | null;
  /** Time since a write last reached the store, or may have, by the database's clock; null: certainly never. */
  writtenMsAgo: number | null;
  /** Time since a call was given up that may still take effect; null: no such call since the last confirmed write. */
  uncertainMsAgo: number | null;
  /** Time since the store last said that the entry is ours; null: never, or it has said since that it is not. */
  ownerSeenMsAgo: number | null;
  /** Keyed fingerprint, in hex, of what somebody else put there; empty: of what the store does not show; null: nobody did. */
  foreignFingerprint: string | null;
  /** Somebody was seen to have deleted it. */
  isGone: boolean;
};

/** The highest live version of the secret; `sealed` is null if the value did not fit into the claim. */
export type Source = {
  secretId: number;
  secretVersion: number;
  sealed: Buffer | null;
  deletionTime: Date | null;
};

/** What a push needs to know of the destination without opening its credentials. */
export type OrderDestination = {
  id: number;
  name: string;
  /** The external container of its names. */
  container: string;
  /** Rises with each change. */
  revision: number;
  /** Digest of the settings, including the sealed ones. */
  settingsDigest: string;
  granularity: 'secret-path' | 'secret-key';
  template: string;
  customTags: Record<string, string>;
  conflictPolicy: 'refuse' | 'overwrite' | 'adopt';
  deletionPolicy: 'delete' | 'retain';
  /** How long we trust the store's answer that an entry is ours, before an update. */
  ownerCheckMs: number;
  /** How many times in a row it failed as a whole, in a way that somebody outside must fix. */
  failures: number;
  /** Why it fails as a whole; null if it works. */
  failureCode: string | null;
};

/** A claimed association: the desired state, and the state in the ledger. It is ours until the lease ends. */
export type WorkOrder = {
  id: number;
  generation: number;
  leaseToken: number;
  removing: boolean;
  attempts: number;
  /** A person retried it: the store is asked, and not only the ledger, until the next change. */
  looks?: boolean;
  /** Of what somebody has changed in the store, that attempt overwrites only what was seen before. */
  onlySeen?: boolean;
  /** Who has withdrawn that what was seen is overwritten, so that it is left too. */
  withdrawal?: { by: string | null } | null;
  /** What a person decided about entries of somebody else. */
  decision?: Decision | null;
  /** What entries of somebody else had when a person decided about them: see `DUE_EXPECTED`. */
  expected?: Record<string, string> | null;
  /** The keys whose entries that is about; null: all of them. */
  decidedKeys?: string[] | null;
  /** The attempt is for these keys: what somebody has made of the entries of others stays. Null: for all of them. */
  aloneKeys?: string[] | null;
  /** What the attempt is for; null if a process that does not record it made the association due. */
  trigger: Trigger | null;
  /** A rate limit has refused an attempt for it. */
  wasLimited?: boolean;
  namespace: { id: string; path: string };
  mount: { id: number; path: string; accessor: string };
  secretPath: string;
  destination: OrderDestination;
  /** Null: the secret has no live version. A source that cannot be read is an error instead. */
  source: Source | null;
  entries: LedgerEntry[];
};
