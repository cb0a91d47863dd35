import type { FailureDetails } from '../../../libs/connector/errors.ts';

/** The calls we make, by the permission each needs. */
export const permissions = {
  GetSecret: 'get',
  GetDeletedSecret: 'get',
  SetSecret: 'set',
  UpdateSecret: 'set',
  DeleteSecret: 'delete',
  RecoverDeletedSecret: 'recover',
  PurgeDeletedSecret: 'purge',
} as const;

export type Operation = keyof typeof permissions;

type Failure = Omit<FailureDetails, 'requestId' | 'message'> & {
  statuses: [lowest: number, highest: number];
  /** The vendor's codes, inner or outer; a row without them holds for all. */
  codes?: string[];
  /** Only for answers without any code: they are not the vault's. */
  unnamed?: true;
  /** Only for these calls; a row without it holds for all. */
  operations?: Operation[];
  /** `{operation}` becomes the call that failed, `{permission}` what it needs, `{status}` the HTTP status. */
  message: string;
};

const SECOND = 1000;

/** What each refusal of a vault means; the first row that fits counts. */
export const failures: Failure[] = [
  {
    statuses: [401, 401],
    kind: 'client',
    code: 'credentials_refused',
    message:
      'The vault does not take the token: check that tenant_id is the tenant the vault belongs to, and that cloud is right.',
    scope: 'destination',
  },
  {
    statuses: [403, 403],
    codes: ['ForbiddenByFirewall', 'ForbiddenByConnection'],
    kind: 'client',
    code: 'network_refused',
    message: 'The firewall of the vault refuses the address of this machine: allow it there.',
    scope: 'destination',
  },
  {
    statuses: [403, 403],
    codes: ['SecretDisabled'],
    kind: 'client',
    code: 'secret_disabled',
    message: 'The current version of the secret is disabled and cannot be read: enable or remove it.',
  },
  {
    statuses: [403, 403],
    operations: ['PurgeDeletedSecret'],
    kind: 'client',
    code: 'purge_refused',
    message:
      'The secret is deleted but may not be purged: allow secrets/purge, or unset purge_on_delete where the vault has purge protection.',
  },
  {
    statuses: [403, 403],
    kind: 'client',
    code: 'permission_missing',
    message: 'The application may not do this: allow it secrets/{permission} on the vault ({operation}).',
  },
  {
    statuses: [404, 404],
    unnamed: true,
    kind: 'external',
    code: 'unexpected_answer',
    message: 'The answer was not one of the vault: something in between may have sent it.',
  },
  {
    statuses: [404, 404],
    kind: 'missing',
    code: 'not_found',
    message: 'There is no secret of this name.',
  },
  {
    statuses: [409, 409],
    codes: ['ObjectIsDeletedButRecoverable'],
    kind: 'external',
    code: 'deleted_recoverable',
    message: 'The name belongs to a deleted secret that can be recovered.',
    retryAfterMs: 2 * SECOND,
  },
  {
    statuses: [409, 409],
    codes: ['ObjectIsBeingDeleted'],
    kind: 'external',
    code: 'deletion_under_way',
    message: 'A secret of this name is still being deleted; it is tried again shortly.',
    retryAfterMs: 2 * SECOND,
  },
  {
    statuses: [409, 409],
    codes: ['ObjectIsBeingRecovered'],
    kind: 'external',
    code: 'recovery_under_way',
    message: 'The deleted secret of this name is still being recovered; it is tried again shortly.',
    retryAfterMs: 2 * SECOND,
  },
  {
    statuses: [409, 409],
    kind: 'external',
    code: 'store_conflict',
    message:
      'The vault refuses because of another operation on the secret, or because a certificate manages it; it is tried again.',
    retryAfterMs: 2 * SECOND,
  },
  {
    statuses: [400, 400],
    kind: 'client',
    code: 'invalid_parameter',
    final: true,
    message: '{operation} was refused as invalid: check the name, the size of the value and the tags.',
  },
  {
    statuses: [413, 413],
    kind: 'client',
    code: 'request_refused',
    message: '{operation} was refused as too large: check the size of the value.',
  },
  {
    statuses: [429, 429],
    kind: 'throttled',
    code: 'rate_limited',
    message: 'The vault asks to wait: its rate of calls is used up.',
    // The vendor's advice where it names no time.
    retryAfterMs: SECOND,
    scope: 'destination',
  },
  {
    statuses: [408, 408],
    kind: 'external',
    code: 'store_failed',
    message: 'The vault did not get the whole call in time; it is tried again.',
  },
  {
    statuses: [502, 504],
    kind: 'external',
    code: 'store_unavailable',
    message: 'The vault is not available; it is tried again.',
    scope: 'destination',
  },
  {
    statuses: [500, 599],
    kind: 'external',
    code: 'store_failed',
    message: 'The vault failed on its side; it is tried again.',
  },
  {
    statuses: [300, 399],
    kind: 'external',
    code: 'redirected',
    message:
      'The vault answered with a redirect, which is not followed: check key_vault_uri and the network.',
    scope: 'destination',
  },
  {
    statuses: [400, 499],
    kind: 'client',
    code: 'refused',
    message: '{operation} was refused with HTTP status {status}.',
  },
];
