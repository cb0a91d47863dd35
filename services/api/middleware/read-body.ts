import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context as KoaContext } from 'koa';
import { koaBody } from 'koa-body';
import { RequestError } from '../../../libs/errors/request-error.ts';
import { LIMITS } from '../limits.ts';

const LARGEST_BODY = LIMITS.bodyBytes.value;
// Whoever has no token gets no more time than a log-in over a bad line takes.
const OPEN_BODY_MS = 15_000;
// For how long the rest of a refused body is read and dropped.
const DROPPED_FOR_MS = 2000;

// Reads every body as bytes, whatever its content type says; latin1 has a character for each byte.
const readUpTo = (bytes: number) =>
  koaBody({
    json: false,
    urlencoded: false,
    multipart: false,
    text: true,
    textLimit: bytes,
    encoding: 'latin1',
    textTypes: ['text/plain'],
    parsedMethods: ['POST', 'PUT', 'PATCH', 'DELETE'] as never,
    patchNode: false,
  });
// Made once, because each request needs one.
const readers = new Map([LIMITS.openBodyBytes.value, LARGEST_BODY].map((bytes) => [bytes, readUpTo(bytes)]));

/** `isOpen`: anybody may send it, so it may be neither large nor slow. `bytes`: the most it may have, if that is not usual. */
export type BodyLimits = { isOpen: boolean; bytes?: number | undefined };

/**
 * The text of a request's body; empty if there is none. Throws 413 over its limit, 415 for an unknown encoding, 400 for a
 * body that breaks off, is too slow or is not UTF-8.
 */
export async function readBody(ctx: KoaContext, { isOpen, bytes }: BodyLimits): Promise<string> {
  if (ctx.request.length === 0 || ctx.is('*/*') === null) return '';
  const most = bytes ?? (isOpen ? LIMITS.openBodyBytes.value : LARGEST_BODY);
  if ((ctx.request.length ?? 0) > most) {
    ctx.res.once('finish', () => dropRest(ctx.req));
    throw tooLarge(most);
  }
  ctx.request.headers['content-type'] = 'text/plain';
  const read = readers.get(most) ?? readUpTo(most);
  const late = new AbortController();
  try {
    await Promise.race([
      read(ctx, () => Promise.resolve()),
      brokenOff(ctx.req),
      ...(isOpen ? [tooSlow(late.signal)] : []),
    ]);
  } catch (error) {
    ctx.res.once('finish', () => dropRest(ctx.req));
    if (error instanceof Error && 'type' in error && error.type === 'entity.too.large') throw tooLarge(most);
    if (error instanceof RequestError) throw error;
    if (error instanceof Error && 'status' in error && error.status === 415) throw unknownEncoding();
    throw new RequestError('bad_body', ['the body could not be read']);
  } finally {
    late.abort();
  }
  const body: unknown = (ctx.request as { body?: unknown }).body;
  return typeof body === 'string' ? decode(Buffer.from(body, 'latin1')) : '';
}

// What unpacks a body is not told that its connection is gone, and would wait for the rest forever.
function brokenOff(request: IncomingMessage): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => {
      if (!request.complete) reject(new Error('the connection ended within the body'));
    };
    // It may have ended before anybody began to read.
    if (request.closed) end();
    else request.once('close', end);
  });
}

// A byte that is no UTF-8 would silently become another character, and so another secret.
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new RequestError('bad_encoding', ['the body is not UTF-8: convert the text before you send it']);
  }
}

function tooLarge(most: number): RequestError {
  return new RequestError('too_large', [`the body is larger than ${most} bytes`]);
}

async function tooSlow(signal: AbortSignal): Promise<never> {
  await sleep(OPEN_BODY_MS, undefined, { signal, ref: false });
  throw new RequestError('bad_body', [`the body did not arrive within ${OPEN_BODY_MS / 1000} s`]);
}

// Many clients read the answer only after they have sent the body, and lose it if the connection ends before. What is not
// read of a body, also of one that has arrived, keeps the next request of the connection waiting.
function dropRest(request: IncomingMessage): void {
  request.unpipe();
  request.resume();
  if (request.complete) return;
  const limit = setTimeout(() => request.socket.destroy(), DROPPED_FOR_MS);
  request.once('close', () => clearTimeout(limit));
}

function unknownEncoding(): RequestError {
  const detail = 'the content encoding must be gzip, deflate or br, or none';
  return new RequestError('unsupported_encoding', [detail], { 'Accept-Encoding': 'gzip, deflate, br' });
}
