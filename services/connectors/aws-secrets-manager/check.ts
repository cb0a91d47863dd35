import {
  DeleteSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  RestoreSecretCommand,
  TagResourceCommand,
  UntagResourceCommand,
} from '@aws-sdk/client-secrets-manager';
import { ConnectorError } from '../../../libs/connector/errors.ts';
import { OWNER_TAG, withOwnerTag } from './owner-tag.ts';
import { hasCode, isMissing, type Tools } from './secret-state.ts';

type Probe = () => Promise<unknown>;

// Permission is judged before existence: on a name that nobody has, "not found" means "allowed", and nothing changes.
function createProbes(
  SecretId: string,
  { invoke, installation }: Tools,
  signal: AbortSignal,
): Record<string, Probe> {
  return {
    GetSecretValue: () => invoke(new GetSecretValueCommand({ SecretId }), signal),
    PutSecretValue: () => invoke(new PutSecretValueCommand({ SecretId, SecretString: 'check' }), signal),
    TagResource: () =>
      invoke(new TagResourceCommand({ SecretId, Tags: withOwnerTag({}, installation) }), signal),
    UntagResource: () => invoke(new UntagResourceCommand({ SecretId, TagKeys: [OWNER_TAG] }), signal),
    DeleteSecret: () => invoke(new DeleteSecretCommand({ SecretId, RecoveryWindowInDays: 7 }), signal),
    RestoreSecret: () => invoke(new RestoreSecretCommand({ SecretId }), signal),
  };
}

// Null where the call is allowed.
async function tryOut([operation, call]: [operation: string, call: Probe]): Promise<string | null> {
  try {
    await call();
    return null;
  } catch (error) {
    if (isMissing(error)) return null;
    if (hasCode(error, 'permission_missing')) return `secretsmanager:${operation}`;
    throw error;
  }
}

/**
 * Tries credentials first, then every permission at once, on a name that the destination's template gives to no secret. CreateSecret alone cannot be
 * tried without creating something.
 */
export async function checkPermissions(tools: Tools, name: string, signal: AbortSignal): Promise<void> {
  const first: Probe = () => tools.invoke(new DescribeSecretCommand({ SecretId: name }), signal);
  const missing = [
    await tryOut(['DescribeSecret', first]),
    ...(await Promise.all(Object.entries(createProbes(name, tools, signal)).map(tryOut))),
  ].filter((permission) => permission !== null);
  if (missing.length === 0) return;
  throw new ConnectorError({
    kind: 'client',
    code: 'permission_missing',
    message: `The identity may not do everything that is needed: allow ${missing.join(', ')} for the names of this destination (tried on ${name}).`,
    scope: 'destination',
  });
}
