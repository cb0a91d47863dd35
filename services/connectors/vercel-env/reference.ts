import { spellEnvironments } from './environments.ts';

/**
 * What the ledger keeps of a row: its id, and the environments it was written for. With these a later change of the
 * destination's environments is seen without a call.
 */
export type Reference = { id: string; environments: string[] };

/** `Ab12/preview+production`. */
export function writeReference({ id, environments }: Reference): string {
  return `${id}/${spellEnvironments(environments)}`;
}

/** Null where nothing is kept. */
export function readReference(text: string | null): Reference | null {
  if (!text) return null;
  const [id = '', environments = ''] = text.split('/');
  return { id, environments: environments === '' ? [] : environments.split('+') };
}
