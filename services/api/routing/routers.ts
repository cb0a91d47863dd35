import { Router } from '@koa/router';
import type { Middleware } from 'koa';
import type { Method } from './endpoint.ts';

/** Registers rows. `routes` passes a request on if no row answers it. */
export type Routers = {
  register: (path: string, methods: Method[], middleware: Middleware[]) => void;
  routes: () => Middleware;
};

const METHODS = ['HEAD', 'OPTIONS', 'GET', 'PUT', 'PATCH', 'POST', 'DELETE', 'LIST'];

/**
 * One router for each constant start of paths, of two segments or one. So a request is compared with a few patterns instead
 * of all. Paths are case-sensitive, as policies are: a rule for `sys/sync` must cover every path that reaches its handlers.
 */
export function createRouters(): Routers {
  const routers = new Map<string, Router>();
  return {
    register(path, methods, middleware) {
      const key = constantStart(path);
      const router = routers.get(key) ?? new Router({ methods: METHODS });
      routers.set(key, router);
      router.register(path, methods, middleware, { sensitive: true });
    },
    routes() {
      const routes = new Map([...routers].map(([key, router]) => [key, router.routes() as Middleware]));
      return (ctx, next) => {
        const [first = '', second = ''] = segmentsOf(String(ctx['newRouterPath']));
        const wide = routes.get(first);
        const narrow = second === '' ? undefined : routes.get(`${first}/${second}`);
        const goWide = (): Promise<unknown> => (wide ? wide(ctx, next) : next()) as Promise<unknown>;
        return narrow ? narrow(ctx, goWide) : goWide();
      };
    },
  };
}

// The part of a pattern before its first parameter or its optional rest.
function constantStart(path: string): string {
  const [start = ''] = path.split(/\{|:|\*/, 1);
  return segmentsOf(start).filter(Boolean).join('/');
}

function segmentsOf(path: string): string[] {
  return path.split('/', 3).slice(1);
}
