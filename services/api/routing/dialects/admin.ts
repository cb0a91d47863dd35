import type { Problem } from '../../../../libs/errors/request-error.ts';
import { parameterProblem, RequestError, unprocessable } from '../../../../libs/errors/request-error.ts';
import { writePlain, type Dialect } from './dialect.ts';

const MEDIA_TYPE = 'application/vnd.api+json';

const TITLES: Record<number, string> = {
  400: 'bad request',
  401: 'unauthorized',
  404: 'not found',
  405: 'method not allowed',
  409: 'conflict',
  412: 'precondition failed',
  413: 'payload too large',
  415: 'unsupported media type',
  422: 'unprocessable content',
  429: 'Too many requests',
  500: 'internal error',
  503: 'service unavailable',
  504: 'gateway timeout',
};

/** Site administration: JSON API documents and error objects, strict typing, 404 for callers without rights. */
export const adminDialect: Dialect = {
  name: 'admin',
  weak: false,
  checkContentType: (ctx) => {
    // Without a body the header has no meaning, but clients send it anyway.
    const hasBody = (ctx.request.length ?? 0) > 0 || ctx.get('transfer-encoding') !== '';
    if (!hasBody) return;
    const [given = '', ...parameters] = ctx.get('content-type').toLowerCase().split(';');
    if (parameters.some((parameter) => /^\s*ext\s*=/.test(parameter))) {
      throw unsupportedType(`no extension of ${MEDIA_TYPE} is supported: leave ext out of the content type`);
    }
    const isKnown = [MEDIA_TYPE, 'application/json'].includes(given.trim());
    if (!isKnown) throw unsupportedType(`the content type must be ${MEDIA_TYPE}`);
  },
  present: (ctx, reply) => {
    writePlain(ctx, reply);
    if (reply.data === undefined) return;
    ctx.body = JSON.stringify(reply.data);
    ctx.type = MEDIA_TYPE;
  },
  refuse: (ctx, error) => {
    ctx.status = error.status;
    ctx.set(error.headers);
    ctx.body = JSON.stringify({ errors: errorObjects(error) });
    ctx.type = MEDIA_TYPE;
  },
  denied: (callerIsKnown, hint = 'the request needs a valid token: Authorization: Bearer <token>') =>
    callerIsKnown ? new RequestError('not_found', []) : new RequestError('unauthorized', [hint]),
  invalid: (faults, where) =>
    unprocessable(
      ...firstOfEach(faults).map(({ pointer, place, message }) =>
        where === 'query'
          ? parameterProblem(pointer.slice(1), message)
          : bodyProblem(pointer, message, place),
      ),
    ),
};

function bodyProblem(pointer: string, message: string, place = pointer): Problem {
  const title = pointer.startsWith('/data/attributes/') ? 'invalid attribute' : 'unprocessable content';
  return { title, detail: `${place.split('/').at(-1) || 'the body'} ${message}`, pointer };
}

function unsupportedType(detail: string): RequestError {
  return new RequestError('unsupported_media_type', [detail]);
}

// Every 404 is the same, for every caller and reason. So a caller cannot tell a missing right from a missing thing.
function errorObjects(error: RequestError): object[] {
  if (error.status === 404) return [{ status: '404', title: 'not found' }];
  const title = TITLES[error.status] ?? 'error';
  const problems: Problem[] = error.problems.length > 0 ? error.problems : [{ detail: title }];
  return problems.map((problem) => ({
    status: String(error.status),
    title: problem.title ?? title,
    detail: problem.detail,
    ...sourceOf(problem),
  }));
}

function sourceOf({ pointer, parameter }: Problem): object {
  if (parameter !== undefined) return { source: { parameter } };
  return pointer === undefined ? {} : { source: { pointer } };
}

// One object for each failing attribute, however many rules it breaks.
function firstOfEach<Fault extends { pointer: string }>(faults: Fault[]): Fault[] {
  return faults.filter(
    (fault, index) => faults.findIndex(({ pointer }) => pointer === fault.pointer) === index,
  );
}
