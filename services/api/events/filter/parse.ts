import { LIMITS, requireWithin } from '../../limits.ts';
import { filterFault, scanFilter, type FilterPart } from './scan.ts';

/** What a filter may ask about an event. All are texts; what an event does not have is empty. */
export type Selectors = Record<(typeof NAMES)[number], string>;

/** Whether an event passes the filter; takes a time that is linear in both. */
export type Filter = (event: Selectors) => boolean;

const NAMES = ['event_type', 'operation', 'data_path', 'path', 'namespace', 'source_plugin_mount'] as const;
const OPERATORS = '==, !=, contains, not contains, in, not in, is empty or is not empty';

/** What is left to read, and how deep the present part is nested. */
type Reading = { parts: FilterPart[]; next: number; depth: number; end: number };

/**
 * Reads an expression as Vault's filters are written: comparisons of names and texts, `and`, `or`, `not`, parentheses.
 * Throws 400 that says where it is wrong.
 */
export function parseFilter(text: string): Filter {
  requireWithin(LIMITS.filterBytes, Buffer.byteLength(text));
  const reading: Reading = { parts: scanFilter(text), next: 0, depth: 0, end: text.length + 1 };
  const filter = readEither(reading);
  const left = reading.parts[reading.next];
  if (left) throw filterFault(left.at, '`and`, `or` or the end is expected here');
  return filter;
}

function readEither(reading: Reading): Filter {
  const choices = [readAll(reading)];
  while (takeWord(reading, 'or')) choices.push(readAll(reading));
  return (event) => choices.some((choice) => choice(event));
}

function readAll(reading: Reading): Filter {
  const terms = [readTerm(reading)];
  while (takeWord(reading, 'and')) terms.push(readTerm(reading));
  return (event) => terms.every((term) => term(event));
}

function readTerm(reading: Reading): Filter {
  const isNegated = takeWord(reading, 'not');
  const opens = !isNegated && takeWord(reading, '(');
  if (!isNegated && !opens) return readMatch(reading);
  reading.depth += 1;
  requireWithin(LIMITS.filterDepth, reading.depth);
  const inner = isNegated ? readTerm(reading) : readEither(reading);
  if (opens && !takeWord(reading, ')')) throw filterFault(position(reading), '`)` is expected here');
  reading.depth -= 1;
  return isNegated ? (event) => !inner(event) : inner;
}

function readMatch(reading: Reading): Filter {
  const first = takePart(reading, `one of ${NAMES.join(', ')}`);
  const negatesIn = startsWith(reading, 'not', 'in');
  if (negatesIn || startsWith(reading, 'in')) {
    reading.next += negatesIn ? 2 : 1;
    const name = nameOf(takePart(reading, 'a name'));
    return (event) => event[name].includes(first.text) !== negatesIn;
  }
  const name = nameOf(first);
  return compare(reading, name);
}

function compare(reading: Reading, name: keyof Selectors): Filter {
  if (takeWord(reading, 'is')) {
    const isNegated = takeWord(reading, 'not');
    if (!takeWord(reading, 'empty')) throw filterFault(position(reading), '`empty` is expected here');
    return (event) => (event[name] === '') !== isNegated;
  }
  for (const word of ['==', '!='] as const) {
    if (!takeWord(reading, word)) continue;
    const { text } = takePart(reading, 'a text');
    return (event) => (event[name] === text) === (word === '==');
  }
  const isNegated = startsWith(reading, 'not', 'contains');
  if (isNegated || startsWith(reading, 'contains')) {
    reading.next += isNegated ? 2 : 1;
    const { text } = takePart(reading, 'a text');
    return (event) => event[name].includes(text) !== isNegated;
  }
  if (startsWith(reading, 'matches') || startsWith(reading, 'not', 'matches'))
    throw filterFault(position(reading), `\`matches\` is not offered: use ${OPERATORS}`);
  throw filterFault(position(reading), `${OPERATORS} is expected here`);
}

function nameOf({ text, isQuoted, at }: FilterPart): keyof Selectors {
  const name = isQuoted ? undefined : NAMES.find((known) => known === text);
  if (!name) throw filterFault(at, `one of ${NAMES.join(', ')} is expected here`);
  return name;
}

// A name, or a text with or without quotes.
function takePart(reading: Reading, wanted: string): FilterPart {
  const part = reading.parts[reading.next];
  if (!part || (!part.isQuoted && /^(?:[()]|==|!=)$/.test(part.text)))
    throw filterFault(position(reading), `${wanted} is expected here`);
  reading.next += 1;
  return part;
}

function takeWord(reading: Reading, word: string): boolean {
  if (!startsWith(reading, word)) return false;
  reading.next += 1;
  return true;
}

function startsWith({ parts, next }: Reading, ...words: string[]): boolean {
  return words.every((word, index) => {
    const part = parts[next + index];
    return part?.text === word && !part.isQuoted;
  });
}

function position({ parts, next, end }: Reading): number {
  return parts[next]?.at ?? end;
}
