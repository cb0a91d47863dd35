import type { LedgerEntry } from '../../libs/store/orders/order.ts';

/** What the ledger says of an entry that was never written, but for what is given. */
export function ledgerEntry(name: string, given: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    id: 1,
    subKey: '',
    externalName: name,
    nameKey: name.toLowerCase(),
    owned: false,
    valueFingerprint: null,
    valueBytes: null,
    writtenTags: {},
    reference: null,
    status: 'PENDING',
    syncedVersion: null,
    writtenMsAgo: null,
    uncertainMsAgo: null,
    ownerSeenMsAgo: null,
    foreignFingerprint: null,
    isGone: false,
    ...given,
  };
}
