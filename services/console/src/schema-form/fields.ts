import type { FieldAnswer } from '../../../api/contract/forms.ts';
import { labelOf } from '../../../../libs/telling/label.ts';
import { ApiFailure } from '../api/failure.ts';
import { capitalise } from '../kit/text/capitalise.ts';
import { linesOfMap, mapOfLines } from '../kit/text/pairs.ts';

export type FieldKind =
  | 'switch'
  | 'choice'
  | 'choices'
  | 'time'
  | 'clock'
  | 'number'
  | 'list'
  | 'pairs'
  | 'json'
  | 'long'
  | 'address'
  | 'text';

const LONG = 1024;

/** The kind of control for a field. A list or a map that cannot be shown as lines is shown as JSON. */
export function kindOf(field: FieldAnswer, value?: unknown): FieldKind {
  const kind = kindBySchema(field);
  return (kind === 'list' || kind === 'pairs') && !isOfLines(kind, value, field.several) ? 'json' : kind;
}

function kindBySchema(field: FieldAnswer): FieldKind {
  const types = [field.type ?? []].flat();
  if (field.enum) return 'choice';
  if (field.format === 'date-time') return 'time';
  if (field.clock) return 'clock';
  if (types.includes('boolean')) return 'switch';
  if (types.includes('integer') || types.includes('number')) return 'number';
  if (types.includes('array')) return field.words ? 'choices' : 'list';
  if (types.includes('object')) return 'pairs';
  const isLong =
    (field.maxLength ?? 0) > LONG * 4 || /(?:cert|certificate|private[-_]key|credentials)$/.test(field.name);
  if (isLong) return 'long';
  return isAddress(field) ? 'address' : 'text';
}

// Where no blank can be meant at an end: keyboards of phones add one. A secret is never taken for anything but what is typed.
function isAddress({ name, sensitive }: FieldAnswer): boolean {
  return (
    !sensitive && /(?:[-_](?:url|uri|address|number|sid)|^url|^host|^sender|^kubernetes_host)$/.test(name)
  );
}

/** Whether a field is for a certificate. */
export function isCertificate({ name }: Pick<FieldAnswer, 'name'>): boolean {
  return /(?:cert|certificate)$/.test(name);
}

// Whether the text for a value means the same value again.
function isOfLines(kind: 'list' | 'pairs', value: unknown, several = false): boolean {
  if (value === undefined || value === null || value === '') return true;
  return JSON.stringify(fromText(kind, toText(kind, value, several), several)) === JSON.stringify(value);
}

/** The label of a field: the title in its schema, or else its name. */
export function titleOf(field: Pick<FieldAnswer, 'name' | 'title'>): string {
  return field.title ?? labelOf(field.name);
}

// A choice that a text tells, such as `deletion_policy is retain`.
const CHOICE = /`?\b([a-z]+(?:_[a-z]+)*)`? is `?([a-z]+(?:-[a-z]+)*)`?/g;
// A name of one word is a name only in quotes: `region` is also what a region is called.
const NAME = /`([\w-]+)`|(?<![\w."-])[a-z]+(?:[_-][a-z\d]+)+(?![\w"-]|\.\w)/g;

/** A text of the API about a form, with the labels of fields and choices in place of their names. What stands in double quotes is none. */
export function withLabels(text: string, fields: Pick<FieldAnswer, 'name' | 'title' | 'words'>[]): string {
  const labelOr = (found: string, name: string): string => {
    const field = fields.find((one) => one.name === name);
    return field ? `“${titleOf(field)}”` : found;
  };
  return text
    .replace(CHOICE, (found, name: string, value: string) => {
      const field = fields.find((one) => one.name === name && one.words?.[value] !== undefined);
      return field ? `“${titleOf(field)}” is “${field.words?.[value]}”` : found;
    })
    .replace(/external name template/i, (found) => labelOr(found, 'secret_name_template'))
    .replace(NAME, (found, quoted?: string) => labelOr(found, quoted ?? found));
}

