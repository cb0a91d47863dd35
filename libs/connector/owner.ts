import type { Found } from './contract.ts';

/** The tag or label that carries the installation's id: our mark on an entry. */
export const OWNER_TAG = 'sealift-installation';

export type Tags = Record<string, string>;

/** The tags as they are written, our mark included; `mine` is what the mark carries. */
export function withOwnerTag(tags: Tags, mine: string): Tags {
  return { ...tags, [OWNER_TAG]: mine };
}

/** Whose mark the tags bear. */
export function ownerOf(tags: Tags | null | undefined, mine: string): Found['owner'] {
  const mark = tags?.[OWNER_TAG];
  if (mark === undefined) return 'unmarked';
  return mark === mine ? 'ours' : 'other';
}

/** The tags of an entry after a change: what it has, without the keys to remove, with the new ones and our mark. */
export function changeTags(present: Tags, change: { tags: Tags; removed: string[] }, mine: string): Tags {
  const kept = Object.entries(present).filter(([key]) => key === OWNER_TAG || !change.removed.includes(key));
  return withOwnerTag({ ...Object.fromEntries(kept), ...change.tags }, mine);
}

/** Whether two sets of tags are equal. */
export function areSameTags(left: Tags, right: Tags): boolean {
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => left[key] === right[key]);
}
