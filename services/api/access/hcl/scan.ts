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

function scanToken(text: string, at: number): [PolicyToken, number] {
  const character = text[at];
  if (character === undefined) return [{ at, type: 'end', value: '' }, at];
  if (MARKS.includes(character)) return [{ at, type: 'mark', value: character }, at + 1];
  if (character === '"') {
    const { value, end } = scanString(text, at);
    return [{ at, type: 'text', value }, end];
  }
  if (text.startsWith('<<', at)) {
    const { value, end } = scanHeredoc(text, at);
    return [{ at, type: 'text', value }, end];
  }
  const word = matchAt(WORD, text, at);
  if (word !== undefined) return [{ at, type: 'word', value: word }, at + word.length];
  if (/[-\d]/.test(character)) return scanNumber(text, at);
  const shown = String.fromCodePoint(text.codePointAt(at) ?? 0);
  throw new HclError(
    text,
    at,
    `${JSON.stringify(shown)} is not expected here; a name that contains it needs quotes`,
  );
}

function scanNumber(text: string, at: number): [PolicyToken, number] {
  const digits = matchAt(NUMBER, text, at);
  if (digits === undefined) {
    throw new HclError(
      text,
      at,
      'this is not a number; a duration needs quotes, and a number must not begin with 0',
    );
  }
  const value = digits.startsWith('-') ? -Number(digits.slice(1)) : Number(digits);
  // Otherwise two different numbers could become the same one.
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) throw new HclError(text, at, 'the number is too large');
  return [{ at, type: 'number', value }, at + digits.length];
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
