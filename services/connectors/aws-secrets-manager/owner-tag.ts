import type { Found } from '../../../libs/connector/contract.ts';

/** A tag as the API spells it. */
export type Tag = { Key?: string | undefined; Value?: string | undefined };

/** The tag that carries the installation's id: our mark on an entry, and what an IAM condition can name. */
export const OWNER_TAG = 'sealift-installation';

/** The tags as the API takes them, our mark included. */
export function withOwnerTag(tags: Record<string, string>, installation: string): Tag[] {
  return Object.entries({ ...tags, [OWNER_TAG]: installation }).map(([Key, Value]) => ({ Key, Value }));
}

/** Whose mark the tags bear. */
export function readOwner(tags: Tag[] | undefined, installation: string): Found['owner'] {
  const mark = tags?.find(({ Key }) => Key === OWNER_TAG)?.Value;
  if (mark === undefined) return 'unmarked';
  return mark === installation ? 'ours' : 'other';
}
