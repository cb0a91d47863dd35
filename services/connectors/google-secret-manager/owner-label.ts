import { createHash } from 'node:crypto';
import type { Found } from '../../../libs/connector/contract.ts';

/** Labels as the API gives them back; absent where there are none. */
export type Labels = { [key: string]: string } | null | undefined;

/** The label that carries the installation's id: our mark on an entry. */
export const OWNER_LABEL = 'sealift-installation';

// A label's value knows no upper case and no more than 63 characters; an id that does not fit is told by its hash.
function ownerValue(installation: string): string {
  if (/^[a-z0-9_-]{1,63}$/.test(installation)) return installation;
  return createHash('sha256').update(installation).digest('hex').slice(0, 63);
}

/** The labels as they are to be stored, our mark included. */
export function withOwnerLabel(labels: Record<string, string>, installation: string): Record<string, string> {
  return { ...labels, [OWNER_LABEL]: ownerValue(installation) };
}

/** Whose mark the labels bear. */
export function readOwner(labels: Labels, installation: string): Found['owner'] {
  const mark = labels?.[OWNER_LABEL];
  if (mark === undefined) return 'unmarked';
  return mark === ownerValue(installation) ? 'ours' : 'other';
}
