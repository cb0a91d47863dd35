import type { Context, Middleware } from 'koa';
import { parameterProblem, RequestError } from '../../../libs/errors/request-error.ts';
import { lookUpAuthMount, type AuthMount } from '../../../libs/store/auth/mounts.ts';
import { lookUpMount } from '../../../libs/store/secrets/mounts.ts';
import { parseBoolean } from '../../../libs/validation/boolean.ts';
import { findNamespaceOf, type Namespace } from '../../../libs/store/access/namespaces.ts';
import type { Caller } from '../access/caller.ts';
import { routedPath } from '../http/canonical-path.ts';
import { isLogIn, mayBeLogIn } from '../http/log-in-path.ts';
import type { RequestMount } from '../routing/endpoint.ts';
import { issuerDocumentOf } from '../routing/issuer-documents.ts';
import { RESERVED_SEGMENTS } from '../routing/reserved-segments.ts';
import type { ApiServices } from '../services.ts';

const NOWHERE = '/~nowhere';

const AUTH_METHOD = /^auth\/(?!(?:token|session)(?:\/|$))./;

/**
 * Tells the router what to match: the canonical path, or `/~kv{1|2}/…` for a path inside a mount, because a mount can
 * have any name; in the same way `/~{type}/…` for a path inside an auth method. Either is then in the state. A path that begins with the path of a lower namespace belongs to that
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

type RequestState = {
  path: string;
  namespace?: Namespace;
  caller?: Caller;
  mount?: RequestMount;
  authMount?: AuthMount;
  refusedToken?: string;
  refusedWho?: unknown;
};

// Undefined if the path is neither one of the API's own nor in a mount.
async function route(services: ApiServices, state: RequestState): Promise<string | undefined> {
  const { db } = services;
  const { path, namespace, caller } = state;
  const document = issuerDocumentOf(path);
  if (document) return routedPath(document.rest);
  if (AUTH_METHOD.test(path)) return routeInto(services, state);
  if (RESERVED_SEGMENTS.has(path.split('/', 1)[0] ?? '')) return routedPath(path);
  const mount = namespace && caller && (await lookUpMount(db, namespace.id, path));
  if (!mount) return undefined;
  const rest = path.slice(mount.path.length + 1);
  state.mount = { mount, rest };
  return `/~kv${mount.version}${routedPath(rest)}`;
}

// A path inside an auth method, which can have any name: `/~{type}/…`.
async function routeInto({ db }: ApiServices, state: RequestState): Promise<string> {
  const { path, namespace, caller } = state;
  if (!namespace || !(caller || isLogIn(path))) return routedPath(path);
  const inside = path.slice('auth/'.length);
  const mount = await lookUpAuthMount(db, namespace.id, inside);
  if (!mount) return routedPath(path);
  state.authMount = mount;
  // Whoever logs in is nobody yet, so that the audit trail does not take it for the holder of an old token.
  if (isLogIn(path)) for (const key of ['caller', 'refusedToken', 'refusedWho'] as const) delete state[key];
  return `/~${mount.type}${routedPath(inside.slice(mount.path.length + 1))}`;
}

async function enter(services: ApiServices, state: RequestState): Promise<string | undefined> {
  const { path, namespace, caller } = state;
  const mayEnter = namespace && (caller || mayBeLogIn(path));
  const entered = mayEnter && (await findNamespaceOf(services.db, namespace, path));
  if (!entered) return undefined;
  state.namespace = entered.namespace;
  state.path = entered.rest;
  return route(services, state);
}
