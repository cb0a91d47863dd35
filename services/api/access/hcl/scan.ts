import { createPause } from '../../../../libs/time/slices.ts';
import { HclError } from './hcl-error.ts';
import { scanHeredoc, scanString } from './scan-text.ts';

/** A token and the offset where it begins. A `mark` is one of `{ } [ ] , = :`. */
export type PolicyToken = { at: number } & (
  | { type: 'mark' | 'word' | 'text'; value: string }
  | { type: 'number'; value: number }
  | { type: 'end'; value: '' }
);

const BLANK = /[\s\uFEFF]*/y;
const WORD = /[A-Za-z_][\w.-]*/y;
const NUMBER = /-?(?:0[xX][\dA-Fa-f]+|(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])/y;
const TOKENS_AT_ONCE = 200;
const MARKS = '{}[],=:';

/** Splits a text into tokens; the last one is an `end`. Throws HclError. A long text is read in slices. */
export async function scan(text: string): Promise<PolicyToken[]> {
  const pause = createPause();
  const tokens: PolicyToken[] = [];
  let offset = 0;
  for (;;) {
    offset = skipComments(text, offset);
    const [token, end] = scanToken(text, offset);
    tokens.push(token);
    if (token.type === 'end') return tokens;
    offset = end;
    if (tokens.length % TOKENS_AT_ONCE === 0) await pause();
  }
}

function scanToken(text: string, position: number): [PolicyToken, number] {
  const character = text[position];
  if (character === undefined) return [{ at: position, type: 'end', value: '' }, position];
  if (MARKS.includes(character)) return [{ at: position, type: 'mark', value: character }, position + 1];
  if (character === '"') {
    const { value, end } = scanString(text, position);
    return [{ at: position, type: 'text', value }, end];
  }
  if (text.startsWith('<<', position)) {
    const { value, end } = scanHeredoc(text, position);
    return [{ at: position, type: 'text', value }, end];
  }
  const word = matchAt(WORD, text, position);
  if (word !== undefined) return [{ at: position, type: 'word', value: word }, position + word.length];
  if (/[-\d]/.test(character)) return scanNumber(text, position);
  const shown = String.fromCodePoint(text.codePointAt(position) ?? 0);
  throw new HclError(
    text,
    position,
    `${JSON.stringify(shown)} is not expected here; a name that contains it needs quotes`,
  );
}

function scanNumber(text: string, position: number): [PolicyToken, number] {
  const digits = matchAt(NUMBER, text, position);
  if (digits === undefined) {
    throw new HclError(
      text,
      position,
      'this is not a number; a duration needs quotes, and a number must not begin with 0',
    );
  }
  const value = digits.startsWith('-') ? -Number(digits.slice(1)) : Number(digits);
  // Otherwise two different numbers could become the same one.
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER)
    throw new HclError(text, position, 'the number is too large');
  return [{ at: position, type: 'number', value }, position + digits.length];
}

// Skips blanks, `# …`, `// …` and `/* … */`.
function skipComments(text: string, start: number): number {
  let offset = start;
  for (;;) {
    offset += matchAt(BLANK, text, offset)?.length ?? 0;
    if (text[offset] === '#' || text.startsWith('//', offset)) {
      const end = text.indexOf('\n', offset);
      offset = end === -1 ? text.length : end;
    } else if (text.startsWith('/*', offset)) {
      const end = text.indexOf('*/', offset + 2);
      if (end === -1) throw new HclError(text, offset, 'the comment has no end: */ is missing');
      offset = end + 2;
    } else return offset;
  }
}

function matchAt(pattern: RegExp, text: string, offset: number): string | undefined {
  pattern.lastIndex = offset;
  return pattern.exec(text)?.[0];
}
