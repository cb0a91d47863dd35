import type { FieldAnswer } from '../../../api/contract/forms.ts';
import type { Problem } from '../api/failure.ts';
import { findLineFault } from '../kit/text/pairs.ts';
import { doesApply, isSet, kindOf, valuesIn } from './fields.ts';

const NONE_CHOSEN = 'Choose at least one.';

type Typed = { values: Record<string, unknown>; edits: Record<string, unknown> };

/** Faults that the API would not see, because what is typed means something else to it. */
export function findTypedFaults(fields: FieldAnswer[], { values, edits }: Typed): Problem[] {
  return fields.flatMap((field) => {
    const fault = faultOf(field, values[field.name], edits[field.name]);
    return fault === null ? [] : [{ detail: fault, field: field.name }];
  });
}

function faultOf(field: FieldAnswer, value: unknown, typed: unknown): string | null {
  const kind = kindOf(field, value);
  if (kind === 'pairs' && typeof typed === 'string') return findLineFault(typed, field.several);
  if (kind === 'choices' && field.is_required && Array.isArray(typed) && typed.length === 0)
    return NONE_CHOSEN;
  return kind === 'number' ? faultOfNumber(field, typed) : findBlank(field, typed);
}

// Nobody sees a blank that was copied with a value. It is told of where it alone makes the value a wrong one.
function findBlank({ pattern }: FieldAnswer, typed: unknown): string | null {
  if (pattern === undefined || typeof typed !== 'string' || typed === typed.trim()) return null;
  const rule = new RegExp(pattern, 'u');
  if (rule.test(typed) || !rule.test(typed.trim())) return null;
  return `Remove the blank at the ${typed === typed.trimEnd() ? 'start' : 'end'}.`;
}

// The text of a number that JavaScript cannot keep is one all the same.
function faultOfNumber({ type }: FieldAnswer, typed: unknown): string | null {
  const types = [type ?? []].flat();
  // Typed as text; a number where it can be one.
  if ((typeof typed !== 'string' && typeof typed !== 'number') || types.includes('string')) return null;
  const text = String(typed).trim();
  if (types.includes('integer')) return /^[-+]?\d+$/.test(text) ? null : 'Enter a whole number.';
  return Number.isFinite(Number(text)) ? null : 'Enter a number.';
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
