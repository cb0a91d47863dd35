import { HclError } from './hcl-error.ts';
import { scan, type PolicyToken } from './scan.ts';

/** A parsed value, with the offset where each part begins. Equal keys are kept as separate members. */
export type Node = { at: number } & (
  | { kind: 'scalar'; value: string | number | boolean | null }
  | { kind: 'list'; items: Node[] }
  | { kind: 'object'; members: Member[] }
);

/** `key "label" { … }` or `key = value`. */
export type Member = { at: number; key: string; labels: { at: number; text: string }[]; value: Node };

const DEEPEST = 64;
const WORDS = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/**
 * Parses HCL version 1, which includes JSON. Throws HclError.
 *
 *     text   = { member [","] } | "{" { member [","] } "}"
 *     member = key { label } object | key ( "=" | ":" ) value
 *     key    = word | string
 *     label  = word | string
 *     object = "{" { member [","] } "}"
 *     list   = "[" [ value { "," value } [","] ] "]"
 *     value  = string | heredoc | number | "true" | "false" | "null" | list | object
 */
export async function parseHcl(text: string): Promise<Member[]> {
  const reader = createReader(text, await scan(text));
  const isJson = reader.take('{');
  const members = parseMembers(reader, isJson ? 1 : 0);
  if (isJson) reader.expect('}');
  const rest = reader.next();
  if (rest.type !== 'end') throw reader.fault(rest, 'a name is expected here');
  return members;
}

function parseMembers(reader: Reader, depth: number): Member[] {
  if (depth > DEEPEST) throw reader.fault(reader.peek(), `nested deeper than ${DEEPEST} levels`);
  const members: Member[] = [];
  for (;;) {
    const { type } = reader.peek();
    if (type !== 'word' && type !== 'text') return members;
    members.push(parseMember(reader, depth));
    reader.take(',');
  }
}

function parseMember(reader: Reader, depth: number): Member {
  const key = reader.next();
  const labels: Member['labels'] = [];
  for (;;) {
    const token = reader.next();
    if (token.type === 'word' || token.type === 'text') labels.push({ at: token.at, text: token.value });
    else if (token.value === '{') {
      const value = finishObject(reader, token.at, depth);
      return { at: key.at, key: String(key.value), labels, value };
    } else if (labels.length === 0 && (token.value === '=' || token.value === ':')) {
      return { at: key.at, key: String(key.value), labels, value: parseValue(reader, depth) };
    } else throw reader.fault(token, labels.length > 0 ? '{ is expected here' : '= or { is expected here');
  }
}

function parseValue(reader: Reader, depth: number): Node {
  const token = reader.next();
  const { at } = token;
  if (token.type === 'text' || token.type === 'number') return { at, kind: 'scalar', value: token.value };
  if (token.value === '{') return finishObject(reader, at, depth);
  if (token.value === '[') return finishList(reader, at, depth);
  const word = token.type === 'word' ? WORDS.get(token.value) : undefined;
  if (word !== undefined) return { at, kind: 'scalar', value: word };
  throw reader.fault(token, token.type === 'word' ? 'a text needs quotes' : 'a value is expected here');
}

function finishObject(reader: Reader, position: number, depth: number): Node {
  const members = parseMembers(reader, depth + 1);
  reader.expect('}');
  return { at: position, kind: 'object', members };
}

function finishList(reader: Reader, position: number, depth: number): Node {
  if (depth >= DEEPEST) throw reader.fault(reader.peek(), `nested deeper than ${DEEPEST} levels`);
  const items: Node[] = [];
  while (!reader.take(']')) {
    items.push(parseValue(reader, depth + 1));
    if (reader.take(',')) continue;
    reader.expect(']');
    break;
  }
  return { at: position, kind: 'list', items };
}

type Reader = {
  peek: () => PolicyToken;
  next: () => PolicyToken;
  /** Whether the next token is this mark. If so, the mark is consumed. */
  take: (mark: string) => boolean;
  expect: (mark: string) => void;
  fault: (token: PolicyToken, message: string) => HclError;
};

function createReader(text: string, tokens: PolicyToken[]): Reader {
  const end: PolicyToken = { at: text.length, type: 'end', value: '' };
  let index = 0;
  const peek = (): PolicyToken => tokens[index] ?? end;
  const isMark = (mark: string): boolean => peek().type === 'mark' && peek().value === mark;
  const fault = ({ at, type }: PolicyToken, message: string): HclError =>
    new HclError(text, at, type === 'end' ? `the text ends too early: ${message}` : message);
  const next = (): PolicyToken => {
    const token = peek();
    index += 1;
    return token;
  };
  return {
    peek,
    next,
    take: (mark) => {
      const isHere = isMark(mark);
      if (isHere) index += 1;
      return isHere;
    },
    expect: (mark) => {
      if (!isMark(mark)) throw fault(peek(), `${mark} is expected here`);
      index += 1;
    },
    fault,
  };
}
