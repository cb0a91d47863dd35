import { hash } from 'node:crypto';

// Longer texts and lists would fill the audit trail.
const LONGEST = 1000;
const LONGEST_LIST = 2000;

/** The beginning of a text that is too long to be told, with its length and a fingerprint of the whole. */
export type CutText = { begins: string; letters: number; sha256: string };

/** The first parts of a list that is too long to be told; `more` counts the others. */
export type CutList = { told: unknown[]; more: number; sha256: string };

/** SHA-256 of a text, in hex: proves later which text it was. */
export function sha256(text: string): string {
  return hash('sha256', text);
}

/** The text with `*****` in place of the credentials of every URL in it. */
export function maskUrls(text: string): string {
  return text.replaceAll(/:\/\/[^\s/?#\\]*@/g, '://*****@');
}

/** The text without the credentials of URLs; only its beginning if it is longer than `most`. */
export function tellText(text: string, most: number = LONGEST): string | CutText {
  const masked = maskUrls(text);
  if (masked.length <= most) return masked;
  return { begins: masked.slice(0, most), letters: masked.length, sha256: sha256(masked) };
}

/** The list, or its first parts if all together have more than `most` letters as JSON. */
export function tellList(list: unknown[], most: number = LONGEST_LIST): unknown[] | CutList {
  let letters = 0;
  const end = list.findIndex((part) => (letters += JSON.stringify(part).length + 1) > most);
  if (end === -1) return list;
  return { told: list.slice(0, end), more: list.length - end, sha256: sha256(JSON.stringify(list)) };
}

/** What differs between two lists of names that are too long to be told whole. Names that give most come first. */
export function tellListChange(old: string[], next: string[]): Record<string, unknown> {
  const [before, after] = [new Set(old), new Set(next)];
  const tell = (names: string[]) => tellList(names.toSorted((left, right) => rank(left) - rank(right)));
  return {
    added: tell(next.filter((name) => !before.has(name))),
    removed: tell(old.filter((name) => !after.has(name))),
    old: { count: old.length, sha256: sha256(JSON.stringify(old)) },
    new: { count: next.length, sha256: sha256(JSON.stringify(next)) },
  };
}

/** Whether a list is short enough to be told whole. */
export function isShortList(list: unknown): boolean {
  return JSON.stringify(list ?? []).length <= LONGEST;
}

// So that no number of harmless names hides one that gives everything.
function rank(name: string): number {
  return /\*|\/0$/.test(name) || /root|admin|sudo/i.test(name) ? 0 : 1;
}
