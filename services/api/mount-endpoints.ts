import type { Context as KoaContext, Middleware } from 'koa';
import {
  badRequest,
  permissionDenied,
  RequestError,
  unsupportedOperation,
} from '../../libs/errors/request-error.ts';
import { ROOT_NAMESPACE, type Namespace } from '../../libs/store/access/namespaces.ts';
import { takeTurn } from '../../libs/time/slices.ts';
import { isJsonObject } from '../../libs/validation/lossless.ts';
import { countValues, JsonError, parseJson } from '../../libs/validation/parse-json.ts';
import { mustBeNew } from '../../libs/validation/preconditions.ts';
import { createValidator, type Fault } from '../../libs/validation/validator.ts';
import { capabilitiesOf, grantOf, mayKnow, type Caller, type Grant } from './access/caller.ts';
import { allowsParameters, limitsParameters } from './access/parameters.ts';
import type { Capability } from './access/policy.ts';
import { allowsWrapping } from './access/wrapping.ts';
import { createRequest, NOBODY } from './create-request.ts';
import { takeSocket } from './http/upgrade.ts';
import type { ApiRequest, Endpoint, Method } from './routing/endpoint.ts';
import type { Dialect } from './routing/dialects/dialect.ts';
import { limitAll, limitAtOnce } from './routing/at-once.ts';
import { countUse } from './routing/count-use.ts';
import { createQueryCheck, repeatedParameters } from './routing/query-parameters.ts';
import { audit, auditedSecretOf, isAudited, untilAudited } from './audit/audit.ts';
import { NO_CSRF } from './middleware/session-cookie.ts';
import { isExempt } from './middleware/rate-limit.ts';
import { readBody } from './middleware/read-body.ts';
import { refuseUnoffered } from './routing/refuse-unoffered.ts';
import type { Routers } from './routing/routers.ts';
import { unknownParameters } from './routing/unknown-parameters.ts';
import { UNSUPPORTED_PATHS } from './routing/unsupported-paths.ts';
import { refuseToWrap, wrapped, wrapSecondsOf } from './routing/wrapping.ts';
import { LIMITS, requireWithin } from './limits.ts';
import type { ApiServices } from './services.ts';

const LARGE_BODY = 64 * 1024;

const CAPABILITY: Record<Method, Capability[]> = {
  GET: ['read'],
  LIST: ['list'],
  DELETE: ['delete'],
  PATCH: ['patch'],
  POST: ['create', 'update'],
  PUT: ['create', 'update'],
};

/**
 * Registers every row of a table. Each request passes authorisation, content type, validation, handler and presenter,
 * in this order.
 */
export function mountEndpoints(
  routers: Routers,
  dialect: Dialect,
  endpoints: Endpoint[],
  services: ApiServices,
): void {
  for (const row of endpoints) {
    routers.register(
      row.path,
      [row.method, ...(row.alsoMethods ?? [])],
      [
        ...(row.atOnce ? [limitAtOnce(row.atOnce)] : []),
        audit(row, services),
        handler(row, dialect, services),
      ],
    );
  }
}

function handler(row: Endpoint, dialect: Dialect, services: ApiServices): Middleware {
  const checkNames = createQueryCheck(row, dialect);
  const checkQuery = row.query && createValidator(row.query, { weak: true });
  const checkBody = row.body && createValidator(row.body, { weak: dialect.weak });
  const within = limitAll(row.atOnce?.ofAll);
  return async (ctx) => {
    ctx.state['route'] = `${row.method} ${row.path}`;
    ctx.state['row'] = row;
    const warnings: string[] = [];
    if (row.access !== 'public') await countUse(services.db, dialect, ctx);
    const request = createRequest(ctx, services, (warning) => warnings.push(warning));
    const readParameters = async (): Promise<void> => {
      if (!['GET', 'LIST'].includes(row.method)) {
        dialect.checkContentType(ctx);
        request.rawBody = await readBody(ctx, { isOpen: row.access === 'public', bytes: row.bodyBytes });
        // Of many that arrive together, one is parsed in each turn.
        if (request.rawBody.length > LARGE_BODY) await takeTurn();
        requireWithin(LIMITS.bodyValues, countValues(request.rawBody));
      }
      if (!checkBody) return;
      const body = checked(checkBody(parametersOf(request.rawBody, dialect)), dialect);
      request.body = body.value;
      if (dialect.weak && body.unknown.length > 0) warnings.push(unknownParameters(body.unknown));
    };
    const tellAsked = async (): Promise<void> => request.note({ asked: await row.asked?.(request) });
    const grant = await authorise(row, dialect, request, ctx).catch(async (refusal: unknown) => {
      // A body that cannot be read asks for nothing.
      if (row.asked && isAudited(ctx))
        await readParameters()
          .then(tellAsked)
          .catch(() => undefined);
      throw refusal;
    });
    if (row.readsSecrets && readsNoValues(request.caller)) throw sessionReadsNoValues();
    refuseUnoffered(row, ctx);
    request.wrapSeconds = wrapSecondsOf(row, dialect, request.header);
    if (grant && !allowsWrapping(grant, request.wrapSeconds)) throw denied(ctx, dialect, true);
    await refuseToWrap(request);
    warnings.push(...checkNames(ctx.query));
    if (checkQuery) {
      const repeated = repeatedParameters(row, ctx.query);
      if (repeated.length > 0) throw dialect.invalid(repeated, 'query');
      request.query = checked(checkQuery({ ...ctx.query }), dialect, 'query').value;
    }
    await readParameters();
    if (grant && limitsParameters(grant)) checkParameters(grant, dialect, request, ctx);
    await untilAudited(ctx);
    const answered = await within(() => row.handle(request));
    if (answered.accept) {
      answered.accept(() => takeSocket(ctx.req));
      ctx.status = answered.status;
      ctx.respond = false;
      return;
    }
    const reply = await wrapped(request, answered, { warnings, secret: auditedSecretOf(ctx) });
    await dialect.present(ctx, reply, warnings);
  };
}

