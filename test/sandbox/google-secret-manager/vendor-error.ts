import type { FakeReply } from '../fake-server.ts';

const STATUSES: Record<string, number> = {
  CANCELLED: 499,
  UNKNOWN: 500,
  INVALID_ARGUMENT: 400,
  DEADLINE_EXCEEDED: 504,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  PERMISSION_DENIED: 403,
  UNAUTHENTICATED: 401,
  RESOURCE_EXHAUSTED: 429,
  FAILED_PRECONDITION: 400,
  ABORTED: 409,
  OUT_OF_RANGE: 400,
  UNIMPLEMENTED: 501,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  DATA_LOSS: 500,
};

// The canonical code for a reason of ErrorInfo; other reasons have PERMISSION_DENIED.
const CODES_OF_REASONS: Record<string, string> = {
  RATE_LIMIT_EXCEEDED: 'RESOURCE_EXHAUSTED',
  RESOURCE_QUOTA_EXCEEDED: 'RESOURCE_EXHAUSTED',
  ACCESS_TOKEN_EXPIRED: 'UNAUTHENTICATED',
  ACCOUNT_STATE_INVALID: 'UNAUTHENTICATED',
  LOCATION_ORG_POLICY_VIOLATED: 'FAILED_PRECONDITION',
};

export type ErrorInfo = { reason: string; metadata?: Record<string, string> };

/** A refusal in Google's JSON form. */
export class VendorError extends Error {
  readonly code: string;
  readonly details: object[];

  constructor(code: string, message: string, details: object[] = []) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

export function errorInfo({ reason, metadata = {} }: ErrorInfo): object {
  return { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'googleapis.com', metadata };
}

export function retryInfo(seconds: number): object {
  return { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${seconds}s` };
}

/** Makes an error from a canonical code, or from a reason that implies one. */
export function namedError(name: string, details: object[] = []): VendorError {
  const isCanonical = Object.hasOwn(STATUSES, name);
  const code = isCanonical ? name : (CODES_OF_REASONS[name] ?? 'PERMISSION_DENIED');
  const text = `Vendor detail that nobody may be shown (${name})`;
  return new VendorError(code, text, isCanonical ? details : [errorInfo({ reason: name }), ...details]);
}

/** Google's reply for the error, with a request id among the details. */
export function toErrorReply(error: VendorError, requestId: string, status?: number): FakeReply {
  const code = status ?? STATUSES[error.code] ?? 500;
  const request = { '@type': 'type.googleapis.com/google.rpc.RequestInfo', requestId };
  const details = [...error.details, request];
  return { status: code, body: { error: { code, message: error.message, status: error.code, details } } };
}

export const invalid = (message: string) => new VendorError('INVALID_ARGUMENT', message);

export const notFound = (what: string) => new VendorError('NOT_FOUND', `Secret [${what}] not found.`);

export const noVersion = (what: string) =>
  new VendorError('NOT_FOUND', `Secret Version [${what}] not found or has no versions.`);

export const alreadyExists = (what: string) =>
  new VendorError('ALREADY_EXISTS', `Secret [${what}] already exists.`);

export const wrongState = (what: string, state: string) =>
  new VendorError('FAILED_PRECONDITION', `Secret Version [${what}] is in ${state} state.`);

export const etagMismatch = () =>
  new VendorError(
    'FAILED_PRECONDITION',
    'The etag provided in the request does not match the current etag of the resource.',
  );

export const denied = (permission: string, resource: string) =>
  new VendorError(
    'PERMISSION_DENIED',
    `Permission '${permission}' denied for resource '${resource}' (or it may not exist).`,
    [errorInfo({ reason: 'IAM_PERMISSION_DENIED', metadata: { permission, resource } })],
  );

export const unauthenticated = (message: string) =>
  new VendorError('UNAUTHENTICATED', `Request had invalid authentication credentials. ${message}`, [
    errorInfo({ reason: 'ACCESS_TOKEN_TYPE_UNSUPPORTED' }),
  ]);
