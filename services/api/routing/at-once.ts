import type { Context as KoaContext, Middleware } from 'koa';
import { RequestError } from '../../../libs/errors/request-error.ts';
import type { Caller } from '../access/caller.ts';
import { limitedAddress } from '../access/client-address.ts';
import type { Limit } from '../limits.ts';

/** How many calls of a row may be under way in one process: of one client, and of all. */
export type AtOnce = { ofClient: Limit; ofAll: Limit };

/**
 * Refuses calls beyond what may be under way, before their bodies are read: each holds its body, and what is made of it.
 * A client is a token, or an address without one.
 */
export function limitAtOnce({ ofClient, ofAll }: AtOnce): Middleware {
  const underWay = new Map<string, number>();
  let all = 0;
  return async (ctx, next) => {
    const client = clientOf(ctx);
    const own = underWay.get(client) ?? 0;
    if (own >= ofClient.value) throw refusal(ofClient);
    if (all >= ofAll.value) throw refusal(ofAll);
    underWay.set(client, own + 1);
    all += 1;
    try {
      await next();
    } finally {
      all -= 1;
      const left = (underWay.get(client) ?? 1) - 1;
      if (left === 0) underWay.delete(client);
      else underWay.set(client, left);
    }
  };
}

function clientOf(ctx: KoaContext): string {
  return String((ctx.state['caller'] as Caller | undefined)?.token.id ?? limitedAddress(ctx.ip));
}

function refusal({ value, subject, status }: Limit): RequestError {
  const code = status === 429 ? 'rate_limited' : 'unavailable';
  const detail = `${subject}: at most ${value} are allowed; nothing was done, try again`;
  return new RequestError(code, [detail], { 'Retry-After': '1' });
}