// A token that was made in a session must not do what the session must not.
function readsNoValues({ session, token }: Caller): boolean {
  return session !== undefined || !token.reads_values;
}

// The audit trail counts it: in site administration the answer does not tell a missing right from a missing thing.
function denied(ctx: KoaContext, dialect: Dialect, callerIsKnown: boolean): RequestError {
  ctx.state['denied'] = true;
  const lacksHeader = ctx.state['refusedToken'] === 'no_csrf';
  return dialect.denied(callerIsKnown, lacksHeader ? NO_CSRF : undefined);
}

// A page asks for one value at a time, with an explicit call. A value that the page does not hold cannot leak from it.
function sessionReadsNoValues(): RequestError {
  return permissionDenied('a session does not read values here: POST sys/reveal/{mount}/{path} shows them');
}

// What the caller's policies allow on the path; undefined if the endpoint asks no policy.
async function authorise(
  row: Endpoint,
  dialect: Dialect,
  request: ApiRequest,
  ctx: KoaContext,
): Promise<Grant | undefined> {
  if (row.access === 'public') return undefined;
  if (request.caller === NOBODY) throw denied(ctx, dialect, false);
  if (!ctx.state['namespace']) throw denied(ctx, dialect, true);
  if (!isServedIn(request.namespace, dialect)) throw denied(ctx, dialect, true);
  // Otherwise the answer would tell whether the namespace exists.
  if (!mayKnow(request.caller, request.namespace)) throw denied(ctx, dialect, true);
  if (row.access === 'token') return undefined;
  const grant = grantOf(request.caller, request.namespace, request.path, { isList: ctx.method === 'LIST' });
  const given = grant.capabilities;
  if (row.access === 'sudo' && !given.has('sudo')) throw denied(ctx, dialect, true);
  const wanted = CAPABILITY[ctx.method === 'HEAD' ? 'GET' : (ctx.method as Method)];
  if (!wanted.some((capability) => given.has(capability))) throw denied(ctx, dialect, true);
  if (wanted.length === 1 || !row.exists || wanted.every((capability) => given.has(capability))) return grant;
  const isNew =
    (row.takesIfNoneMatch && mustBeNew(request.header('if-none-match'))) || !(await row.exists(request));
  if (!given.has(isNew ? 'create' : 'update')) throw denied(ctx, dialect, true);
  return grant;
}

// Checks the parameters both as sent and as validated: a rule must hold for both.
function checkParameters(grant: Grant, dialect: Dialect, request: ApiRequest, ctx: KoaContext): void {
  if (ctx.method === 'LIST') return;
  const sent = parseBody(request.rawBody, dialect);
  const parameters = [ctx.query, request.query, sent, request.body].flatMap((part) =>
    isJsonObject(part) ? Object.entries(part) : [],
  );
  if (!allowsParameters(grant, parameters, ctx.method === 'DELETE')) throw denied(ctx, dialect, true);
}

// The installation belongs to the root namespace. A rule for `api/…` in another namespace must not give access to it.
function isServedIn(namespace: Namespace, dialect: Dialect): boolean {
  return dialect.name !== 'admin' || namespace.id === ROOT_NAMESPACE.id;
}

// For a body with a schema, which names a few parameters. The data of secrets may have more keys.
function parametersOf(text: string, dialect: Dialect): unknown {
  const body = parseBody(text, dialect);
  if (isJsonObject(body)) requireWithin(LIMITS.bodyParameters, Object.keys(body).length);
  return body;
}

function parseBody(text: string, dialect: Dialect): unknown {
  if (text.trim() === '') return {};
  try {
    // Clients written in Go send null for an empty body.
    return parseJson(text) ?? {};
  } catch (error) {
    // Command line clients look for the text as it is. The admin API has a format for it.
    if (!(error instanceof JsonError) || dialect.weak) throw error;
    throw dialect.invalid([{ pointer: '', message: error.message }]);
  }
}

function checked<Result extends object>(
  result: Result | { faults: Fault[] },
  dialect: Dialect,
  where?: 'query',
): Result {
  if ('faults' in result) throw dialect.invalid(result.faults, where);
  return result;
}

/** Answers a path or method that no row has. Only callers with a right on that path learn about it. */
export function refuseUnknown(dialectOf: (path: string) => Dialect): Middleware {
  return (ctx) => {
    const { path, caller, namespace } = ctx.state as { path: string; caller?: Caller; namespace?: Namespace };
    const dialect = dialectOf(path);
    const { matched = [] } = ctx as unknown as { matched?: unknown[] };
    // Everybody may know these paths, and no token is looked up for them.
    if (isExempt(path) && matched.length > 0) throw unsupportedOperation();
    if (!caller || !namespace) throw denied(ctx, dialect, Boolean(caller));
    if (!isServedIn(namespace, dialect)) throw denied(ctx, dialect, true);
    const given = capabilitiesOf(caller, namespace, path, { isList: ctx.method === 'LIST' });
    if (given.size === 0 || given.has('deny')) throw denied(ctx, dialect, true);
    if (matched.length > 0) throw unsupportedOperation();
    const known = UNSUPPORTED_PATHS.find((candidate) => candidate.path.test(path));
    if (known) throw badRequest(known.detail);
    throw new RequestError('unsupported_path', ['unsupported path']);
  };
}
