import { ERROR_CODES, type ErrorCode } from './codes.ts';

/** One fault of a request: what is wrong and where; `pointer` into a body, or a `parameter` of the query. */
export type Problem = { detail: string; title?: string; pointer?: string; parameter?: string };

/** A fault of a query parameter. */
export function parameterProblem(parameter: string, fault: string): Problem {
  return { title: 'invalid parameter', detail: `${parameter} ${fault}`, parameter };
}

/** A refusal that the caller may read in full: stable code with its status, public texts. It must contain nothing private. */
export class RequestError extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly problems: Problem[];
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, problems: (string | Problem)[], headers: Record<string, string> = {}) {
    super(code);
    this.name = 'RequestError';
    this.status = ERROR_CODES[code].status;
    this.code = code;
    this.problems = problems.map((problem) => (typeof problem === 'string' ? { detail: problem } : problem));
    this.headers = headers;
  }
}

/** All reasons of a refusal in one text. */
export function reasonOf({ problems }: RequestError): string {
  return problems.map(({ detail }) => detail).join('; ');
}

/** 400 with the given texts. */
export function badRequest(...details: string[]): RequestError {
  return new RequestError('bad_request', details);
}

/** 403; says nothing about what exists. */
export function permissionDenied(
  detail = 'permission denied',
  headers: Record<string, string> = {},
): RequestError {
  return new RequestError('permission_denied', [detail], headers);
}

/** 404; without a text if nothing more can be said. */
export function notFound(...details: string[]): RequestError {
  return new RequestError('not_found', details);
}

/** 405; `allow`: the methods that the path has. Absent: those of all rows that match it. */
export function unsupportedOperation(allow?: string): RequestError {
  const headers = allow === undefined ? {} : { Allow: allow };
  return new RequestError('unsupported_operation', ['unsupported operation'], headers);
}

/** 409 with the given texts. */
export function conflict(...details: string[]): RequestError {
  return new RequestError('conflict', details);
}

/** 422 with one object for each failing attribute. */
export function unprocessable(...problems: Problem[]): RequestError {
  return new RequestError('unprocessable', problems);
}

/** 503 with `Retry-After`: a part of the service was lost while it worked, so the change may have been made. */
export function outcomeUnknown(detail: string, retryAfterSeconds = 5): RequestError {
  const advice = 'the change may have been made: read it before sending it again';
  return new RequestError('outcome_unknown', [`${detail}; ${advice}`], {
    'Retry-After': String(retryAfterSeconds),
  });
}

/** 503 with `Retry-After`: a part of the service is down and nothing was done. */
export function unavailable(detail: string, retryAfterSeconds = 5): RequestError {
  return new RequestError('unavailable', [detail], { 'Retry-After': String(retryAfterSeconds) });
}
