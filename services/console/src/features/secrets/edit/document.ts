import type { RevealedAnswer } from '../../../../../api/contract/secrets.ts';
import { nounOf, type Key } from './change.ts';
import { isDotenvName, parseDotenv, toDotenv } from './dotenv.ts';
import { parseDocument, toDocument, valuesOf } from './json.ts';

/** How a whole secret is written as one text. */
export type Notation = 'json' | 'dotenv';

/** The names of the notations. */
export const NOTATIONS: Record<Notation, string> = { json: 'JSON', dotenv: '.env' };

/** Says beside a button that the text has a fault, which is told at the text. */
export function faultOfText(notation: Notation): string {
  return `The ${NOTATIONS[notation]} text has a fault.`;
}

/** The keys that a notation cannot hold, and that an edit in it leaves as they are: a .env file has only texts. */
export function leftOutOf(notation: Notation, keys: Key[]): Key[] {
  return notation === 'json' ? [] : keys.filter(({ name, type }) => type !== 'text' || !isDotenvName(name));
}

/** What a text says, by key. */
export function parseWhole(
  notation: Notation,
  text: string,
): { values: Map<string, unknown> } | { fault: string } {
  return notation === 'json' ? parseDocument(text) : parseDotenv(text);
}

/** Values as one text. A fault says why the notation cannot hold them as they are. */
export function writeWhole(
  notation: Notation,
  values: Map<string, unknown>,
): { text: string } | { fault: string } {
  if (notation === 'json') return { text: toDocument(values) };
  const texts: [string, string][] = [];
  for (const [name, value] of values) {
    if (!isDotenvName(name)) return { fault: `The key ${name} can’t be a name in a .env file.` };
    if (typeof value !== 'string')
      return { fault: `A .env file holds only texts, and ${name} is not one. Use JSON.` };
    texts.push([name, value]);
  }
  return { text: toDotenv(texts) };
}

/** What was revealed as one text, without the keys that are left out of it. */
export function writeRevealed(
  notation: Notation,
  revealed: Map<string, RevealedAnswer>,
  leftOut: Key[],
): string {
  const values = valuesOf(revealed);
  for (const { name } of leftOut) values.delete(name);
  const written = writeWhole(notation, values);
  if ('fault' in written) throw new Error(written.fault);
  return written.text;
}

/** Says which keys are left out of a text, and with which type they stay. */
export function describeLeftOut(keys: Key[]): string {
  const named = keys.map(({ name, type }) => `${name} (${nounOf(type)})`);
  return `Not in this text, and unchanged: ${named.join(', ')}. A .env file holds only texts. Edit these as fields or as JSON.`;
}

/** Why a text must not name a key that is left out of it; empty if it names none. */
export function faultOfLeftOut(values: Map<string, unknown>, leftOut: Key[]): string {
  const found = leftOut.find(({ name }) => values.has(name));
  return found
    ? `${found.name} is ${nounOf(found.type)} and can’t become a text here. Edit it as a field.`
    : '';
}
