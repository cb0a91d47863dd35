import { randomUUID } from 'node:crypto';
import type { FakeReply } from '../fake-server.ts';

/** A refusal in the vault's form. */
export class VendorError extends Error {
  readonly status: number;
  readonly code: string;
  readonly inner: string | undefined;

  constructor(status: number, code: string, message: string, inner?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.inner = inner;
  }
}

/** The headers of every reply of the vault. */
export function vendorHeaders(): Record<string, string> {
  return {
    'x-ms-request-id': randomUUID(),
    'x-ms-keyvault-region': 'westeurope',
    'cache-control': 'no-cache',
  };
}

export function toErrorReply({ status, code, message, inner }: VendorError): FakeReply {
  const error = { code, message, ...(inner === undefined ? {} : { innererror: { code: inner } }) };
  return { status, headers: vendorHeaders(), body: { error } };
}

export const badParameter = (message: string) => new VendorError(400, 'BadParameter', message);

export const secretNotFound = (name: string) =>
  new VendorError(
    404,
    'SecretNotFound',
    `A secret with (name/id) ${name} was not found in this key vault. If you recently deleted this secret you may be able to recover it using the correct recovery command.`,
  );

export const deletedSecretNotFound = (name: string) =>
  new VendorError(404, 'SecretNotFound', `Deleted Secret not found: ${name}`);

export const deletedButRecoverable = (name: string) =>
  new VendorError(
    409,
    'Conflict',
    `Secret ${name} is currently in a deleted but recoverable state, and its name cannot be reused; in this state, the secret can only be recovered or purged.`,
    'ObjectIsDeletedButRecoverable',
  );

export const beingDeleted = (name: string) =>
  new VendorError(409, 'Conflict', `Secret ${name} is currently being deleted.`, 'ObjectIsBeingDeleted');

export const beingRecovered = (name: string) =>
  new VendorError(
    409,
    'Conflict',
    `Secret ${name} is currently being recovered and cannot be re-created; retry later.`,
    'ObjectIsBeingRecovered',
  );

export const disabled = () =>
  new VendorError(403, 'Forbidden', 'Operation get is not allowed on a disabled secret.', 'SecretDisabled');

export const denied = (permission: string) =>
  new VendorError(
    403,
    'Forbidden',
    `The user, group or application 'appid=app;oid=object' does not have secrets ${permission} permission on key vault 'fake;location=westeurope'.`,
    'AccessDenied',
  );

export const purgeProtected = () =>
  new VendorError(
    403,
    'Forbidden',
    'Operation purge is not allowed: the vault has purge protection enabled.',
  );

export const unauthorized = (message: string) => new VendorError(401, 'Unauthorized', message);

export const tokenMissing = () => unauthorized('AKV10000: Request is missing a Bearer or PoP token.');

export const tokenUnknown = () =>
  unauthorized('AKV10046: Unable to resolve the key used for signature validation.');

export const tokenExpired = () => unauthorized("[TokenExpired] Error validating token: 'S2S12086'.");

export const wrongAudience = (expected: string, found: string) =>
  unauthorized(`AKV10022: Invalid audience. Expected ${expected}, found: ${found}.`);

export const wrongIssuer = (expected: string, found: string) =>
  unauthorized(
    `AKV10032: Invalid issuer. Expected one of https://sts.windows.net/${expected}/, found https://sts.windows.net/${found}/.`,
  );
