import type { FieldAnswer } from '../../../../api/contract/forms.ts';
import { isSame } from '../fields.ts';
import type { Edits } from '../schema-form.tsx';

type Values = Record<string, unknown>;

/** Whether what the user typed in a field differs from what is stored. Of a secret nobody knows, so it counts as different. */
export function isStillDifferent({ name, sensitive }: FieldAnswer, yours: Edits, theirs: Values): boolean {
  return Object.hasOwn(yours, name) && (sensitive || !isSame(yours[name], theirs[name]));
}

/** Whether someone else has stored all that the user typed, so that nothing is left to save. */
export function isAlreadyStored(fields: FieldAnswer[], yours: Edits, theirs: Values): boolean {
  const isTyped = Object.keys(yours).length > 0;
  return isTyped && !fields.some((field) => isStillDifferent(field, yours, theirs));
}
