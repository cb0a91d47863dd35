import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { isJsonObject, parseLossless } from '../../../libs/validation/lossless.ts';
import { CommandError } from '../exit-codes.ts';
import type { Fields } from './http.ts';

/**
 * Reads fields from arguments: `key=text`, `key=@file`, `key=-` (standard input), `key:=json`, and `@file` or `-` for a
 * whole JSON object. A key of an object may be given again, and the later argument takes precedence; any other key only once. Files and standard input are used unchanged, including a line feed
 * at the end. `key=\@…` and `key=\-` are texts that begin with `@` or `-`. Throws CommandError 2, which never repeats a
 * value.
 */
export async function readFields(words: string[]): Promise<Fields> {
  const readInput = createInput();
  const fields: Fields = {};
  const given = new Set<string>();
  for (const word of words) {
    const read = await readWord(word, readInput);
    for (const name of isWhole(word) ? [] : Object.keys(read)) {
      if (given.has(name)) throw new CommandError('usage', `the key ${name} is given twice`);
      given.add(name);
    }
    Object.assign(fields, read);
  }
  return fields;
}

function isWhole(word: string): boolean {
  return word === '-' || word.startsWith('@');
}

async function readWord(word: string, readInput: () => Promise<string>): Promise<Fields> {
  if (word === '-') return objectOf(await readInput(), 'standard input');
  if (word.startsWith('@')) return objectOf(await readText(word.slice(1)), word.slice(1));
  const split = word.indexOf('=');
  if (split < 1)
    throw new CommandError('usage', 'each field must be key=value, key=@file, key=-, key:=json, @file or -');
  const [name, value] = [word.slice(0, split), word.slice(split + 1)];
  if (name.endsWith(':') && name.length > 1) return { [name.slice(0, -1)]: jsonOf(value, name.slice(0, -1)) };
  if (value === '-') {
    const content = await readInput();
    // Usually the command before it failed.
    if (content === '')
      throw new CommandError('usage', `standard input is empty: write ${name}= for an empty value`);
    return { [name]: content };
  }
  if (value.startsWith('@')) return { [name]: await readText(value.slice(1)) };
  return { [name]: /^\\[@-]/.test(value) ? value.slice(1) : value };
}

// Standard input can be read only once.
function createInput(): () => Promise<string> {
  let isRead = false;
  return async () => {
    if (isRead) throw new CommandError('usage', 'standard input can be named only once');
    isRead = true;
    return text(process.stdin);
  };
}

async function readText(file: string): Promise<string> {
  const bytes = await readFile(file).catch(() => {
    throw new CommandError('failed', `the file ${file} cannot be read`);
  });
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CommandError(
      'failed',
      `the file ${file} is not UTF-8 text: encode it first, for example in base64`,
    );
  }
}

function objectOf(content: string, source: string): Fields {
  const value = jsonOf(content, source);
  if (!isJsonObject(value)) throw new CommandError('usage', `${source} must contain a JSON object`);
  return value;
}

function jsonOf(content: string, source: string): unknown {
  try {
    return parseLossless(content);
  } catch {
    throw new CommandError('usage', `${source} does not contain valid JSON`);
  }
}
