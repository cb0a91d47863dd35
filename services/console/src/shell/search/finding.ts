import type { ReactNode } from 'react';

/** Something that was found. `text`: choosing it searches for this text instead of going there. */
export type Found = {
  id: string;
  kind: string;
  label: string;
  /** Another name, by which it is found too. */
  also?: string;
  /** What only its beginning finds, in the same case: any few letters are somewhere in it. */
  code?: string;
  /** It comes after everything that has a name. */
  isLast?: boolean;
  run?: () => void;
  /** Choosing it opens this dialog, on any page. */
  ask?: (close: () => void) => ReactNode;
  text?: string;
};

const LEAST_OF_CODE = 4;

/** Whether something has every word of a text in its names, or begins with the text as its code. */
export function doesMatch({ label, also = '', code }: Found, text: string): boolean {
  const typed = text.trim();
  if (typed.length >= LEAST_OF_CODE && code?.startsWith(typed)) return true;
  const names = `${label} ${also}`.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => names.includes(word));
}
