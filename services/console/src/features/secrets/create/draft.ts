import { changeOf, formatFor, type Added } from '../edit/change.ts';
import { parseWhole, writeWhole, type Notation } from '../edit/document.ts';
import { toJson, typeOf } from '../edit/json.ts';

/** How a new secret is typed: key by key, or as one text. */
export type SecretDraft = { way: 'fields'; fields: Added[] } | { way: Notation; text: string };

export const EMPTY_FIELD: Added = { name: '', format: 'text', text: '' };

/** The values that a draft means. A fault says why it means none yet; an empty one: nothing was typed. */
export function valuesOfDraft(draft: SecretDraft): { values: Map<string, unknown> } | { fault: string } {
  if (draft.way !== 'fields')
    return draft.text.trim() === '' ? { fault: '' } : parseWhole(draft.way, draft.text);
  const change = changeOf([], new Map(), draft.fields);
  if ('fault' in change) return change;
  return change.set.size === 0 ? { fault: '' } : { values: change.set };
}

/** The same secret, typed in another way. A fault says why it cannot be. */
export function turnDraft(
  draft: SecretDraft,
  way: SecretDraft['way'],
): { draft: SecretDraft } | { fault: string } {
  const found = valuesOfDraft(draft);
  if ('fault' in found && found.fault !== '') return { fault: `${found.fault} Fix that first.` };
  const values = 'values' in found ? found.values : new Map<string, unknown>();
  if (way === 'fields') {
    const fields = [...values].map(([name, value]): Added => {
      const format = formatFor(typeOf(value));
      return { name, format, text: typeof value === 'string' ? value : toJson(value) };
    });
    return { draft: { way, fields: fields.length > 0 ? fields : [EMPTY_FIELD] } };
  }
  if (values.size === 0) return { draft: { way, text: '' } };
  const written = writeWhole(way, values);
  return 'fault' in written ? written : { draft: { way, text: written.text } };
}

/** Why a path cannot be that of a secret; empty if it can. */
export function faultOfPath(path: string): string {
  if (path === '') return '';
  const parts = path.split('/');
  if (path.endsWith('/')) return 'A secret needs a name after the last slash.';
  if (parts.includes('')) return 'A path has no empty parts: look for a double slash.';
  if (parts.some((part) => part !== part.trim())) return 'A name has no blank at its start or end.';
  // A browser would leave these out of the address.
  if (parts.some((part) => part === '.' || part === '..')) return 'No part of a path can be . or ..';
  // oxlint-disable-next-line no-control-regex
  return /[\u0000-\u001f\u007f]/.test(path) ? 'A path has no control characters.' : '';
}
