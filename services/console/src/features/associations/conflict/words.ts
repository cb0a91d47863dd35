import type { Decision } from '../../plans/plan.ts';

/** What is done, in a word. */
export const VERBS: Record<Decision, string> = { overwrite: 'Overwrite', adopt: 'Adopt' };

const ONE = {
  these: 'this entry',
  all: 'the entry',
  overwrite: 'Sealift’s value replaces what the entry has. From then on Sealift manages the entry.',
  adopt:
    'Sealift manages the entry from then on. If its value differs from Sealift’s, Sealift’s value replaces it.',
  kept: 'The other entry stays as it is.',
  choosing:
    'Adopt and Overwrite both leave Sealift’s value in the entry. To keep the value that it has now, save that in the secret first, then choose Adopt.',
  keeping:
    'To keep the other entry as it is, give the link another name, or unlink the secret. If you rename or delete it in the store, choose Sync now afterwards.',
  inspecting:
    'Inspecting reads the entry in the store, says since when it exists and compares fingerprints. It shows no value and writes nothing.',
};

/** Texts about what is in the way. */
export type ConflictWords = typeof ONE;

const SEVERAL: ConflictWords = {
  these: 'these entries',
  all: 'the entries',
  overwrite: 'Sealift’s values replace what the entries have. From then on Sealift manages the entries.',
  adopt:
    'Sealift manages the entries from then on. If a value differs from Sealift’s, Sealift’s value replaces it.',
  kept: 'The other entries stay as they are.',
  choosing:
    'Adopt and Overwrite both leave Sealift’s values in the entries. To keep the values that they have now, save those in the secret first, then choose Adopt.',
  keeping:
    'To keep the other entries as they are, give the link another name, or unlink the secret. If you rename or delete them in the store, choose Sync now afterwards.',
  inspecting:
    'Inspecting reads the entries in the store, says since when they exist and compares fingerprints. It shows no values and writes nothing.',
};

/** The texts about one entry that is in the way, or about several. */
export function wordsFor(entries: number): ConflictWords {
  return entries > 1 ? SEVERAL : ONE;
}

/** What to do about it, and what inspecting does. */
export function hintOf(decided: Decision | 'rename' | null, words: ConflictWords): string {
  if (decided === 'rename') return words.kept;
  return decided ? words.keeping : `${words.inspecting} ${words.choosing} ${words.keeping}`;
}

/** Some keys of a secret by name. */
export function namedKeys(keys: string[]): string {
  return `${keys.length > 1 ? 'the keys' : 'the key'} ${keys.join(', ')}`;
}
