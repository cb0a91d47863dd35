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
import { toTags, type OpenStore } from './secret-state.ts';

/**
 * Tries the credentials first, then every permission at once, on a name that the destination's template makes and that no
 * secret has. It cannot try CreateSecret without creating something.
 */
export async function checkPermissions(store: OpenStore, name: string): Promise<void> {
  const { send, installation } = store;
  const target = { SecretId: name };
  const missing = await findMissingPermissions([
    ['DescribeSecret', () => send(new DescribeSecretCommand(target))],
    ['GetSecretValue', () => send(new GetSecretValueCommand(target))],
    ['PutSecretValue', () => send(new PutSecretValueCommand({ ...target, SecretString: 'check' }))],
    ['TagResource', () => send(new TagResourceCommand({ ...target, Tags: toTags({}, installation) }))],
    ['UntagResource', () => send(new UntagResourceCommand({ ...target, TagKeys: [OWNER_TAG] }))],
    ['DeleteSecret', () => send(new DeleteSecretCommand({ ...target, RecoveryWindowInDays: 7 }))],
    ['RestoreSecret', () => send(new RestoreSecretCommand(target))],
    ...placeProbes(store, target),
  ]);
  if (missing.length === 0) return;
  const permissions = missing.map((operation) => `secretsmanager:${operation}`).join(', ');
  throw failures.fail('permission_missing', {
    scope: 'destination',
    message: `The identity lacks permissions: allow ${permissions} for the names of this destination (tried on ${name}). secretsmanager:CreateSecret is needed too, and cannot be tried.`,
  });
}

function placeProbes({ send, settings }: OpenStore, target: { SecretId: string }): Probe[] {
  const key = settings.kms_key_id;
  const replicas = toReplicas(settings.replica_regions);
  const added = { ...target, AddReplicaRegions: replicas };
  const removed = { ...target, RemoveReplicaRegions: replicas.map(({ Region = '' }) => Region) };
  const ofKey: Probe = ['UpdateSecret', () => send(new UpdateSecretCommand({ ...target, KmsKeyId: key }))];
  const ofReplicas: Probe[] = [
    ['ReplicateSecretToRegions', () => send(new ReplicateSecretToRegionsCommand(added))],
    ['RemoveRegionsFromReplication', () => send(new RemoveRegionsFromReplicationCommand(removed))],
  ];
  return [...(key === undefined ? [] : [ofKey]), ...(replicas.length === 0 ? [] : ofReplicas)];
}
