import type { Context as KoaContext } from 'koa';

/** Every path of a version 2 mount matches this row, so the row tells nothing about the methods of a path. */
export const INVALID_KV_PATH = '/~kv2{/*path}';

type Route = { path: string; methods: string[] };

/** The `Allow` header of a 405: the methods of all rows that match the request's path. */
export function allowedMethods(ctx: KoaContext): string {
  const { matched = [] } = ctx as unknown as { matched?: Route[] };
  const methods = matched.filter(({ path }) => path !== INVALID_KV_PATH).flatMap((route) => route.methods);
  return [...new Set(methods)].toSorted().join(', ');
}
