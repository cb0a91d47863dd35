import type { Context, Middleware } from 'koa';
import { parameterProblem, RequestError } from '../../../libs/errors/request-error.ts';
import { lookUpMount } from '../../../libs/store/secrets/mounts.ts';
import { parseBoolean } from '../../../libs/validation/boolean.ts';
import { findNamespaceOf, type Namespace } from '../../../libs/store/access/namespaces.ts';
import type { Caller } from '../access/caller.ts';
import { routedPath } from '../http/canonical-path.ts';
import type { RequestMount } from '../routing/endpoint.ts';
import { RESERVED_SEGMENTS } from '../routing/reserved-segments.ts';
import type { ApiServices } from '../services.ts';

const NOWHERE = '/~nowhere';

/**
 * Tells the router what to match: the canonical path, or `/~kv{1|2}/…` for a path inside a mount, because a mount can
 * have any name. The mount is then in the state. A path that begins with the path of a lower namespace belongs to that
 * namespace. Also turns `GET ?list=true` into LIST. Throws 400 if `list` is no boolean.
 */
export function resolvePath(services: ApiServices): Middleware {
  return async (ctx, next) => {
    if (asksForList(ctx) && ctx.method === 'GET') ctx.method = 'LIST';
    const state = ctx.state as RequestState;
    ctx['newRouterPath'] = (await route(services, state)) ?? (await enter(services, state)) ?? NOWHERE;
    await next();
  };
}

function asksForList({ query: { list } }: Context): boolean {
  if (list === undefined || list === '') return false;
  const isList = parseBoolean(String(list));
  if (isList !== undefined) return isList;
  throw new RequestError('bad_request', [parameterProblem('list', 'must be boolean')]);
}

type RequestState = { path: string; namespace?: Namespace; caller?: Caller; mount?: RequestMount };

// Undefined if the path is neither one of the API's own nor in a mount.
async function route({ db }: ApiServices, state: RequestState): Promise<string | undefined> {
  const { path, namespace, caller } = state;
  if (RESERVED_SEGMENTS.has(path.split('/', 1)[0] ?? '')) return routedPath(path);
  const mount = namespace && caller && (await lookUpMount(db, namespace.id, path));
  if (!mount) return undefined;
  const rest = path.slice(mount.path.length + 1);
  state.mount = { mount, rest };
  return `/~kv${mount.version}${routedPath(rest)}`;
}

async function enter(services: ApiServices, state: RequestState): Promise<string | undefined> {
  const { path, namespace, caller } = state;
  const entered = namespace && caller && (await findNamespaceOf(services.db, namespace, path));
  if (!entered) return undefined;
  state.namespace = entered.namespace;
  state.path = entered.rest;
  return route(services, state);
}