/** Whether a form shows a field: one in a former form only where it is set, or typed, to something of its own. */
export function isOffered(field: FieldAnswer, value: unknown): boolean {
  return field.older !== true || (isSet(value) && textOf(value) !== textOf(field.default));
}

/** Whether a field matters beside the values of the others: `url` does not if alerts go by email. */
export function doesApply({ applies = {} }: FieldAnswer, valueOf: (name: string) => unknown): boolean {
  return Object.entries(applies).every(([name, value]) => [value].flat().includes(textOf(valueOf(name))));
}

/** Why a switch is off beside the values of the others; empty if it is not. */
export function offBy({ offWith }: FieldAnswer, valueOf: (name: string) => unknown): string {
  return offWith && [valueOf(offWith.field)].flat().includes(offWith.value) ? offWith.text : '';
}

/** The value of a field by its name: typed, or stored, or what counts without it. */
export function valuesIn(
  fields: FieldAnswer[],
  { values, edits }: { values: Record<string, unknown>; edits: Record<string, unknown> },
): (name: string) => unknown {
  return (name) => edits[name] ?? values[name] ?? fields.find((field) => field.name === name)?.default;
}

/** Edits without fields that no longer apply: what is stored there goes, and a switch that another field turns off is off. */
export function withoutNeedless(
  fields: FieldAnswer[],
  { values, edits }: { values: Record<string, unknown>; edits: Record<string, unknown> },
): Record<string, unknown> {
  const valueOf = valuesIn(fields, { values, edits });
  const isChosen = ({ applies = {} }: FieldAnswer): boolean =>
    Object.keys(applies).some((name) => Object.hasOwn(edits, name));
  const needless = fields.filter((field) => isChosen(field) && !doesApply(field, valueOf));
  const off = fields.filter((field) => offBy(field, valueOf) !== '');
  const unsent = [...needless, ...off];
  const kept = Object.entries(edits).filter(([name]) => !unsent.some((field) => field.name === name));
  const gone = needless.filter(({ name }) => isSet(values[name])).map(({ name }) => [name, null]);
  const turned = off.filter(({ name }) => values[name] === true).map(({ name }) => [name, false]);
  return { ...Object.fromEntries(kept), ...Object.fromEntries(gone), ...Object.fromEntries(turned) };
}

/** Whether something is stored or typed in a field. */
export function isSet(value: unknown): boolean {
  return !['', '""', '[]', '{}'].includes(textOf(value));
}

/** Whether two values say the same; nothing is the same in whatever form it is stored. */
export function isSame(one: unknown, other: unknown): boolean {
  return textOf(one) === textOf(other) || !(isSet(one) || isSet(other));
}

/** Whether a setting of a destination says what it may reach. */
export function isNetwork({ name }: FieldAnswer): boolean {
  return name.startsWith('allowed_') || name === 'disable_strict_networking';
}

/** What people read for the value of a choice. */
export function wordOf({ words }: FieldAnswer, value: string): string {
  return words?.[value] ?? value;
}

/** Any value as a text: a text itself, all others as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

/** The text in an input for a value. `several`: a name of a map may have a list of values, a line for each. */
export function toText(kind: FieldKind, value: unknown, several = false): string {
  if (value === undefined || value === null) return '';
  if (kind === 'list' && Array.isArray(value)) return value.map(String).join('\n');
  if (kind === 'pairs' && typeof value === 'object') return linesOfMap(value, several);
  if (kind === 'json') return JSON.stringify(value, undefined, 2);
  return textOf(value);
}

/** The value of a text; null for an empty one, which removes the setting. */
export function fromText(kind: FieldKind, text: string, several = false): unknown {
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== '');
  if (kind === 'list') return lines.map((line) => line.trim());
  if (kind === 'pairs') return mapOfLines(text, several);
  if (kind === 'address') return text.trim() || null;
  if (text === '') return null;
  // We send a text that is not what it should be as it is. The API says what is wrong with it.
  if (kind === 'number') return isExact(text.trim()) ? Number(text) : text;
  if (kind === 'json') return jsonOf(text);
  return text;
}

