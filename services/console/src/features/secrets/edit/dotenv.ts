/** What a dotenv text says: texts by their names. */
export type Dotenv = { values: Map<string, string> } | { fault: string };

const NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/;
const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t' };

/** Whether a key can stand in a dotenv text. */
export function isDotenvName(name: string): boolean {
  return NAME.test(name);
}

/**
 * Reads a dotenv text: `NAME=value`, with or without `export`. In single quotes a value stands as it is, in double quotes
 * `\n`, `\r`, `\t`, `\\`, `\"` and `\$` have their meaning, and both may have several lines. What programs read in different
 * ways, such as `#` or `$NAME` outside of single quotes, is a fault, so nothing is changed or left out in silence.
 */
export function parseDotenv(text: string): Dotenv {
  const values = new Map<string, string>();
  let position = 0;
  while (position < text.length) {
    const end = endOfLine(text, position);
    const line = text.slice(position, end);
    const found = /^\s*(?:export\s+)?([^\s=]+)[ \t]*=[ \t]*/.exec(line);
    const faultAt = (what: string) => ({ fault: `Line ${numberOf(text, position)}: ${what}` });
    if (/^\s*(?:#.*)?$/.test(line)) {
      position = behind(text, end);
      continue;
    }
    const name = found?.[1] ?? '';
    if (!found || !isDotenvName(name)) return faultAt('expected NAME=value.');
    if (values.has(name)) return faultAt(`${name} is defined twice.`);
    const value = readValue(text, position + found[0].length, end);
    if ('fault' in value) return faultAt(value.fault);
    values.set(name, value.text);
    position = behind(text, value.end);
  }
  return { values };
}

type Value = { text: string; end: number } | { fault: string };

function readValue(text: string, from: number, endOfFirst: number): Value {
  const quote = text[from];
  if (quote !== "'" && quote !== '"') {
    const plain = text.slice(from, endOfFirst);
    // Some programs read what follows as a comment, and others as a part of the value.
    if (/\s#/.test(plain)) return { fault: 'put a value with # in quotes, or the comment on its own line.' };
    const odd = /[#$`'"\\]/.exec(plain)?.[0];
    if (odd) {
      const quotes = odd === "'" ? 'double' : 'single';
      return { fault: `put a value with ${odd} in ${quotes} quotes: programs read it in different ways.` };
    }
    if (/\s$/.test(plain)) return { fault: 'the value ends with a blank: put it in quotes.' };
    return { text: plain, end: endOfFirst };
  }
  let value = '';
  for (let index = from + 1; index < text.length; index += 1) {
    const letter = text[index] ?? '';
    if (letter === quote) {
      const end = endOfLine(text, index);
      if (/^\s*(?:#.*)?$/.test(text.slice(index + 1, end))) return { text: value, end };
      return { fault: 'something stands behind the closing quote.' };
    }
    if (letter === '\\' && quote === '"') {
      index += 1;
      const next = text[index] ?? '';
      value += ESCAPES[next] ?? ('"\\$'.includes(next) ? next : `\\${next}`);
    } else if (letter === '$' && quote === '"') {
      return { fault: 'write $ as \\$ in double quotes, or use single quotes.' };
    } else value += letter;
  }
  return { fault: 'the quote has no end.' };
}

function endOfLine(text: string, from: number): number {
  const found = text.slice(from).search(/\r\n?|\n/);
  return found === -1 ? text.length : from + found;
}

function behind(text: string, end: number): number {
  return end + (text.startsWith('\r\n', end) ? 2 : 1);
}

function numberOf(text: string, position: number): number {
  return text.slice(0, position).split(/\r\n?|\n/).length;
}

/** The texts as one dotenv text that `parseDotenv` reads as the same. */
export function toDotenv(values: Iterable<[string, string]>): string {
  return [...values].map(([name, text]) => `${name}=${quoted(text)}\n`).join('');
}

function quoted(text: string): string {
  if (/^[\w./:@%+,=-]*$/.test(text)) return text;
  if (!/['\r]/.test(text)) return `'${text}'`;
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('$', '\\$')
    .replaceAll('\r', '\\r')
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t');
  return `"${escaped}"`;
}
