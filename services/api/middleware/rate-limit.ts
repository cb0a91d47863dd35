import type { Context, Middleware } from 'koa';
import { RequestError } from '../../../libs/errors/request-error.ts';
import type { Context as ServiceContext } from '../../../libs/service/context.ts';
import type { Caller } from '../access/caller.ts';
import { limitedAddress } from '../access/client-address.ts';
import { issuerDocumentOf } from '../routing/issuer-documents.ts';
import { followRateLimit } from './rate-limit-settings.ts';
import { SharedLimit } from './rate-limit-share.ts';

// Anybody may call these. One writes a row, the other costs much time in few threads.
const LOG_IN = /^users\/saml\/(?:login|auth)$/;

/** Requests per second; undefined if there is no limit. */
type Limits = {
  /** Site administration: for one token, or one address without a valid token. From the general settings. */
  site: () => number | undefined;
  /** Everything else: for one token, and for one address. From the environment. */
  secretsToken: number | undefined;
  secretsAddress: number | undefined;
  /** Beginning a single sign-on, and verifying its answer: each for one address. From the environment. */
  saml: number | undefined;
};

/** The limiter of one API process. Undo: `stop`. */
export type RequestLimiter = {
  limits: Limits;
  take: SharedLimit['take'];
  stop: () => Promise<void>;
};

/** Resolves once the limits in force are known. */
export async function startRateLimit(
  context: Pick<ServiceContext, 'db' | 'log' | 'config'>,
): Promise<RequestLimiter> {
  const settings = await followRateLimit(context);
  const shared = new SharedLimit(context.db);
  return {
    limits: {
      site: settings.current,
      secretsToken: context.config.SECRETS_RATE_LIMIT_PER_TOKEN || undefined,
      secretsAddress: context.config.SECRETS_RATE_LIMIT_PER_ADDRESS || undefined,
      saml: context.config.SAML_RATE_LIMIT_PER_ADDRESS || undefined,
    },
    take: (client, limit) => shared.take(client, limit),
    stop: async () => {
      shared.stop();
      await settings.stop();
    },
  };
}

/**
 * Applies the limits of each client on every endpoint except health and the well-known documents. Every answer tells
 * the client about the limit that it is closest to. Above a limit the answer is 429.
 */
export function limitRate(rateLimit: RequestLimiter): Middleware {
  return async (ctx, next) => {
    let nearest: Standing | undefined;
    for (const { client, limit } of clientsOf(ctx, rateLimit.limits)) {
      const { allowed, remaining, resetMs } = await rateLimit.take(client, limit);
      if (!allowed) throw tooManyRequests(ctx, { limit, remaining, resetMs });
      if (!nearest || remaining < nearest.remaining) nearest = { limit, remaining, resetMs };
    }
    if (nearest) tellLimit(ctx, nearest);
    return next();
  };
}

// The clients that a request counts for, and the limit of each.
function clientsOf(ctx: Context, limits: Limits): { client: string; limit: number }[] {
  const path = ctx.state['path'] as string;
  if (isExempt(path)) return [];
  const address = limitedAddress(ctx.ip);
  const token = (ctx.state['caller'] as Caller | undefined)?.token.id;
  if (path.startsWith('api/')) {
    const limit = limits.site();
    return limit === undefined ? [] : [{ client: token ? `token:${token}` : `address:${address}`, limit }];
  }
  const { secretsToken, secretsAddress, saml } = limits;
  return [
    ...(saml && LOG_IN.test(path) ? [{ client: `${path}:${address}`, limit: saml }] : []),
    ...(token && secretsToken ? [{ client: `secrets-token:${token}`, limit: secretsToken }] : []),
    ...(secretsAddress ? [{ client: `secrets-address:${address}`, limit: secretsAddress }] : []),
  ];
}

type Standing = { limit: number; remaining: number; resetMs: number };

/** The refusal of a client that is over its limit; the headers are set. */
export function tooManyRequests(ctx: Context, standing: Standing): RequestError {
  tellLimit(ctx, standing);
  const { limit, resetMs } = standing;
  return new RequestError('rate_limited', [`more than ${limit} requests in one second`], {
    'Retry-After': String(Math.max(1, Math.ceil(resetMs / 1000))),
  });
}

function tellLimit(ctx: Context, { limit, remaining, resetMs }: Standing): void {
  ctx.set('X-RateLimit-Limit', String(limit));
  ctx.set('X-RateLimit-Remaining', String(remaining));
  // Clients fail if this is not a plain decimal number.
  ctx.set('X-RateLimit-Reset', (resetMs / 1000).toFixed(3));
}

/** Whether the path is for monitoring or for verifiers, which call without a token. */
export function isExempt(path: string): boolean {
  return (
    path === 'sys/health' ||
    path.startsWith('health/') ||
    path.startsWith('.well-known/') ||
    issuerDocumentOf(path) !== undefined
  );
}
