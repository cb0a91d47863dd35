import type { RevealedAnswer } from '../../../../../api/contract/secrets.ts';
import { isDotenvName, parseDotenv, toDotenv } from './dotenv.ts';
import { parseDocument, toDocument, valuesOf } from './json.ts';

/** How a whole secret is written as one text. */
export type Notation = 'json' | 'dotenv';

/** The names of the notations. */
export const NOTATIONS: Record<Notation, string> = { json: 'JSON', dotenv: '.env' };

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

/** The same for what was revealed. */
export function writeRevealed(notation: Notation, revealed: Map<string, RevealedAnswer>): string {
  const written = writeWhole(notation, valuesOf(revealed));
  if ('fault' in written) throw new Error(written.fault);
  return written.text;
}
