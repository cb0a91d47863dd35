import type { Middleware } from 'koa';
import { lookUpMount } from '../../../libs/store/mounts.ts';
import type { Namespace } from '../../../libs/store/namespaces.ts';
import { routedPath } from '../canonical-path.ts';
import type { ApiServices } from '../services.ts';

/** First segments of a path that are ours; no mount may be called so. */
export const RESERVED_SEGMENTS = new Set([
  'sys',
  'auth',
  'api',
  'v1',
  'ui',
  'docs',
  'health',
  'users',
  'identity',
  'openapi.json',
  'metrics',
  '.well-known',
]);

/**
 * Tells the router what to match: the canonical path, or for a path inside a mount `/~kv{1|2}/…` with the mount in the
 * state, since mounts have any name. Also makes `GET ?list=true` the LIST that it means.
 */
export function resolvePath(services: ApiServices): Middleware {
  return async (ctx, next) => {
    const path = ctx.state['path'] as string;
    const namespace = ctx.state['namespace'] as Namespace | undefined;
    if (ctx.method === 'GET' && ['true', '1'].includes(String(ctx.query['list']))) ctx.method = 'LIST';
    const first = path.split('/')[0] ?? '';
    let routed = routedPath(path);
    if (!RESERVED_SEGMENTS.has(first)) {
      const mount =
        namespace && ctx.state['caller'] ? await lookUpMount(services.db, namespace.id, path) : undefined;
      const rest = mount ? path.slice(mount.path.length + 1) : '';
      if (mount) ctx.state['mount'] = { mount, rest };
      routed = mount ? `/~kv${mount.version}${routedPath(rest)}` : '/~nowhere';
    }
    ctx['newRouterPath'] = routed;
    await next();
  };
}
