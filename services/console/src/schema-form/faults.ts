import type { FieldAnswer } from '../../../api/contract/forms.ts';
import type { Problem } from '../api/failure.ts';
import { findLineFault } from '../kit/text/pairs.ts';
import { doesApply, isSet, kindOf, valuesIn } from './fields.ts';

const NONE_CHOSEN = 'Choose at least one.';

type Typed = { values: Record<string, unknown>; edits: Record<string, unknown> };

/** Faults that the API would not see, because what is typed means something else to it. */
export function findTypedFaults(fields: FieldAnswer[], { values, edits }: Typed): Problem[] {
  return fields.flatMap((field) => {
    const typed = edits[field.name];
    const kind = kindOf(field, values[field.name]);
    const fault = kind === 'pairs' && typeof typed === 'string' ? findLineFault(typed, field.several) : null;
    const isNone = kind === 'choices' && field.is_required && Array.isArray(typed) && typed.length === 0;
    if (isNone) return [{ detail: NONE_CHOSEN, field: field.name }];
    const found = fault ?? findBlank(field, typed);
    return found === null ? [] : [{ detail: found, field: field.name }];
  });
}

// Nobody sees a blank that was copied with a value. It is told of where it alone makes the value a wrong one.
function findBlank({ pattern }: FieldAnswer, typed: unknown): string | null {
  if (pattern === undefined || typeof typed !== 'string' || typed === typed.trim()) return null;
  const rule = new RegExp(pattern, 'u');
  if (rule.test(typed) || !rule.test(typed.trim())) return null;
  return `Remove the blank at the ${typed === typed.trimEnd() ? 'start' : 'end'}.`;
}

/** The fields of a dialog that must be given, and are not. */
export function findMissing(fields: FieldAnswer[], typed: Typed): Problem[] {
  const valueOf = valuesIn(fields, typed);
  return fields
    .filter((field) => field.is_required && doesApply(field, valueOf) && !isSet(valueOf(field.name)))
    .map((field) => ({
      detail: kindOf(field) === 'choices' ? NONE_CHOSEN : `${field.name} is required`,
      field: field.name,
    }));
}
