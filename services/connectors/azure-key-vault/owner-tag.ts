import type { Found } from '../../../libs/connector/contract.ts';

/** The tag that carries the installation's id: our mark on an entry. */
export const OWNER_TAG = 'sealift-installation';

export type Tags = Record<string, string>;

/** The tags as they are written, our mark included. */
export function withOwnerTag(tags: Tags, installation: string): Tags {
  return { ...tags, [OWNER_TAG]: installation };
}

/** Whose mark the tags bear. */
export function readOwner(tags: Tags | undefined, installation: string): Found['owner'] {
  const mark = tags?.[OWNER_TAG];
  if (mark === undefined) return 'unmarked';
  return mark === installation ? 'ours' : 'other';
}
