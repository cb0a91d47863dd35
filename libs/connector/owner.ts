import type { Found } from './contract.ts';

/** The tag or label that carries the installation's id: our mark on an entry. */
export const OWNER_TAG = 'sealift-installation';

export type Tags = Record<string, string>;

/** The tags to write, with our mark; `mine` is the installation's id. */
export function withOwnerTag(tags: Tags, mine: string): Tags {
  return { ...tags, [OWNER_TAG]: mine };
}

/** The owner that the mark among the tags names. */
export function ownerOf(tags: Tags | null | undefined, mine: string): Found['owner'] {
  const mark = tags?.[OWNER_TAG];
  if (mark === undefined) return 'unmarked';
  return mark === mine ? 'ours' : 'other';
}

/** The tags of an entry after a change: its present tags without the keys to remove, plus the new tags and our mark. */
export function changeTags(present: Tags, change: { tags: Tags; removed: string[] }, mine: string): Tags {
  const kept = Object.entries(present).filter(([key]) => key === OWNER_TAG || !change.removed.includes(key));
  return withOwnerTag({ ...Object.fromEntries(kept), ...change.tags }, mine);
}

/** Whether two sets of tags are equal. */
export function areSameTags(left: Tags, right: Tags): boolean {
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => left[key] === right[key]);
}
