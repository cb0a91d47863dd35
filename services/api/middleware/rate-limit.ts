import type { Context, Middleware } from 'koa';
import { RequestError } from '../../../libs/errors/request-error.ts';
import type { Context as ServiceContext } from '../../../libs/service/context.ts';
import type { Caller } from '../access/caller.ts';
import { followRateLimit } from './rate-limit-settings.ts';
import { createSharedLimit, type SharedLimit } from './rate-limit-share.ts';

/** The limiter of one API process. Undo: `stop`. */
export type RateLimit = {
  current: () => number | undefined;
  take: SharedLimit['take'];
  stop: () => Promise<void>;
};

/** Resolves once the limit in force is known. */
export async function startRateLimit(context: Pick<ServiceContext, 'db' | 'log'>): Promise<RateLimit> {
  const settings = await followRateLimit(context);
  const shared = createSharedLimit(context.db);
  return {
    current: settings.current,
    take: shared.take,
    stop: async () => {
      shared.stop();
      await settings.stop();
    },
  };
}

/**
 * Keeps each client (its token, its address where it has no valid one) to the limit on every endpoint but health and
 * the well-known documents. Every answer says where the client stands; 429 above the limit.
 */
export function limitRate(rateLimit: RateLimit): Middleware {
  return async (ctx, next) => {
    const limit = rateLimit.current();
    if (limit === undefined || isExempt(ctx.state['path'] as string)) return next();
    const caller = ctx.state['caller'] as Caller | undefined;
    const client = caller ? `token:${caller.token.id}` : `address:${ctx.ip}`;
    const { allowed, remaining, resetMs } = await rateLimit.take(client, limit);
    if (!allowed) throw tooManyRequests(ctx, { limit, remaining, resetMs });
    tellLimit(ctx, { limit, remaining, resetMs });
    return next();
  };
}

type Standing = { limit: number; remaining: number; resetMs: number };

/** The refusal of a client that is over its limit; the headers are set. */
export function tooManyRequests(ctx: Context, standing: Standing): RequestError {
  tellLimit(ctx, standing);
  const { limit, resetMs } = standing;
  return new RequestError(429, 'rate_limited', [`more than ${limit} requests in one second`], {
    'Retry-After': String(Math.max(1, Math.ceil(resetMs / 1000))),
  });
}

function tellLimit(ctx: Context, { limit, remaining, resetMs }: Standing): void {
  ctx.set('X-RateLimit-Limit', String(limit));
  ctx.set('X-RateLimit-Remaining', String(remaining));
  // Clients end themselves where this is no plain decimal number.
  ctx.set('X-RateLimit-Reset', (resetMs / 1000).toFixed(3));
}

/** What monitoring and verifiers ask for without being anybody. */
export function isExempt(path: string): boolean {
  return path === 'sys/health' || path.startsWith('health/') || path.startsWith('.well-known/');
}
