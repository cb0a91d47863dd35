import { Readable } from 'node:stream';
import { notFound } from '../../../libs/errors/request-error.ts';
import { isJsonObject } from '../../../libs/validation/lossless.ts';
import { ok, type Reply } from './endpoint.ts';

/** The pages of a list; each call reads them anew. */
export type Pages<Item> = () => AsyncIterable<Item[]>;

// An answer that is not longer is sent whole: its length is known, and a fault of the database is still a proper refusal.
const WHOLE_LETTERS = 256 * 1024;

/** A part of an answer that is read page by page while it is sent, so that it takes the memory of one page. */
class Streamed {
  readonly kind: 'list' | 'object';
  readonly pages: Pages<unknown>;

  constructor(kind: 'list' | 'object', pages: Pages<unknown>) {
    this.kind = kind;
    this.pages = pages;
  }
}

/** A number that is known when the parts before it have been read. */
class Counted {
  readonly count: () => number;

  constructor(count: () => number) {
    this.count = count;
  }
}

/** An array of an answer, which is read while it is sent. */
export function streamedList<Item>(pages: Pages<Item>): Item[] {
  return new Streamed('list', pages) as unknown as Item[];
}

/** The same for an object, of names and values. */
export function streamedObject<Value>(pages: Pages<[string, Value]>): Record<string, Value> {
  return new Streamed('object', pages) as unknown as Record<string, Value>;
}

/** A number of an answer that is asked for when the parts before it have been sent. */
export function countedLater(count: () => number): number {
  return new Counted(count) as unknown as number;
}

/**
 * Reads the first page; undefined if there is none. What it returns gives that page to its first reader, so that nothing
 * is read twice.
 */
export async function begin<Item>(pages: Pages<Item>): Promise<Pages<Item> | undefined> {
  const reading = pages()[Symbol.asyncIterator]();
  const first = await reading.next();
  if (first.done) return undefined;
  let isGiven = false;
  return () => {
    if (isGiven) return pages();
    isGiven = true;
    return goOn(first.value, { [Symbol.asyncIterator]: () => reading });
  };
}

/** 200 with `keys`; 404 if there are none. */
export async function streamedKeys(pages: Pages<string>): Promise<Reply<{ keys: string[] }>> {
  const begun = await begin(pages);
  if (!begun) throw notFound();
  return ok({ keys: streamedList(begun) });
}

/** Whether a part of the data is streamed. */
export function isStreamed(data: unknown): boolean {
  return isJsonObject(data) && Object.values(data).some((part) => part instanceof Streamed);
}

/** JSON, in pieces. */
export async function* piecesOf(value: unknown): AsyncGenerator<string, void> {
  if (value instanceof Counted) yield String(value.count());
  else if (value instanceof Streamed) yield* piecesOfPages(value);
  else if (isJsonObject(value)) {
    let before = '{';
    for (const [name, part] of Object.entries(value)) {
      yield `${before}${JSON.stringify(name)}:`;
      yield* piecesOf(part);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  } else yield JSON.stringify(value) ?? 'null';
}

/** The body of an answer: a text if it is short, otherwise a stream that reads on as fast as the client takes it. */
export async function streamedBody(value: unknown): Promise<string | Readable> {
  const pieces = piecesOf(value);
  let text = '';
  while (text.length < WHOLE_LETTERS) {
    const { value: piece, done } = await pieces.next();
    if (done) return text;
    text += piece;
  }
  return Readable.from(goOn(text, pieces), { objectMode: false });
}

async function* piecesOfPages({ kind, pages }: Streamed): AsyncGenerator<string, void> {
  const [open, close] = kind === 'list' ? '[]' : '{}';
  const write = kind === 'list' ? (item: unknown) => JSON.stringify(item) : member;
  yield String(open);
  let before = '';
  for await (const page of pages()) {
    if (page.length === 0) continue;
    yield before + page.map(write).join(',');
    before = ',';
  }
  yield String(close);
}

function member(item: unknown): string {
  const [name, value] = item as [string, unknown];
  return `${JSON.stringify(name)}:${JSON.stringify(value)}`;
}

async function* goOn<Part>(first: Part, rest: AsyncIterable<Part>): AsyncGenerator<Part, void> {
  yield first;
  yield* rest;
}
