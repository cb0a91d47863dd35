import type { CallContext } from '../fake-server.ts';
import { checkTagCount, contentOf, newNameOf, secretIdOf, tagsOf, tokenOf, type Input } from './rules.ts';
import { addVersion, DAY_MS, nameOf, type Secret, type Store, versionAt } from './store.ts';
import { addReplicas, describeReplicas, removeReplicas } from './replicas.ts';
import * as refusals from './vendor-error.ts';

export type Scene = { store: Store; region: string; call: CallContext };
export type Operation = (input: Input, scene: Scene) => object;

const toSeconds = (ms: number) => ms / 1000;
const toTagList = (tags: Map<string, string>) => [...tags].map(([Key, Value]) => ({ Key, Value }));

function lookUp(input: Input, { store, region, call }: Scene): Secret | undefined {
  const id = secretIdOf(input);
  if (!id.startsWith('arn:')) return store.find(region, id);
  if (!store.isAccountOf(region, id)) throw refusals.denied(call.operation, id);
  const secret = store.find(region, nameOf(id));
  return secret?.arn === id ? secret : undefined;
}

// Reads of a replica return its primary; changes are allowed on the primary only.
function findForRead(input: Input, scene: Scene): Secret {
  const primary = lookUp(input, scene) ?? scene.store.findPrimary(scene.region, secretIdOf(input));
  if (!primary || primary.forced === 'hidden') throw refusals.notFound();
  return primary;
}

function find(input: Input, scene: Scene): Secret {
  const secret = lookUp(input, scene);
  if (!secret && scene.store.findPrimary(scene.region, secretIdOf(input))) throw refusals.notOnReplica();
  if (!secret || secret.forced === 'hidden') throw refusals.notFound();
  return secret;
}

function findLive(input: Input, scene: Scene): Secret {
  const secret = find(input, scene);
  if (secret.deletedAt !== null) throw refusals.markedForDeletion();
  return secret;
}

const isLimited = ({ call }: Scene) => call.takeFault('no-version-limit') === undefined;

function createSecret(input: Input, scene: Scene): object {
  const { store, region } = scene;
  const name = newNameOf(input);
  const content = contentOf(input);
  const token = content ? tokenOf(input) : '';
  const tags = tagsOf(input);
  checkTagCount(tags, true);

  const existing = store.find(region, name);
  if (existing && existing.deletedAt !== null) throw refusals.nameScheduledForDeletion();
  if (existing) {
    // Accepts the repeat of a create that was already applied.
    if (!content || !existing.versions.has(token)) throw refusals.alreadyExists(name);
    addVersion(existing, { token, content, now: store.now(), isLimited: false });
    return { ARN: existing.arn, Name: name, VersionId: token, ...describeReplicas(existing) };
  }
  if (store.findPrimary(region, name)) throw refusals.alreadyExists(name);
  const secret = store.add(region, name);
  secret.tags = tags;
  secret.kmsKeyId = input['KmsKeyId'] as string | undefined;
  secret.description = input['Description'] as string | undefined;
  try {
    addReplicas(store, secret, input);
  } catch (error) {
    store.drop(secret);
    throw error;
  }
  if (!content) return { ARN: secret.arn, Name: name };
  addVersion(secret, { token, content, now: store.now(), isLimited: false });
  return { ARN: secret.arn, Name: name, VersionId: token, ...describeReplicas(secret) };
}

// The only property that this fake can change is the key; it also applies to the current version.
function updateSecret(input: Input, scene: Scene): object {
  const secret = findLive(input, scene);
  const key = input['KmsKeyId'];
  if (typeof key === 'string') secret.kmsKeyId = key === '' ? undefined : key;
  return { ARN: secret.arn, Name: secret.name };
}

function replicateSecretToRegions(input: Input, scene: Scene): object {
  const secret = findLive(input, scene);
  addReplicas(scene.store, secret, input);
  return { ARN: secret.arn, ...describeReplicas(secret) };
}

function removeRegionsFromReplication(input: Input, scene: Scene): object {
  const secret = findLive(input, scene);
  removeReplicas(secret, input);
  return { ARN: secret.arn, ...describeReplicas(secret) };
}

function putSecretValue(input: Input, scene: Scene): object {
  const content = contentOf(input);
  if (!content) throw refusals.invalidParameter('You must provide either SecretString or SecretBinary.');
  const token = tokenOf(input);
  const secret = findLive(input, scene);
  const version = addVersion(secret, { token, content, now: scene.store.now(), isLimited: isLimited(scene) });
  return { ARN: secret.arn, Name: secret.name, VersionId: version.id, VersionStages: version.stages };
}

function isReadFromCopy({ call }: Scene): boolean {
  return call.takeFault('stale-read') !== undefined;
}

function getSecretValue(input: Input, scene: Scene): object {
  const secret = findForRead(input, scene);
  if (secret.deletedAt !== null) throw refusals.markedForDeletion();
  const isStale = isReadFromCopy(scene);
  if (isStale && secret.versions.size < 2) throw refusals.notFound();
  const stage = (input['VersionStage'] as string | undefined) ?? (isStale ? 'AWSPREVIOUS' : 'AWSCURRENT');
  const version = versionAt(secret, stage);
  if (!version) throw refusals.noSuchVersion(stage);
  return {
    ARN: secret.arn,
    Name: secret.name,
    VersionId: version.id,
    VersionStages: version.stages,
    CreatedDate: toSeconds(version.createdAt),
    ...(version.content.binary === undefined
      ? { SecretString: version.content.text }
      : { SecretBinary: version.content.binary }),
  };
}

