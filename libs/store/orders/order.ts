/** A cause as shown to people: class is one of the error statuses, code stable, message short and sanitised. */
export type Cause = { class: ErrorStatus; code: string; message: string };

export type ErrorStatus = 'CLIENT_SIDE_ERROR' | 'EXTERNAL_SERVICE_ERROR' | 'INTERNAL_ERROR';

/** What one row of the ledger knows about an external entry. */
export type LedgerEntry = {
  id: number;
  subKey: string;
  externalName: string;
  /** Null while another entry holds the name. */
  nameKey: string | null;
  held: boolean;
  /** Hex; null while a write is unconfirmed, and where somebody changed the entry outside. */
  valueFingerprint: string | null;
  valueBytes: number | null;
  writtenTags: Record<string, string> | null;
  reference: string | null;
  status: string;
  syncedVersion: number | null;
  /** How long ago a write last reached the store, or may have, by the database's clock; null: certainly never. */
  writtenMsAgo: number | null;
  /** How long ago a call was given up whose effect may still come; null: no such call since the last confirmed write. */
  uncertainMsAgo: number | null;
  /** How long ago the store last said that the entry is ours; null: never. */
  ownerSeenMsAgo: number | null;
};

/** The highest live version of the secret; `sealed` is null where it was too much for one claim. */
export type Source = {
  secretId: number;
  secretVersion: number;
  sealed: Buffer | null;
  deletionTime: Date | null;
};

/** What the push needs to know of the destination without opening its credentials. */
export type OrderDestination = {
  id: number;
  name: string;
  /** The external container that its names live in. */
  container: string;
  /** Rises with each change. */
  revision: number;
  /** Digest of the settings, sealed ones included. */
  settingsDigest: string;
  granularity: 'secret-path' | 'secret-key';
  template: string;
  customTags: Record<string, string>;
  conflictPolicy: 'refuse' | 'overwrite' | 'adopt';
  deletionPolicy: 'delete' | 'retain';
  /** How long the store's word that an entry is ours holds before an update. */
  ownerCheckMs: number;
  /** How often in a row it failed as a whole, in a way that somebody outside must fix. */
  failures: number;
};

/** A claimed association: what is desired and what the ledger says is true. Ours until the lease ends. */
export type WorkOrder = {
  id: number;
  generation: number;
  leaseToken: number;
  removing: boolean;
  attempts: number;
  namespace: { id: string; path: string };
  mount: { id: number; path: string; accessor: string };
  secretPath: string;
  destination: OrderDestination;
  /** Null: the secret has no live version. A source that cannot be read is an error instead. */
  source: Source | null;
  entries: LedgerEntry[];
};
