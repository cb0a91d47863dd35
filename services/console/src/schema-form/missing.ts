import { createContext, useContext, useEffect, useRef } from 'react';
import type { Problem } from '../api/failure.ts';

const MISSING = 'Enter a value, or press Undo to keep the stored one.';

type Note = (name: string) => () => void;

/** Gets the name of a field that a form cannot do without; what it returns takes that back. */
export const MissingSecrets = createContext<Note>(() => () => undefined);

/** Tells the form around that a secret is being replaced, and nothing is typed for it yet. */
export function useMissingSecret(name: string, isMissing: boolean): void {
  const note = useContext(MissingSecrets);
  useEffect(() => (isMissing ? note(name) : undefined), [note, name, isMissing]);
}

/** Which secrets are being replaced and have no new value. */
export function useMissingSecrets(): { note: Note; problems: () => Problem[] } {
  const { current: names } = useRef(new Set<string>());
  const { current: note } = useRef<Note>((name) => {
    names.add(name);
    return () => void names.delete(name);
  });
  return { note, problems: () => [...names].map((field) => ({ detail: MISSING, field })) };
}
