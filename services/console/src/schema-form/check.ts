import { useState } from 'react';
import type { FieldAnswer } from '../../../api/contract/forms.ts';
import type { useEdits } from './edits.ts';
import { sortFaults } from './fields.ts';
import type { Edits } from './schema-form.tsx';

/** Asks the API whether it would take these edits; throws its refusal. */
export type Check = (edits: Edits) => Promise<void>;

/**
 * Checks edits before they are saved. `look`, when the user leaves a field, marks only what was typed; `pass`, before the
 * question about saving, shows every fault, or goes on if there is none. Without a check, none is found.
 */
export function useCheck(form: ReturnType<typeof useEdits>, check: Check = async () => undefined) {
  const [busy, setBusy] = useState(false);
  const [seen, setSeen] = useState<{ refusal: unknown; about: Edits }>({ refusal: null, about: {} });
  const { edits } = form;
  const look = async (): Promise<void> => {
    if (!form.isTouched) return;
    const refusal: unknown = await check(edits).then(
      () => null,
      (error: unknown) => error,
    );
    setSeen({ refusal, about: edits });
  };
  const pass = async (goOn: () => void): Promise<void> => {
    form.clear();
    setBusy(true);
    try {
      await check(edits);
      goOn();
    } catch (refusal) {
      form.refuse(refusal);
    } finally {
      setBusy(false);
    }
  };
  const isAsSeen = (name: string): boolean => Object.hasOwn(edits, name) && edits[name] === seen.about[name];
  const faultsIn = (fields: FieldAnswer[]): Record<string, string> =>
    Object.fromEntries(
      Object.entries(sortFaults(seen.refusal, fields).byField).filter(([name]) => isAsSeen(name)),
    );
  return { busy, faultsIn, look: () => void look(), pass: (goOn: () => void) => void pass(goOn) };
}
