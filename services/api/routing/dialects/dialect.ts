import type { Context as KoaContext } from 'koa';
import { RequestError } from '../../../../libs/errors/request-error.ts';
import type { Fault } from '../../../../libs/validation/validator.ts';
import type { Reply } from '../endpoint.ts';

/** One of the two conventions of endpoints: which bodies they take, and the shape of answers and refusals. */
export type Dialect = {
  name: 'secrets' | 'admin' | 'public';
  /** Whether a string is accepted for other types: command lines send strings for everything. The admin API is strict. */
  weak: boolean;
  /** Throws 415 for a content type that the call does not take. */
  checkContentType: (ctx: KoaContext) => void;
  present: (ctx: KoaContext, reply: Reply, warnings: string[]) => void | Promise<void>;
  refuse: (ctx: KoaContext, error: RequestError) => void;
  /** The refusal of a caller without (enough) rights. `hint`: what an unknown caller can do about it. */
  denied: (callerIsKnown: boolean, hint?: string) => RequestError;
  /** The refusal of a body, or a query, that the schema does not allow. */
  invalid: (faults: Fault[], where?: 'query') => RequestError;
};

/** Without a charset: JSON has none, but Koa would add one, and some clients compare the whole header. */
export const JSON_TYPE = 'application/json';

/** Sets status, headers and body of a reply that is not wrapped. */
export function writePlain(ctx: KoaContext, reply: Reply): void {
  ctx.status = reply.status;
  if (reply.headers) ctx.set(reply.headers);
  if (!reply.plain) return;
  if (reply.plain.type === JSON_TYPE) ctx.set('Content-Type', JSON_TYPE);
  else ctx.type = reply.plain.type;
  ctx.body = reply.plain.body;
}
