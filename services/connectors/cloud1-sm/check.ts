import { randomUUID } from 'node:crypto';
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
import type { Call } from './client.ts';
import { OWNER_TAG, withOwnerTag } from './owner-tag.ts';
import { hasCode, isMissing, type Tools } from './secret-state.ts';

type Probe = [operation: string, call: Call<unknown>];

// Permission is judged before existence: on a name that nobody has, "not found" means "allowed", and nothing changes.
function createProbes(SecretId: string, installation: string): Probe[] {
  return [
    ['GetSecretValue', (client, options) => client.send(new GetSecretValueCommand({ SecretId }), options)],
    [
      'PutSecretValue',
      (client, options) =>
        client.send(new PutSecretValueCommand({ SecretId, SecretString: 'check' }), options),
    ],
    [
      'TagResource',
      (client, options) =>
        client.send(new TagResourceCommand({ SecretId, Tags: withOwnerTag({}, installation) }), options),
    ],
    [
      'UntagResource',
      (client, options) => client.send(new UntagResourceCommand({ SecretId, TagKeys: [OWNER_TAG] }), options),
    ],
    [
      'DeleteSecret',
      (client, options) =>
        client.send(new DeleteSecretCommand({ SecretId, RecoveryWindowInDays: 7 }), options),
    ],
    ['RestoreSecret', (client, options) => client.send(new RestoreSecretCommand({ SecretId }), options)],
  ];
}

// Null where the call is allowed.
async function tryOut(tools: Tools, [operation, call]: Probe, signal: AbortSignal): Promise<string | null> {
  try {
    await tools.invoke(operation, signal, call);
    return null;
  } catch (error) {
    if (isMissing(error)) return null;
    if (hasCode(error, 'permission_missing')) return `secretsmanager:${operation}`;
    throw error;
  }
}

/**
 * Tries credentials first, then every permission at once, on a random name below `sealift/`. CreateSecret alone cannot be
 * tried without creating something.
 */
export async function checkPermissions(tools: Tools, signal: AbortSignal): Promise<void> {
  const name = `sealift/check-${randomUUID()}`;
  const first: Probe = [
    'DescribeSecret',
    (client, options) => client.send(new DescribeSecretCommand({ SecretId: name }), options),
  ];
  const probes = createProbes(name, tools.installation);
  const missing = [
    await tryOut(tools, first, signal),
    ...(await Promise.all(probes.map((probe) => tryOut(tools, probe, signal)))),
  ].filter((permission) => permission !== null);
  if (missing.length === 0) return;
  throw new ConnectorError({
    kind: 'client',
    code: 'permission_missing',
    message: `The identity may not do everything that is needed: allow ${missing.join(', ')} for the names of this destination (tried on a name below sealift/).`,
    scope: 'destination',
  });
}
