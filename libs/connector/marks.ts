import type { Destination } from './contract.ts';

/**
 * Whether a store of the type can tell whose an entry is: by a mark that can be read, or by a creation that fails where the
 * name is taken. Where it cannot, the ledger alone knows.
 */
export function bearsMarks(type: Pick<Destination, 'createIsExclusive' | 'tags'>): boolean {
  return type.createIsExclusive || type.tags !== undefined;
}