// Whether a text is a number that JavaScript keeps as it stands.
function isExact(text: string): boolean {
  return /^-?\d+(?:\.\d+)?$/.test(text) && (text.includes('.') || Number.isSafeInteger(Number(text)));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Edits as a merge patch over the stored values: what was taken out of a map is null. */
export function patchOf(
  edits: Record<string, unknown>,
  stored: Record<string, unknown>,
): Record<string, unknown> {
  const patched = Object.entries(edits).map(([name, value]) => {
    const before = stored[name];
    if (!isMap(value) || !isMap(before)) return [name, value];
    const gone = Object.keys(before).filter((key) => !Object.hasOwn(value, key));
    return [name, { ...value, ...Object.fromEntries(gone.map((key) => [key, null])) }];
  });
  return Object.fromEntries(patched) as Record<string, unknown>;
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Sorts the problems of a refusal by field. `wrong` has the labels of the fields that have one, and `rest` concerns the
 * form as a whole.
 */
export function sortFaults(
  failure: unknown,
  fields: Pick<FieldAnswer, 'name' | 'title'>[],
): { byField: Record<string, string>; wrong: string[]; rest: unknown } {
  if (!(failure instanceof ApiFailure)) return { byField: {}, wrong: [], rest: failure };
  const byField: Record<string, string> = {};
  const rest = failure.problems.flatMap(({ detail, field }) => {
    const name = field ?? /^(?:the )?([\w.-]+):? /.exec(detail)?.[1] ?? '';
    const faulty = fields.find((one) => one.name === name);
    if (!faulty) return [{ detail: withLabels(detail, fields) }];
    byField[name] ??= capitalise(withLabels(atField(faulty, detail), fields));
    return [];
  });
  const isAsItWas = rest.map(({ detail }) => detail).join('; ') === failure.message;
  return {
    byField,
    wrong: fields.filter(({ name }) => Object.hasOwn(byField, name)).map(titleOf),
    rest: isAsItWas ? failure : rest.length > 0 ? failure.withProblems(rest) : null,
  };
}

// At its field a fault says what to do. A sentence that needs a subject has the label of the field.
function atField(field: Pick<FieldAnswer, 'name' | 'title'>, detail: string): string {
  const named = /^(?:the )?([\w.-]+)(?::|(?: of an? [a-z]+)?(?= (?:must |is required|is missing))) /.exec(
    detail,
  );
  const text = named?.[1] === field.name ? detail.slice(named[0].length) : detail;
  if (['is required', 'is missing', 'must not be empty'].includes(text)) return 'Enter a value.';
  const advice = /^is required: (enter .*)$/.exec(text)?.[1] ?? text.replace(/^must have /, 'use ');
  const thing = /^must be ((?:an?|the) .*)$/s.exec(advice)?.[1];
  if (thing !== undefined) return `Enter ${thing}.`;
  const number = /^must be (integer|number)$/.exec(advice);
  if (number) return number[1] === 'integer' ? 'Enter a whole number.' : 'Enter a number.';
  const bound = /^must be (>=|<=) (-?\d+)$/.exec(advice);
  if (bound) return `Enter ${bound[2]} or ${bound[1] === '>=' ? 'more' : 'less'}.`;
  const subject = /^(?:must|is) /.test(advice) ? `“${titleOf(field)}” ` : '';
  return `${subject}${advice}${/[.!?]$/.test(advice) ? '' : '.'}`;
}

/** The names of the sensitive fields. */
export const namesOfSecrets = (fields: FieldAnswer[]): string[] =>
  fields.filter(({ sensitive }) => sensitive).map(({ name }) => name);
