import type { Context, Middleware } from 'koa';
import { describeRefusal, type Refusal } from '../../../libs/db/refusals.ts';
import { FOREIGN_KEY_VIOLATION, isSqlState } from '../../../libs/db/sql-state.ts';
import {
  badRequest,
  notFound,
  outcomeUnknown,
  RequestError,
  unavailable,
} from '../../../libs/errors/request-error.ts';
import type { Log } from '../../../libs/log/log.ts';
import { JsonError } from '../../../libs/validation/parse-json.ts';
import { allowedMethods } from '../http/allowed-methods.ts';
import type { Dialect } from '../routing/dialects/dialect.ts';

/** A page that only asks whether there is something sends this header with 204: browsers show every 404 as an error. */
const EMPTY_HEADER = 'sealift-empty';

/**
 * Turns every error into an answer of the endpoint's dialect. An unforeseen error is logged, and the caller sees no
 * details of it.
 */
export function handleErrors(log: Log, dialectOf: (path: string) => Dialect): Middleware {
  return async (ctx, next) => {
    const path = (): string => (ctx.state['path'] as string | undefined) ?? ctx.url.replace(/^\/+/, '');
    const refuse = (error: RequestError): void => {
      // The page that a browser gets instead is made from this error.
      ctx.state['refusal'] = error;
      dialectOf(path()).refuse(ctx, error);
    };
    try {
      await next();
    } catch (error) {
      if (ctx.get(EMPTY_HEADER) === '204' && isNothingThere(error, path())) {
        ctx.status = 204;
        return;
      }
      if (error instanceof RequestError) {
        if (error.status === 405) ctx.set('Allow', allowedMethods(ctx));
        return refuse(error);
      }
      if (error instanceof JsonError) return refuse(badRequest(error.message));
      if (isUnstorable(error)) {
        return refuse(badRequest('the input contains characters that no text can contain'));
      }
      if (hasGone(error)) return refuse(notFound());
      log.error({ error, requestId: ctx.state['requestId'], route: ctx.state['route'] }, 'request failed');
      const refusal = describeRefusal(error);
      refuse(
        refusal
          ? databaseRefuses(ctx, refusal)
          : new RequestError('internal_error', [
              'internal error: search the log of the API for the request id',
            ]),
      );
    }
  };
}

// Site administration answers 404 to a caller without a right, too.
function isNothingThere(error: unknown, path: string): boolean {
  if (path.startsWith('api/')) return false;
  return error instanceof RequestError && error.code === 'not_found' && error.problems.length === 0;
}

// The mount or namespace of what we wanted to write was deleted at this moment.
function hasGone(error: unknown): boolean {
  return isSqlState(error, FOREIGN_KEY_VIOLATION);
}

// If a route had begun a change, the change may be committed and only the answer to us lost.
function databaseRefuses(ctx: Context, refusal: Refusal): RequestError {
  const detail = `${refusal.detail} (${refusal.code})`;
  const isRead = ['GET', 'HEAD', 'LIST'].includes(ctx.method);
  if (isRead) return unavailable(detail);
  return ctx.state['route'] === undefined
    ? unavailable(`${detail}; nothing was done`)
    : outcomeUnknown(detail);
}

// Postgres accepts neither U+0000 nor half of a surrogate pair in a JSON text.
function isUnstorable(error: unknown): boolean {
  return isSqlState(error, '22021', '22P02', '22P05');
}
