import type { EntryKey, Found, Owned } from '../../../libs/connector/contract.ts';
import { isMissing, readDeletedOwner, readSecret, type Tools } from './secret-state.ts';

/**
 * Value and owner. Our own deleted secret reads as gone (`put` brings it back); somebody else's reads as theirs without a
 * value, because its name is taken all the same.
 */
export async function readEntry(
  tools: Tools,
  { name }: EntryKey,
  signal: AbortSignal,
): Promise<Found | null> {
  try {
    const { owner, value, changedAt } = await readSecret(tools, name, signal);
    return { owner, value, changedAt, reference: null };
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const owner = await readDeletedOwner(tools, name, signal);
  if (owner === null || owner === 'ours') return null;
  return { owner, value: null, changedAt: null, reference: null };
}

/** Owner alone. The right to read a secret is one we need anyway; to list its versions would be a further one. */
export async function findOwner(
  tools: Tools,
  { name }: EntryKey,
  signal: AbortSignal,
): Promise<Owned | null> {
  try {
    const { owner } = await readSecret(tools, name, signal);
    return { owner, reference: null };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
