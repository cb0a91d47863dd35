import type { FieldAnswer } from '../../../api/contract/forms.ts';
import { textOf, toText, wordOf } from './fields.ts';

/** A value of a field as people read it: a list and a map in one line, a switch as its form calls it. */
export function readableOf(field: FieldAnswer, value: unknown): string {
  if (typeof value === 'boolean') return value ? 'On' : 'Off';
  if (Array.isArray(value)) return value.map((one) => wordOf(field, textOf(one))).join(', ');
  if (typeof value === 'object' && value !== null)
    return toText('pairs', value, field.several).replaceAll('\n', ', ');
  return wordOf(field, textOf(value));
}
