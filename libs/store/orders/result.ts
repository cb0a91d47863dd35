import type { Trigger } from '../due/trigger.ts';
import type { Cause } from './order.ts';
import type { DestinationFinding } from './probes.ts';

/** What somebody has done to an entry. */
export type DriftCause = Omit<Cause, 'class'> & { class: 'DRIFTED' };

/** The result of an attempt for one row of the ledger. */
export type EntryResult = {
  id: number;
  subKey: string;
  owned: boolean;
  valueFingerprint: string | null;
  valueBytes: number | null;
  writtenTags: Record<string, string> | null;
  reference: string | null;
  status: string;
  cause: Cause | null;
  syncedVersion: number | null;
  /** A write reached the store, or may have. */
  wrote: boolean;
  /**
   * The effect on the entry's uncertainty: a call was given up (`begins`), nothing new (`stays`), a write is confirmed
   * (`ends`).
   */
  uncertainty: 'begins' | 'stays' | 'ends';
  /** The store said that the entry is ours, or just created it for us. */
  ownerSeen: boolean;
  /** What somebody has changed in it, if the attempt saw that and left it; `found`: the fingerprint of the value, in hex; `foreign`: the entry is no longer ours. */
  drift?: { cause: DriftCause & { foreign?: true }; found: string | null };
  /** The row must be deleted: no entry is left outside, or none of ours. */
  gone: boolean;
};

/**
 * What became of an entry that was to be written. Of an entry that was somebody else's: `adopt` left its value, which was
 * ours already, while `replace` and `overwrite` wrote ours, as the conflict policies `adopt` and `overwrite` say. Of an entry of
 * ours, `overwrite` also says that a change of somebody else is lost.
 */
export type WriteAction = 'create' | 'update' | 'tag' | 'unchanged' | 'adopt' | 'replace' | 'overwrite';

/** What became of an entry that was to be removed: `gone`: the store had none; `none`: it has one, which stays. */
export type RemovalAction = 'delete' | 'gone' | 'none';

/** One line of the history of attempts. */
export type Attempt = {
  subKey: string;
  /** The entry it is about; null if it is about the whole association. */
  externalName: string | null;
  /** `look`: asked for the entry; `changed`: found it changed, and left it; `reach`: asked for any entry, to try the credentials. */
  action: WriteAction | RemovalAction | 'look' | 'changed' | 'missing' | 'reach';
  sourceVersion: number | null;
  outcome: string;
  cause: Cause | DriftCause | null;
  durationMs: number;
  /** Absent: that of the result. */
  trigger?: Trigger;
};

/** The result of a claimed order. Stored only while the lease is still ours, and only for the generation of the order. */
export type OrderResult = {
  id: number;
  destinationId: number;
  mountId: number;
  secretPath: string;
  leaseToken: number;
  generation: number;
  /** Of the destination at the claim. */
  revision: number;
  /** Every entry has its outcome for this generation. False if time or a rate limit ended the attempt early. */
  settled: boolean;
  removing: boolean;
  /** The association was to be removed, and none of its entries is left outside. */
  unlinked: boolean;
  /** Time until the next attempt, in milliseconds from now; null: only when something changes. */
  lookAgainMs: number | null;
  /** When the pushed version expires; that makes the association due too. */
  expiresAt: Date | null;
  /**
   * The store asked us to wait: no worker claims work of the destination for this time, in milliseconds. 0: it did not
   * ask.
   */
  throttleMs: number;
  /** Time for the writes beyond the reserved ones, at the store's rate limit, in milliseconds. */
  owedMs: number;
  attempts: number;
  trigger: Trigger | null;
  /** What a person decided about entries of somebody else is done, as far as it can be. */
  endsDecision: boolean;
  /** The destination as a whole failed. */
  destinationFailed: boolean;
  /** What the attempt learned about the destination as a whole; null if there is nothing new. */
  finding: DestinationFinding | null;
  failure: Cause | null;
  entries: EntryResult[];
  history: Attempt[];
};
