import type { FieldAnswer } from '../../../api/contract/answers.ts';
import { ApiFailure } from '../api/failure.ts';

export type FieldKind = 'switch' | 'choice' | 'number' | 'list' | 'pairs' | 'long' | 'text';

const ACRONYMS = new Set([
  'api',
  'arn',
  'id',
  'idp',
  'ipv4',
  'ipv6',
  'kms',
  'oidc',
  'saml',
  'sha',
  'smtp',
  'sms',
  'sso',
  'ui',
  'uri',
  'url',
  'aws',
  'gcp',
  'acs',
]);
const LONG = 1024;

/** The kind of control for a field, by its schema alone. */
export function kindOf(field: FieldAnswer): FieldKind {
  const types = [field.type ?? []].flat();
  if (field.enum) return 'choice';
  if (types.includes('boolean')) return 'switch';
  if (types.includes('integer') || types.includes('number')) return 'number';
  if (types.includes('array')) return 'list';
  if (types.includes('object')) return 'pairs';
  const isLong = (field.maxLength ?? 0) > LONG * 4 || /(?:cert|private-key|credentials)$/.test(field.name);
  return isLong ? 'long' : 'text';
}

/** A name as people write it. */
export function labelOf(name: string): string {
  const words = name.split(/[-_]/).map((word) => (ACRONYMS.has(word) ? word.toUpperCase() : word));
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Any value as a text: a text itself, all others as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

/** The text in an input for a value. */
export function toText(kind: FieldKind, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (kind === 'list' && Array.isArray(value)) return value.map(String).join('\n');
  if (kind === 'pairs' && typeof value === 'object') {
    return Object.entries(value)
      .map(([key, text]) => `${key}=${textOf(text)}`)
      .join('\n');
  }
  return textOf(value);
}

/** The value of a text; null for an empty one, which removes the setting. */
export function fromText(kind: FieldKind, text: string): unknown {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  if (kind === 'list') return lines;
  if (kind === 'pairs') {
    return Object.fromEntries(
      lines.map((line) => {
        const at = line.indexOf('=');
        return at === -1 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
      }),
    );
  }
  if (text === '') return null;
  // We send a text that is not a number as it is. The API says what is wrong with it.
  if (kind === 'number') return Number.isNaN(Number(text)) ? text : Number(text);
  return text;
}

/** Sorts the problems of a refusal by field. `rest` concerns the form as a whole. */
export function sortFaults(
  failure: unknown,
  fields: FieldAnswer[],
): { byField: Record<string, string>; rest: unknown } {
  if (!(failure instanceof ApiFailure)) return { byField: {}, rest: failure };
  const names = new Set(fields.map(({ name }) => name));
  const byField: Record<string, string> = {};
  const rest = failure.problems.filter(({ detail, field }) => {
    const name = field ?? detail.split(' ', 1)[0] ?? '';
    if (!names.has(name)) return true;
    byField[name] = detail;
    return false;
  });
  const isAll = rest.length === failure.problems.length;
  return {
    byField,
    rest: isAll ? failure : rest.length > 0 ? failure.withProblems(rest) : null,
  };
}

/** The names of the sensitive fields. */
export const namesOfSecrets = (fields: FieldAnswer[]): string[] =>
  fields.filter(({ sensitive }) => sensitive).map(({ name }) => name);
