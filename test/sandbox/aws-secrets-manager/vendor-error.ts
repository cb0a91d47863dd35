import type { FakeReply } from '../fake-server.ts';

/** A refusal in the form of AWS JSON 1.1. */
export class VendorError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** AWS' reply for the error. Every reply has a request id. */
export function toErrorReply(error: VendorError, requestId: string): FakeReply {
  return {
    status: error.status,
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-requestid': requestId },
    body: { __type: error.code, Message: error.message },
  };
}

export const notFound = () =>
  new VendorError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");

export const noSuchVersion = (label: string) =>
  new VendorError(
    'ResourceNotFoundException',
    `Secrets Manager can't find the specified secret value for staging label: ${label}`,
  );

export const markedForDeletion = () =>
  new VendorError(
    'InvalidRequestException',
    "You can't perform this operation on the secret because it was marked for deletion.",
  );

export const nameScheduledForDeletion = () =>
  new VendorError(
    'InvalidRequestException',
    "You can't create this secret because a secret with this name is already scheduled for deletion.",
  );

export const alreadyExists = (name: string) =>
  new VendorError(
    'ResourceExistsException',
    `The operation failed because the secret ${name} already exists.`,
  );

export const tokenInUse = (token: string, arn: string) =>
  new VendorError(
    'ResourceExistsException',
    `You can't use ClientRequestToken ${token} because that value is already in use for a version of secret ${arn}.`,
  );

export const invalidParameter = (message: string) => new VendorError('InvalidParameterException', message);

export const stillReplicated = (id: string, regions: string[]) =>
  invalidParameter(`You can't delete secret ${id} that still has replica regions [${regions.join(', ')}].`);

export const notOnReplica = () =>
  new VendorError(
    'InvalidRequestException',
    "Operation not permitted on a replica secret. Call must be made in primary secret's region.",
  );

export const limitExceeded = (message: string) => new VendorError('LimitExceededException', message);

export const signatureExpired = () =>
  new VendorError(
    'InvalidSignatureException',
    'Signature expired: the time of the request is more than 5 minutes away from the time of the service.',
  );

export const wrongSignature = () =>
  new VendorError(
    'InvalidSignatureException',
    'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.',
  );

export const unsignedHeaders = (names: string[]) =>
  new VendorError('InvalidSignatureException', `These headers must be signed: ${names.join(', ')}.`);

export const incompleteSignature = () =>
  new VendorError(
    'IncompleteSignatureException',
    'Authorization header requires Credential, SignedHeaders and Signature, and a date in X-Amz-Date.',
  );

export const notSigned = () =>
  new VendorError('MissingAuthenticationTokenException', 'Missing Authentication Token');

export const unrecognizedClient = () =>
  new VendorError('UnrecognizedClientException', 'The security token included in the request is invalid.');

export const sessionOver = () =>
  new VendorError('ExpiredTokenException', 'The security token included in the request is expired');

export const denied = (operation: string, resource: string) =>
  new VendorError(
    'AccessDeniedException',
    `User: arn:aws:iam::123456789012:user/sealift is not authorized to perform: secretsmanager:${operation} on resource: ${resource} because no identity-based policy allows the secretsmanager:${operation} action`,
  );
