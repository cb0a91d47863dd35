import type { Middleware } from 'koa';
import { findNamespace } from '../../../libs/store/namespaces.ts';
import { createCallerCache } from '../access/caller-cache.ts';
import type { ApiServices } from '../services.ts';

const READS = new Set(['GET', 'LIST', 'HEAD', 'OPTIONS']);

// A change below these may give or take rights.
const RIGHTS = /^(?:auth|users|sys\/(?:polic|namespaces|auth|internal))/;

/**
 * Finds the caller and the namespace a request names; refuses nothing, since public endpoints need neither. An unknown
 * namespace leaves the state empty, which the endpoints answer like a missing right.
 */
export function authenticate(services: ApiServices): Middleware {
  const callers = createCallerCache(services.db, services.installation.hashKey);
  return async (ctx, next) => {
    const secret = presentedToken((name) => ctx.get(name));
    if (secret) ctx.state['caller'] = await callers.find(secret);
    const named = ctx.get('x-namespace') || ctx.get('x-vault-namespace');
    const path = named.split('/').filter(Boolean).join('/');
    ctx.state['namespace'] = await findNamespace(services.db, path === 'root' ? '' : path);
    try {
      await next();
    } finally {
      // Before the answer is sent: who has it finds the change in force here. The path is known by now from its namespace on.
      if (!READS.has(ctx.method) && RIGHTS.test(ctx.state['path'] as string)) callers.forget();
    }
  };
}

/** The token a request shows; undefined where it shows none. */
export function presentedToken(header: (name: string) => string): string | undefined {
  return bearer(header('authorization')) ?? (header('x-vault-token') || undefined);
}

function bearer(header: string): string | undefined {
  return /^bearer +(\S+)$/i.exec(header)?.[1];
}
