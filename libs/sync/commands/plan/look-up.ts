import type { EntryKey } from '../../../connector/contract.ts';
import type { LedgerLine } from '../../../store/orders/ledger.ts';
import type { Cause } from '../../../store/orders/order.ts';
import type { ComparedLine, Sight, WantedName } from '../verify.ts';

/** What a plan says of an entry that is not ours, by the state of a `Sight`. */
export const NOT_OURS = {
  unmarked: 'an entry with this name already exists and is not managed by Sealift',
  other: 'an entry with this name already exists and is managed by another installation',
};

/** Where the store no longer has a value that is written again, and where it has it in addition. */
export type RewrittenPlaces = { removedFrom: string[]; addedTo: string[] };

/** What a plan asks the store. All throw RequestError if it cannot be asked now. */
export type LookUp = {
  /** Asks whose the entries with some names are. */
  names: (names: WantedName[]) => Promise<Sight[]>;
  /** Compares entries of ours with the ledger, and keeps what was changed outside. */
  entries: (lines: LedgerLine[]) => Promise<ComparedLine[]>;
  /**
   * Which entries must be written again because the settings of their last write have changed, and from where the store then
   * removes their values; null: it need not. Asks no store; `cause`: why there are no settings to compare with.
   */
  outdated: (keys: EntryKey[]) => Promise<{ places: (RewrittenPlaces | null)[] } | { cause: Cause }>;
};