function describe(secret: Secret, tags: Map<string, string>): object {
  const stages = [...secret.versions.values()].filter((version) => version.stages.length > 0);
  return {
    ARN: secret.arn,
    Name: secret.name,
    Description: secret.description,
    KmsKeyId: secret.kmsKeyId,
    ...describeReplicas(secret),
    CreatedDate: toSeconds(secret.createdAt),
    LastChangedDate: toSeconds(secret.changedAt),
    ...(secret.deletedAt === null ? {} : { DeletedDate: toSeconds(secret.deletedAt) }),
    Tags: toTagList(tags),
    VersionIdsToStages: Object.fromEntries(stages.map((version) => [version.id, version.stages])),
  };
}

function describeSecret(input: Input, scene: Scene): object {
  const secret = findForRead(input, scene);
  if (!isReadFromCopy(scene)) return describe(secret, secret.tags);
  if (secret.versions.size < 2) throw refusals.notFound();
  return describe(secret, secret.tagsBefore);
}

function deleteSecret(input: Input, scene: Scene): object {
  const { store, call } = scene;
  const isForced = input['ForceDeleteWithoutRecovery'] === true;
  const days = input['RecoveryWindowInDays'] as number | undefined;
  if (isForced && days !== undefined)
    throw refusals.invalidParameter(
      "You can't use ForceDeleteWithoutRecovery in conjunction with RecoveryWindowInDays.",
    );
  if (days !== undefined && (days < 7 || days > 30))
    throw refusals.invalidParameter(
      'The RecoveryWindowInDays value must be between 7 and 30 days (inclusive).',
    );

  const now = store.now();
  if (isForced && !lookUp(input, scene)) return { Name: secretIdOf(input), DeletionDate: toSeconds(now) };
  const secret = isForced ? find(input, scene) : findLive(input, scene);
  if (secret.replicas.size > 0)
    throw refusals.stillReplicated(secretIdOf(input), [...secret.replicas.keys()]);
  secret.deletedAt ??= now;
  if (!isForced) {
    secret.purgeAt = now + (days ?? 30) * DAY_MS;
    return { ARN: secret.arn, Name: secret.name, DeletionDate: toSeconds(secret.purgeAt) };
  }
  const hidden = call.takeFault('force-delete-hidden');
  const lag = hidden ?? call.takeFault('force-delete-lag');
  secret.purgeAt = now + (lag?.delayMs ?? 0);
  secret.forced = hidden ? 'hidden' : 'visible';
  if (!lag) store.drop(secret);
  return { ARN: secret.arn, Name: secret.name, DeletionDate: toSeconds(now) };
}

function restoreSecret(input: Input, scene: Scene): object {
  const secret = find(input, scene);
  if (secret.forced !== 'no') throw refusals.notFound();
  secret.deletedAt = null;
  secret.purgeAt = Infinity;
  return { ARN: secret.arn, Name: secret.name };
}

function tagResource(input: Input, scene: Scene): object {
  const secret = findLive(input, scene);
  const tags = new Map([...secret.tags, ...tagsOf(input)]);
  checkTagCount(tags, false);
  secret.tagsBefore = secret.tags;
  secret.tags = tags;
  return {};
}

function untagResource(input: Input, scene: Scene): object {
  const secret = findLive(input, scene);
  secret.tagsBefore = secret.tags;
  secret.tags = new Map(secret.tags);
  for (const key of (input['TagKeys'] ?? []) as string[]) secret.tags.delete(key);
  return {};
}

function listSecrets(input: Input, { store, region }: Scene): object {
  const size = (input['MaxResults'] as number | undefined) ?? 100;
  const from = Number(input['NextToken'] ?? 0);
  const isPlannedIncluded = input['IncludePlannedDeletion'] === true;
  const all = store
    .all()
    .filter((secret) => secret.region === region && secret.forced !== 'hidden')
    .filter((secret) => secret.deletedAt === null || isPlannedIncluded);
  const page = all.slice(from, from + size).map((secret) => describe(secret, secret.tags));
  return { SecretList: page, ...(from + size < all.length ? { NextToken: String(from + size) } : {}) };
}

/** The fake's operations of the API, by their name in `X-Amz-Target`. */
export const operations: Record<string, Operation> = {
  CreateSecret: createSecret,
  PutSecretValue: putSecretValue,
  UpdateSecret: updateSecret,
  ReplicateSecretToRegions: replicateSecretToRegions,
  RemoveRegionsFromReplication: removeRegionsFromReplication,
  GetSecretValue: getSecretValue,
  DescribeSecret: describeSecret,
  DeleteSecret: deleteSecret,
  RestoreSecret: restoreSecret,
  TagResource: tagResource,
  UntagResource: untagResource,
  ListSecrets: listSecrets,
};
