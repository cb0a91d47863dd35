import type { IncomingMessage } from 'node:http';

type Stage =
  | 'start' // between messages
  | 'verb' // inside the first bytes of a request line that may still become `LIST `
  | 'head'
  | 'announced' // the head has ended, and Node has not yet announced what it read there
  | 'body'
  | 'chunk-size'
  | 'chunk'
  | 'trailers'
  | 'lost'; // nothing on this connection is certain any more

/**
 * The position in the bytes of one connection. It only decides where lines and bodies end; it never interprets a header.
 */
export type Framing = {
  stage: Stage;
  /** How many bytes of `LIST ` have passed. */
  verb: number;
  /** The head being read began with `LIST` and now says `LINK`. */
  rewritten: boolean;
  lineIsEmpty: boolean;
  afterCarriageReturn: boolean;
  /** Bytes that are left of the body, or of the chunk and the line end after it. */
  remaining: number;
  sizeLine: string;
};

const list = Buffer.from('LIST ');
const link = Buffer.from('LINK ');
const carriageReturn = 13;
const lineFeed = 10;
const longestSizeLine = 10;

/** The framing of a new connection. */
export function startFraming(): Framing {
  return {
    stage: 'start',
    verb: 0,
    rewritten: false,
    lineIsEmpty: false,
    afterCarriageReturn: false,
    remaining: 0,
    sizeLine: '',
  };
}

/** True while Node's parser must still be waiting for the end of a message whose head it has announced. */
export function isInsideBody({ stage }: Framing): boolean {
  return stage === 'body' || stage === 'chunk-size' || stage === 'chunk' || stage === 'trailers';
}

/** Reads from an offset until the bytes end or a head ends, and rewrites a verb in place. Returns the offset reached. */
export function advance(framing: Framing, bytes: Buffer, offset: number): number {
  let position = offset;
  while (position < bytes.length && framing.stage !== 'announced' && framing.stage !== 'lost') {
    position = readers[framing.stage](framing, bytes, position);
  }
  return position;
}

/**
 * Decides what follows an announced head, from the headers as Node read them. Anything unusual makes the framing `lost`.
 */
export function enterMessage(
  framing: Framing,
  request: IncomingMessage,
  options: { rest: number; headerLimit: number },
): void {
  const { headers, rawHeaders } = request;
  const encoding = headers['transfer-encoding'];
  const length = headers['content-length'];
  const hasBody = encoding !== undefined || (length !== undefined && length !== '0');
  // Node drops headers beyond its limit, but only after its parser has acted on them.
  const headersAreCut = rawHeaders.length >= options.headerLimit;
  // If Node ignores a request to upgrade, it drops the bytes after it that came in the same packet.
  const restIsDropped = headers.upgrade !== undefined && (hasBody || options.rest > 0);
  // A lenient parser acts on `Content-Length :`; all other software takes that for another name.
  const namesAreOdd = rawHeaders.some((text) => text.endsWith(' ') || text.endsWith('\t'));
  if (framing.stage !== 'announced' || headersAreCut || restIsDropped || namesAreOdd) {
    framing.stage = 'lost';
    return;
  }
  if (!hasBody) {
    framing.stage = 'start';
  } else if (encoding === undefined && length !== undefined && /^\d{1,15}$/.test(length)) {
    framing.remaining = Number(length);
    framing.stage = framing.remaining === 0 ? 'start' : 'body';
  } else if (length === undefined && encoding?.toLowerCase() === 'chunked') {
    framing.stage = 'chunk-size';
    framing.sizeLine = '';
  } else {
    framing.stage = 'lost';
  }
}

type Reader = (framing: Framing, bytes: Buffer, at: number) => number;

const readers: Record<Exclude<Stage, 'announced' | 'lost'>, Reader> = {
  start: skipBlankLines,
  verb: readVerb,
  head: (framing, bytes, position) => readLines(framing, bytes, position, 'announced'),
  body: (framing, bytes, position) => skip(framing, bytes, position, 'start'),
  'chunk-size': readChunkSize,
  chunk: (framing, bytes, position) => skip(framing, bytes, position, 'chunk-size'),
  trailers: (framing, bytes, position) => readLines(framing, bytes, position, 'start'),
};

function skipBlankLines(framing: Framing, bytes: Buffer, offset: number): number {
  let position = offset;
  while (bytes[position] === carriageReturn || bytes[position] === lineFeed) position += 1;
  if (position < bytes.length) {
    framing.stage = 'verb';
    framing.verb = 0;
    framing.rewritten = false;
    framing.lineIsEmpty = false;
    framing.afterCarriageReturn = false;
  }
  return position;
}

/** Must change the third byte before the fourth is known, because the parser refuses `LIS` at once. */
function readVerb(framing: Framing, bytes: Buffer, position: number): number {
  if (bytes[position] === list[framing.verb]) {
    bytes[position] = link[framing.verb] ?? 0;
    framing.verb += 1;
    framing.rewritten = framing.verb > 2;
    if (framing.verb === list.length) framing.stage = 'head';
    return position + 1;
  }
  if (!framing.rewritten) {
    framing.stage = 'head';
    return position;
  }
  // `LISK ` must not arrive as `LINK `: a byte that no method has makes the parser refuse the request.
  bytes[position] = 0;
  framing.stage = 'lost';
  return position;
}

function readLines(framing: Framing, bytes: Buffer, offset: number, next: Stage): number {
  let { lineIsEmpty, afterCarriageReturn } = framing;
  let position = offset;
  for (; position < bytes.length; position += 1) {
    const byte = bytes[position];
    if (afterCarriageReturn !== (byte === lineFeed)) {
      framing.stage = 'lost';
      return position;
    }
    if (!afterCarriageReturn) {
      afterCarriageReturn = byte === carriageReturn;
      lineIsEmpty = lineIsEmpty && afterCarriageReturn;
    } else if (lineIsEmpty) {
      framing.stage = next;
      return position + 1;
    } else {
      lineIsEmpty = true;
      afterCarriageReturn = false;
    }
  }
  framing.lineIsEmpty = lineIsEmpty;
  framing.afterCarriageReturn = afterCarriageReturn;
  return position;
}

function skip(framing: Framing, bytes: Buffer, position: number, next: Stage): number {
  const skipped = Math.min(framing.remaining, bytes.length - position);
  framing.remaining -= skipped;
  if (framing.remaining === 0) framing.stage = next;
  return position + skipped;
}

function readChunkSize(framing: Framing, bytes: Buffer, offset: number): number {
  let position = offset;
  while (position < bytes.length && framing.sizeLine.length <= longestSizeLine) {
    framing.sizeLine += String.fromCharCode(bytes[position] ?? 0);
    position += 1;
    if (bytes[position - 1] === lineFeed) {
      enterChunk(framing);
      return position;
    }
  }
  if (framing.sizeLine.length > longestSizeLine) framing.stage = 'lost';
  return position;
}

/** Parsers differ about chunk extensions, and no client sends them. So an extension makes the framing `lost`. */
function enterChunk(framing: Framing): void {
  const digits = /^([0-9a-f]{1,8})\r\n$/i.exec(framing.sizeLine)?.[1];
  framing.sizeLine = '';
  if (digits === undefined) {
    framing.stage = 'lost';
    return;
  }
  const size = Number.parseInt(digits, 16);
  framing.remaining = size + 2;
  framing.stage = size === 0 ? 'trailers' : 'chunk';
  framing.lineIsEmpty = true;
  framing.afterCarriageReturn = false;
}
