import type { IncomingMessage } from 'node:http';
import { createBrotliDecompress, createUnzip, type BrotliDecompress, type Unzip } from 'node:zlib';
import type { Context as KoaContext } from 'koa';
import { getRawBody } from 'raw-body';
import { RequestError } from '../../../libs/errors/request-error.ts';
import { LIMITS } from '../limits.ts';

const LARGEST_BODY = LIMITS.bodyBytes.value;
// For how long the rest of a refused body is read and dropped.
const DROPPED_FOR_MS = 2000;
const WITH_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * The text of a request's body; empty if there is none. Throws 413 over 1 MiB, 415 for an unknown encoding, 400 for a
 * body that breaks off or is not UTF-8.
 */
export async function readBody(ctx: KoaContext): Promise<string> {
  if (ctx.request.length === 0 || ctx.is('*/*') === null) return '';
  if ((ctx.request.length ?? 0) > LARGEST_BODY) {
    ctx.res.once('finish', () => dropRest(ctx.req));
    throw tooLarge();
  }
  if (!WITH_BODY.has(ctx.method)) return '';
  let bytes: Buffer;
  try {
    bytes = await readBytes(ctx.req);
  } catch (error) {
    ctx.res.once('finish', () => dropRest(ctx.req));
    if (error instanceof RequestError) throw error;
    if (error instanceof Error && 'type' in error && error.type === 'entity.too.large') throw tooLarge();
    throw new RequestError('bad_body', ['the body could not be read']);
  }
  return decode(bytes);
}

// The limit is for the unpacked bytes.
async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  const limit = LARGEST_BODY;
  if (encoding === 'identity')
    return getRawBody(request, { limit, length: request.headers['content-length'] ?? null });
  const unpacker = createUnpacker(encoding);
  try {
    return await getRawBody(request.pipe(unpacker), { limit });
  } finally {
    // A fault behind the limit would find no listener.
    unpacker.destroy();
  }
}

function createUnpacker(encoding: string): Unzip | BrotliDecompress {
  if (encoding === 'gzip' || encoding === 'deflate') return createUnzip();
  if (encoding === 'br') return createBrotliDecompress();
  throw unknownEncoding();
}

// A byte that is no UTF-8 would silently become another character, and so another secret.
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new RequestError('bad_encoding', ['the body is not UTF-8: convert the text before you send it']);
  }
}

function tooLarge(): RequestError {
  return new RequestError('too_large', [`the body is larger than ${LARGEST_BODY} bytes`]);
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
