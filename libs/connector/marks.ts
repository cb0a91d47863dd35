import type { Destination } from './contract.ts';

/**
 * Whether a store of the type can tell who owns an entry: by a mark that we can read, or by a creation that fails if the
 * name is taken. Otherwise only the ledger knows.
 */
export function canTellOwner(type: Pick<Destination, 'createIsExclusive' | 'tags'>): boolean {
  return type.createIsExclusive || type.tags !== undefined;
}
