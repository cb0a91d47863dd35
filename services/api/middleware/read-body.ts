import type { Context as KoaContext, Middleware } from 'koa';
import { koaBody } from 'koa-body';
import { RequestError } from '../../../libs/errors/request-error.ts';

const ONE_MEBIBYTE = 1024 * 1024;

const readers = new Map<number, Middleware>();

/** The text of a request's body, empty where there is none. Throws 413 over the limit, 400 for a body that breaks off. */
export async function readBody(ctx: KoaContext, limit = ONE_MEBIBYTE): Promise<string> {
  if (ctx.request.length === 0 || ctx.is('*/*') === null) return '';
  if ((ctx.request.length ?? 0) > limit) throw tooLarge(limit);
  // Read as text whatever it is called: what it must be is decided by who reads it.
  ctx.request.headers['content-type'] = 'text/plain';
  const read = readers.get(limit) ?? createReader(limit);
  try {
    await read(ctx, () => Promise.resolve());
  } catch (error) {
    if (error instanceof Error && 'type' in error && error.type === 'entity.too.large') throw tooLarge(limit);
    throw new RequestError(400, 'bad_body', ['the body could not be read']);
  }
  const body: unknown = (ctx.request as { body?: unknown }).body;
  return typeof body === 'string' ? body : '';
}

// Made once for each limit: making one checks its options, which takes longer than reading a body.
function createReader(limit: number): Middleware {
  const reader = koaBody({
    json: false,
    urlencoded: false,
    multipart: false,
    text: true,
    textLimit: limit,
    textTypes: ['text/plain'],
    parsedMethods: ['POST', 'PUT', 'PATCH', 'DELETE'] as never,
    patchNode: false,
  });
  readers.set(limit, reader);
  return reader;
}

function tooLarge(limit: number): RequestError {
  return new RequestError(413, 'too_large', [`the body is larger than ${limit} bytes`], {
    Connection: 'close',
  });
}
