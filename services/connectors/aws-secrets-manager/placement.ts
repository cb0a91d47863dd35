import {
  DeleteSecretCommand,
  RemoveRegionsFromReplicationCommand,
  ReplicateSecretToRegionsCommand,
  UpdateSecretCommand,
  type DeleteSecretCommandInput,
  type ReplicaRegionType,
  type ReplicationStatusType,
} from '@aws-sdk/client-secrets-manager';
import { afterEffect, hasCode } from '../../../libs/connector/errors.ts';
import { failures } from './failures.ts';
import { placementIn } from './reference.ts';
import { describeSecret, type OpenStore } from './secret-state.ts';

type Replicas = Record<string, string>;

/** Replicas in the form of the API. A region without a key uses the key of AWS. */
export function toReplicas(replicas: Replicas = {}): ReplicaRegionType[] {
  return Object.entries(replicas).map(([Region, key]) =>
    key === '' ? { Region } : { Region, KmsKeyId: key },
  );
}

/**
 * Changes the key and the replicas of a secret to those of the settings; `reference` tells what we asked for before. A
 * replica must be deleted and created again to get another key. Replicas that somebody else made stay.
 */
export async function settlePlacement(
  store: OpenStore,
  arn: string,
  reference: string | null,
): Promise<void> {
  const { kms_key_id: key = '', replica_regions: wanted = {} } = store.settings;
  const { key: keyBefore, replicas: before } = placementIn(reference);
  if (key !== keyBefore) await store.send(new UpdateSecretCommand({ SecretId: arn, KmsKeyId: key }));
  if (Object.keys({ ...wanted, ...before }).length === 0) return;
  const { replicas = [] } = (await describeSecret(store, arn)) ?? {};
  const isStale = ({ Region = '', Status }: ReplicationStatusType): boolean =>
    Object.hasOwn({ ...wanted, ...before }, Region) &&
    (Status === 'Failed' || before[Region] !== wanted[Region]);
  const stale = regionsOf(replicas.filter(isStale));
  const kept = regionsOf(replicas).filter((region) => !stale.includes(region));
  if (stale.length > 0) await removeReplicas(store, arn, stale);
  const missing = toReplicas(wanted).filter(({ Region = '' }) => !kept.includes(Region));
  if (missing.length === 0) return;
  const call = new ReplicateSecretToRegionsCommand({ SecretId: arn, AddReplicaRegions: missing });
  requireReplicas((await afterEffect(() => store.send(call))).ReplicationStatus);
}

/** Throws ConnectorError if AWS says that it cannot make a replica. AWS makes the other replicas after its answer. */
export function requireReplicas(replicas: ReplicationStatusType[] = []): void {
  const failed = regionsOf(replicas.filter(({ Status }) => Status === 'Failed'));
  if (failed.length === 0) return;
  const failure = failures.fail('replica_failed', {
    message: `AWS could not create the replica in ${failed.join(', ')}: a secret of that name already exists there, or the key cannot be used.`,
  });
  throw Object.assign(failure, { partly: true });
}

/** Deletes a secret. If it has replicas, deletes them first: AWS refuses the other order. */
export async function deleteSecret(
  store: OpenStore,
  deletion: DeleteSecretCommandInput & { SecretId: string },
): Promise<unknown> {
  const call = (): Promise<unknown> => store.send(new DeleteSecretCommand(deletion));
  try {
    return await call();
  } catch (error) {
    if (!hasCode(error, 'store_busy')) throw error;
    const { replicas = [] } = (await describeSecret(store, deletion.SecretId)) ?? {};
    if (replicas.length === 0) throw error;
    await removeReplicas(store, deletion.SecretId, regionsOf(replicas));
    return afterEffect(call);
  }
}

function regionsOf(replicas: ReplicationStatusType[]): string[] {
  return replicas.map(({ Region = '' }) => Region);
}

async function removeReplicas({ send }: OpenStore, arn: string, regions: string[]): Promise<void> {
  await send(new RemoveRegionsFromReplicationCommand({ SecretId: arn, RemoveReplicaRegions: regions }));
}
