import type { Context as KoaContext, Middleware } from 'koa';
import { RequestError } from '../../../libs/errors/request-error.ts';
import type { Caller } from '../access/caller.ts';
import { limitedAddress } from '../access/client-address.ts';
import { LIMITS, type Limit } from '../limits.ts';

/** How many calls of a row may be under way in one process. */
export type AtOnce = {
  /** Of one client, from before their bodies are read: a token, or an address without one. */
  ofClient: Limit;
  /** Of all, once their bodies are there: who sends slowly keeps nobody out. */
  ofAll?: Limit;
  /** Of all whose bodies are larger than other calls without a token may send, from before: each holds its body. */
  ofLarge?: Limit;
};

type Slots = <Result>(action: () => Promise<Result>) => Promise<Result>;

/** Refuses calls beyond what may be under way before their bodies are read. */
export function limitAtOnce({ ofClient, ofLarge }: AtOnce): Middleware {
  const underWay = new Map<string, number>();
  const withLarge = limitAll(ofLarge);
  return async (ctx, next) => {
    const client = clientOf(ctx);
    const own = underWay.get(client) ?? 0;
    if (own >= ofClient.value) throw refusal(ofClient);
    underWay.set(client, own + 1);
    try {
      await (mayBeLarge(ctx) ? withLarge(next) : next());
    } finally {
      const left = (underWay.get(client) ?? 1) - 1;
      if (left === 0) underWay.delete(client);
      else underWay.set(client, left);
    }
  };
}

/** Runs actions, and refuses those beyond a limit at once. */
export function limitAll(limit: Limit | undefined): Slots {
  let all = 0;
  return async (action) => {
    if (limit && all >= limit.value) throw refusal(limit);
    all += 1;
    try {
      return await action();
    } finally {
      all -= 1;
    }
  };
}

// A body without a length, or one that is packed, may be of any size.
function mayBeLarge(ctx: KoaContext): boolean {
  if (ctx.get('transfer-encoding') !== '' || ctx.get('content-encoding') !== '') return true;
  return (ctx.request.length ?? 0) > LIMITS.openBodyBytes.value;
}

function clientOf(ctx: KoaContext): string {
  return String((ctx.state['caller'] as Caller | undefined)?.token.id ?? limitedAddress(ctx.ip));
}

function refusal({ value, subject, status }: Limit): RequestError {
  const code = status === 429 ? 'rate_limited' : 'unavailable';
  const detail = `${subject}: at most ${value} are allowed; nothing was done, try again`;
  return new RequestError(code, [detail], { 'Retry-After': '1' });
}
