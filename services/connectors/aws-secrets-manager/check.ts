import {
  DeleteSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  RemoveRegionsFromReplicationCommand,
  ReplicateSecretToRegionsCommand,
  RestoreSecretCommand,
  TagResourceCommand,
  UntagResourceCommand,
  UpdateSecretCommand,
} from '@aws-sdk/client-secrets-manager';
import { OWNER_TAG } from '../../../libs/connector/owner.ts';
import { findMissingPermissions, type Probe } from '../../../libs/connector/probe.ts';
import { failures } from './failures.ts';
import { toReplicas } from './placement.ts';
import { toTags, type Tools } from './secret-state.ts';

/**
 * Tries the credentials first, then every permission at once, on a name that the destination's template makes and that no
 * secret has. It cannot try CreateSecret without creating something.
 */
export async function checkPermissions(tools: Tools, name: string): Promise<void> {
  const { send, installation } = tools;
  const on = { SecretId: name };
  const missing = await findMissingPermissions([
    ['DescribeSecret', () => send(new DescribeSecretCommand(on))],
    ['GetSecretValue', () => send(new GetSecretValueCommand(on))],
    ['PutSecretValue', () => send(new PutSecretValueCommand({ ...on, SecretString: 'check' }))],
    ['TagResource', () => send(new TagResourceCommand({ ...on, Tags: toTags({}, installation) }))],
    ['UntagResource', () => send(new UntagResourceCommand({ ...on, TagKeys: [OWNER_TAG] }))],
    ['DeleteSecret', () => send(new DeleteSecretCommand({ ...on, RecoveryWindowInDays: 7 }))],
    ['RestoreSecret', () => send(new RestoreSecretCommand(on))],
    ...placeProbes(tools, on),
  ]);
  if (missing.length === 0) return;
  const permissions = missing.map((operation) => `secretsmanager:${operation}`).join(', ');
  throw failures.fail('permission_missing', {
    scope: 'destination',
    message: `The identity lacks permissions: allow ${permissions} for the names of this destination (tried on ${name}).`,
  });
}

function placeProbes({ send, settings }: Tools, on: { SecretId: string }): Probe[] {
  const key = settings.kms_key_id;
  const replicas = toReplicas(settings.replica_regions);
  const added = { ...on, AddReplicaRegions: replicas };
  const removed = { ...on, RemoveReplicaRegions: replicas.map(({ Region = '' }) => Region) };
  const ofKey: Probe = ['UpdateSecret', () => send(new UpdateSecretCommand({ ...on, KmsKeyId: key }))];
  const ofReplicas: Probe[] = [
    ['ReplicateSecretToRegions', () => send(new ReplicateSecretToRegionsCommand(added))],
    ['RemoveRegionsFromReplication', () => send(new RemoveRegionsFromReplicationCommand(removed))],
  ];
  return [...(key === undefined ? [] : [ofKey]), ...(replicas.length === 0 ? [] : ofReplicas)];
}
