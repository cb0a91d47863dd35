import type { Cause } from './order.ts';
import type { Finding } from './probes.ts';

/** What an attempt found out about one row of the ledger. */
export type EntryResult = {
  id: number;
  subKey: string;
  held: boolean;
  valueFingerprint: string | null;
  valueBytes: number | null;
  writtenTags: Record<string, string> | null;
  reference: string | null;
  status: string;
  cause: Cause | null;
  syncedVersion: number | null;
  /** A write reached the store, or may have. */
  wrote: boolean;
  /** What the attempt means for the entry's uncertainty: a call was given up, nothing new, or a write is confirmed. */
  uncertainty: 'begins' | 'stays' | 'ends';
  /** The store said that the entry is ours, or has just made it for us. */
  ownerSeen: boolean;
  /** The row is to go: nothing is out there any more, or nothing of ours. */
  gone: boolean;
};

/** One line of the history of attempts. */
export type Attempt = {
  subKey: string;
  action: 'create' | 'update' | 'tag' | 'unchanged' | 'delete' | 'none';
  sourceVersion: number | null;
  outcome: string;
  cause: Cause | null;
  durationMs: number;
};

/** What became of a claimed order. Stored only while the lease is still ours, and only for the generation it was about. */
export type OrderResult = {
  id: number;
  destinationId: number;
  mountId: number;
  secretPath: string;
  leaseToken: number;
  generation: number;
  /** Every entry has its outcome for this generation; false where time or a rate limit ended the attempt early. */
  settled: boolean;
  removing: boolean;
  /** The association was to be removed and nothing of it is left outside. */
  unlinked: boolean;
  /** When to look again, in milliseconds from now; null: when something changes. */
  lookAgainMs: number | null;
  /** When the pushed version expires, which is a time to look again too. */
  expiresAt: Date | null;
  /** The store asked us to wait: nothing of the destination is claimed for so long. 0: it did not. */
  throttleMs: number;
  /** Time at the store's rate limit for writes beyond the reserved one, in milliseconds. */
  owedMs: number;
  attempts: number;
  /** The destination as a whole failed. */
  destinationFailed: boolean;
  /** What it says about the destination as a whole; null where there is nothing new. */
  finding: Finding | null;
  /** A name that it wants belongs to another association. */
  waitsForName: boolean;
  failure: Cause | null;
  entries: EntryResult[];
  history: Attempt[];
};
