import type { FieldAnswer } from '../../../api/contract/forms.ts';
import type { Problem } from '../api/failure.ts';
import { findLineFault } from '../kit/text/pairs.ts';
import { doesApply, isSet, kindOf, valuesIn } from './fields.ts';

type Typed = { values: Record<string, unknown>; edits: Record<string, unknown> };

/** Faults that the API would not see, because what is typed means something else to it. */
export function findTypedFaults(fields: FieldAnswer[], { values, edits }: Typed): Problem[] {
  return fields.flatMap((field) => {
    const typed = edits[field.name];
    const kind = kindOf(field, values[field.name]);
    const fault = kind === 'pairs' && typeof typed === 'string' ? findLineFault(typed, field.several) : null;
    const isNone = kind === 'choices' && field.is_required && Array.isArray(typed) && typed.length === 0;
    if (isNone) return [{ detail: 'Choose at least one.', field: field.name }];
    return fault === null ? [] : [{ detail: fault, field: field.name }];
  });
}

/** The fields of a dialog that must be given, and are not. */
export function findMissing(fields: FieldAnswer[], typed: Typed): Problem[] {
  const valueOf = valuesIn(fields, typed);
  return fields
    .filter((field) => field.is_required && doesApply(field, valueOf) && !isSet(valueOf(field.name)))
    .map(({ name }) => ({ detail: `${name} is required`, field: name }));
}
