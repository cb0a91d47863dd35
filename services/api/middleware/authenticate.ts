import type { Middleware } from 'koa';
import { findNamespace } from '../../../libs/store/namespaces.ts';
import { findCaller } from '../access/caller.ts';
import type { ApiServices } from '../services.ts';

/**
 * Finds the caller and the namespace a request names; refuses nothing, since public endpoints need neither. An unknown
 * namespace leaves the state empty, which the endpoints answer like a missing right.
 */
export function authenticate(services: ApiServices): Middleware {
  return async (ctx, next) => {
    const secret = presentedToken((name) => ctx.get(name));
    if (secret) ctx.state['caller'] = await findCaller(services.db, services.installation.hashKey, secret);
    const named = ctx.get('x-namespace') || ctx.get('x-vault-namespace');
    const path = named.split('/').filter(Boolean).join('/');
    ctx.state['namespace'] = await findNamespace(services.db, path === 'root' ? '' : path);
    await next();
  };
}

/** The token a request shows; undefined where it shows none. */
export function presentedToken(header: (name: string) => string): string | undefined {
  return bearer(header('authorization')) ?? (header('x-vault-token') || undefined);
}

function bearer(header: string): string | undefined {
  return /^bearer +(\S+)$/i.exec(header)?.[1];
}
