import { defineFailures, type StoreAnswer } from '../../../libs/connector/http/failures.ts';

/** The calls that we make, and the permission that each needs. */
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

// An answer without any code of the vault did not come from the vault.
const isUnnamed = ({ codes = [] }: StoreAnswer): boolean => codes.length === 0;

/** What each refusal of a vault means; `codes` are the vendor's codes, inner or outer. */
export const failures = defineFailures({
  store: 'Azure Key Vault',
  setting: 'key_vault_uri',
  // The vendor's advice if the vault names no time.
  limitWaitMs: 1000,
  causes: {
    deleted_recoverable: {
      kind: 'external',
      retryAfterMs: 2000,
      message: 'The name belongs to a deleted secret that can be recovered.',
    },
    recovery_under_way: {
      kind: 'external',
      retryAfterMs: 2000,
      message: 'The deleted secret of this name is still being recovered.',
    },
  },
  rows: [
    {
      status: 401,
      code: 'credentials_refused',
      message:
        'The vault does not accept the token: check that tenant_id is the tenant of the vault, and that cloud is correct.',
    },
    {
      status: 403,
      codes: ['ForbiddenByFirewall', 'ForbiddenByConnection'],
      code: 'policy_refused',
      scope: 'destination',
      message: 'The firewall of the vault refuses the address of this machine: allow it there.',
    },
    {
      status: 403,
      codes: ['SecretDisabled'],
      code: 'precondition_failed',
      message: 'The current version of the secret is disabled and cannot be read: enable or remove it.',
    },
    {
      status: 403,
      operations: ['PurgeDeletedSecret'],
      code: 'permission_missing',
      message:
        'The secret is deleted but cannot be purged: allow secrets/purge, or unset purge_on_delete if the vault has purge protection.',
    },
    {
      status: 403,
      code: 'permission_missing',
      message:
        'The application lacks a permission: allow it secrets/{permission} on the vault ({operation}).',
    },
    { status: 404, fits: isUnnamed, code: 'unexpected_answer' },
    { status: 404, code: 'not_found' },
    { status: 409, codes: ['ObjectIsDeletedButRecoverable'], code: 'deleted_recoverable' },
    { status: 409, codes: ['ObjectIsBeingDeleted'], code: 'deletion_under_way' },
    { status: 409, codes: ['ObjectIsBeingRecovered'], code: 'recovery_under_way' },
    {
      status: 409,
      code: 'store_busy',
      message:
        'The vault refuses because of another operation on the secret, or because a certificate manages it; it is tried again.',
      retryAfterMs: 2000,
    },
    {
      status: 400,
      code: 'request_refused',
      final: true,
      message: '{operation} was refused as invalid: check the name, the size of the value and the tags.',
    },
  ],
});

/** The parts of an SDK error that we may look at. Its message may hold the provider's body, so we never use it. */
type SdkError = {
  code?: unknown;
  statusCode?: unknown;
  details?: { error?: { innerError?: { code?: unknown } } };
  response?: { headers?: { get: (name: string) => string | undefined } };
};

/** What a failed call means. An error that is no answer of the vault is returned as it is. */
export function translate(thrown: unknown, operation: Operation): unknown {
  if (!(thrown instanceof Error)) return thrown;
  const { code, statusCode: status, details, response } = thrown as SdkError;
  if (typeof status !== 'number') return thrown;
  const header = (name: string): string | undefined => response?.headers?.get(name);
  return failures.describeAnswer({
    status,
    header,
    codes: [details?.error?.innerError?.code, code].filter((known) => typeof known === 'string'),
    operation,
    words: { operation, permission: permissions[operation] },
    said: { requestId: header('x-ms-request-id') },
  });
}
