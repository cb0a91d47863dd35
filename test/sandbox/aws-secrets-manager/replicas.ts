import type { Input } from './rules.ts';
import type { Secret, Store } from './store.ts';
import { invalidParameter } from './vendor-error.ts';

const REGION = /^([a-z]+-)+\d+$/;
const AWS_KEY = 'alias/aws/secretsmanager';

/** `AddReplicaRegions`: if a region has the name already, the replica there fails, unless overwriting is allowed. */
export function addReplicas(store: Store, secret: Secret, input: Input): void {
  const added = (input['AddReplicaRegions'] ?? []) as { Region?: unknown; KmsKeyId?: unknown }[];
  const account = secret.region.split('/').slice(1);
  const regions = added.map(({ Region: region }) => toRegion(region, account));
  if (new Set(regions).size < regions.length) throw invalidParameter('A region is given twice.');
  if (regions.includes(secret.region))
    throw invalidParameter("You can't replicate a secret to the region of its primary.");
  const taken = regions.find((region) => secret.replicas.get(region)?.status === 'InSync');
  if (taken !== undefined) throw invalidParameter(`The secret is replicated to ${taken} already.`);
  added.forEach(({ KmsKeyId: key }, index) => {
    const region = regions[index] ?? '';
    const blocking = store.find(region, secret.name) ?? store.findPrimary(region, secret.name);
    if (blocking && input['ForceOverwriteReplicaSecret'] === true) store.drop(blocking);
    const status = blocking && input['ForceOverwriteReplicaSecret'] !== true ? 'Failed' : 'InSync';
    secret.replicas.set(region, { kmsKeyId: typeof key === 'string' ? key : AWS_KEY, status });
  });
}

/** `RemoveReplicaRegions`. */
export function removeReplicas(secret: Secret, input: Input): void {
  const account = secret.region.split('/').slice(1);
  const regions = ((input['RemoveReplicaRegions'] ?? []) as unknown[]).map((one) => toRegion(one, account));
  if (regions.length === 0) throw invalidParameter('RemoveReplicaRegions must have at least one region.');
  const unknown = regions.find((region) => !secret.replicas.has(region));
  if (unknown !== undefined) throw invalidParameter(`The secret is not replicated to ${unknown}.`);
  for (const region of regions) secret.replicas.delete(region);
}

/** The replicas in an answer. */
export function describeReplicas(secret: Secret): object {
  if (secret.replicas.size === 0) return {};
  const statuses = [...secret.replicas].map(([region, { kmsKeyId, status }]) => ({
    Region: region.split('/')[0],
    KmsKeyId: kmsKeyId,
    Status: status,
    ...(status === 'Failed' ? { StatusMessage: 'Secret with this name already exists in this region.' } : {}),
  }));
  return { ReplicationStatus: statuses };
}

/** The KMS key of each replica, by region. */
export function replicasOf({ replicas }: Secret): Record<string, string> {
  const good = [...replicas].filter(([, { status }]) => status === 'InSync');
  return Object.fromEntries(good.map(([region, { kmsKeyId }]) => [region, kmsKeyId]));
}

// Regions of another account are `{region}/{account}`.
function toRegion(region: unknown, account: string[]): string {
  if (typeof region !== 'string' || !REGION.test(region) || region.length > 128)
    throw invalidParameter('A region is not valid.');
  return [region, ...account].join('/');
}
