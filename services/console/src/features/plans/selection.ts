import { useState } from 'react';
import type { SecretRef } from './plan.ts';

/** The most links or secrets that are selected together: one call changes no more. */
export const MOST_SELECTED = 500;

/** The links or secrets that the user has ticked. */
export type Selection = {
  secrets: SecretRef[];
  has: (secret: SecretRef) => boolean;
  /** Ticks all of them, or none. */
  setAll: (secrets: SecretRef[], isTicked: boolean) => void;
  clear: () => void;
};

const keyOf = ({ mount, secret_name: name }: SecretRef): string => `${mount}/${name}`;

/** Those of them alone that are among all that there are; null: not all are known. */
export function amongAll(selection: Selection, all: SecretRef[] | null): Selection {
  if (!all) return selection;
  const known = new Set(all.map(keyOf));
  return { ...selection, secrets: selection.secrets.filter((secret) => known.has(keyOf(secret))) };
}

/** They stay ticked while the user filters. */
export function useSelection(): Selection {
  const [ticked, setTicked] = useState<ReadonlyMap<string, SecretRef>>(new Map());
  return {
    secrets: [...ticked.values()],
    has: (secret) => ticked.has(keyOf(secret)),
    setAll: (secrets, isTicked) =>
      setTicked((before) => {
        const next = new Map(before);
        for (const secret of secrets) {
          if (!isTicked) next.delete(keyOf(secret));
          else if (next.size < MOST_SELECTED) next.set(keyOf(secret), secret);
        }
        return next;
      }),
    clear: () => setTicked(new Map()),
  };
}
