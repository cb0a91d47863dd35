import { HclError } from './hcl-error.ts';

const ESCAPES: Record<string, string> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

// Letters of a quoted text that mean themselves.
const PLAIN = /[^"\\\n$]*/y;

const HEREDOC = /<<(-?)([A-Za-z_][\w.-]*)[ \t]*\r?\n/y;

type Scanned = { value: string; end: number };

/** Reads a quoted text and resolves its escapes; `at` is the offset of its first quote. Throws HclError. */
export function scanString(text: string, position: number): Scanned {
  let value = '';
  let offset = position + 1;
  for (;;) {
    const character = text[offset];
    if (character === undefined || character === '\n') {
      throw new HclError(text, position, 'the text has no end: a quote is missing on its line');
    }
    if (character === '"') break;
    if (character === '\\') {
      const escaped = scanEscape(text, offset);
      value += escaped.value;
      offset = escaped.end;
    } else {
      refuseTemplate(text, offset);
      PLAIN.lastIndex = offset + 1;
      const end = offset + 1 + (PLAIN.exec(text)?.[0].length ?? 0);
      value += text.slice(offset, end);
      offset = end;
    }
  }
  if (/\p{Surrogate}/u.test(value))
    throw new HclError(text, position, 'the text contains half of a surrogate pair');
  return { value, end: offset + 1 };
}

/**
 * Reads `<<END`, lines as they are, and a line with `END` alone. Every line of the value ends in a line feed. With
 * `<<-`, the indent of the last line is removed from all lines, if all of them have it. Throws HclError.
 */
export function scanHeredoc(text: string, position: number): Scanned {
  HEREDOC.lastIndex = position;
  const [opening, dash, marker] = HEREDOC.exec(text) ?? [];
  if (opening === undefined)
    throw new HclError(text, position, '<< must be followed by a name and a new line');
  const lines: string[] = [];
  let offset = position + opening.length;
  while (offset < text.length) {
    const feed = text.indexOf('\n', offset);
    const end = feed === -1 ? text.length : feed;
    const line = text.slice(offset, end).replace(/\r$/, '');
    if (line.trim() === marker) return { value: join(lines, dash ? indentOf(line) : ''), end };
    const template = line.indexOf('${');
    if (template !== -1) refuseTemplate(text, offset + template);
    lines.push(line);
    offset = end + 1;
  }
  throw new HclError(text, position, `the text has no end: a line that contains only ${marker} is missing`);
}

function scanEscape(text: string, position: number): Scanned {
  const letter = text[position + 1] ?? '';
  const digits = letter === 'u' ? 4 : letter === 'U' ? 8 : 0;
  if (digits === 0) {
    const value = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
    if (value === undefined) throw new HclError(text, position, 'no such escape; \\\\ is one backslash');
    return { value, end: position + 2 };
  }
  const hex = text.slice(position + 2, position + 2 + digits);
  const code = Number.parseInt(hex, 16);
  if (hex.length < digits || /[^\dA-Fa-f]/.test(hex) || code > 0x10ffff) {
    throw new HclError(
      text,
      position,
      `\\${letter} must be followed by ${digits} hexadecimal digits of a character`,
    );
  }
  return { value: String.fromCodePoint(code), end: position + 2 + digits };
}

// We do not evaluate templates, and a rule for the literal text ${…} is not what its author meant.
function refuseTemplate(text: string, offset: number): void {
  if (text.startsWith('${', offset)) {
    throw new HclError(text, offset, 'templates ${…} are not evaluated: write the value itself');
  }
}

function join(lines: string[], indent: string): string {
  const cut = lines.every((line) => line.startsWith(indent)) ? indent.length : 0;
  return lines.map((line) => `${line.slice(cut)}\n`).join('');
}

function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}
