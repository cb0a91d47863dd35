import { Router } from '@koa/router';
import type { Middleware } from 'koa';
import type { Method } from './endpoint.ts';

/** Where rows are registered; `routes` hands a request on where none of them answers. */
export type Routers = {
  register: (path: string, methods: Method[], middleware: Middleware[]) => void;
  routes: () => Middleware;
};

const METHODS = ['HEAD', 'OPTIONS', 'GET', 'PUT', 'PATCH', 'POST', 'DELETE', 'LIST'];

/**
 * A router for each beginning of paths, of two constant segments or one: a request is held against a few patterns instead
 * of all. Paths differ by case, as policies do: a rule for `sys/sync` must cover whatever reaches its handlers.
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

// What stands before the first parameter, or the optional rest, of a pattern.
function constantStart(path: string): string {
  const [start = ''] = path.split(/\{|:|\*/, 1);
  return segmentsOf(start).filter(Boolean).join('/');
}

function segmentsOf(path: string): string[] {
  return path.split('/', 3).slice(1);
}
