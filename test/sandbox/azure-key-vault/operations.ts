import type { CallContext, FakeReply, FakeRequest } from '../fake-server.ts';
import { contentTypeOf, inputOf, tagsOf, valueOf } from './rules.ts';
import type { Secret, Store, Version } from './store.ts';
import * as refusals from './vendor-error.ts';

/** `version` is empty if the path names none. */
export type Scene = {
  store: Store;
  call: CallContext;
  request: FakeRequest;
  name: string;
  version: string;
  vaultUrl: string;
  isPurgeProtected: boolean;
};

type Operation = { permission: string; run: (scene: Scene) => FakeReply };

const toSeconds = (ms: number) => Math.floor(ms / 1000);
const current = (secret: Secret): Version | undefined => secret.versions.at(-1);

function describe({ vaultUrl }: Scene, secret: Secret, version: Version): Record<string, unknown> {
  return {
    id: `${vaultUrl}/secrets/${secret.name}/${version.id}`,
    ...(version.contentType === undefined ? {} : { contentType: version.contentType }),
    attributes: {
      enabled: version.enabled,
      created: toSeconds(version.createdAt),
      updated: toSeconds(version.updatedAt),
      recoveryLevel: 'Recoverable+Purgeable',
      recoverableDays: 90,
    },
    tags: version.tags,
  };
}

function describeDeleted(scene: Scene, secret: Secret): Record<string, unknown> {
  const version = current(secret);
  return {
    recoveryId: `${scene.vaultUrl}/deletedsecrets/${secret.name}`,
    deletedDate: toSeconds(secret.deletedAt),
    scheduledPurgeDate: toSeconds(secret.purgeAt),
    ...(version ? describe(scene, secret, version) : {}),
  };
}

function ok(body: object): FakeReply {
  return { status: 200, headers: refusals.vendorHeaders(), body };
}

// While the vault deletes or recovers a secret, calls find it neither live nor deleted.
function findLive({ store, name }: Scene): Secret {
  const secret = store.find(name);
  if (secret?.phase !== 'live') throw refusals.secretNotFound(name);
  return secret;
}

function findDeleted({ store, name }: Scene): Secret {
  const secret = store.find(name);
  if (secret?.phase !== 'deleted') throw refusals.deletedSecretNotFound(name);
  return secret;
}

function refuseUnsettled(secret: Secret): void {
  if (secret.phase === 'deleting' || secret.phase === 'purging') throw refusals.beingDeleted(secret.name);
  if (secret.phase === 'recovering') throw refusals.beingRecovered(secret.name);
}

function setSecret(scene: Scene): FakeReply {
  const input = inputOf(scene.request);
  const content = { value: valueOf(input), contentType: contentTypeOf(input), tags: tagsOf(input) ?? {} };
  const present = scene.store.find(scene.name);
  if (present) refuseUnsettled(present);
  if (present?.phase === 'deleted') throw refusals.deletedButRecoverable(present.name);
  const secret = present ?? scene.store.add(scene.name);
  const version = scene.store.addVersion(secret, {
    enabled: input.attributes?.enabled !== false,
    ...content,
  });
  return ok({ value: version.value, ...describe(scene, secret, version) });
}

function getSecret(scene: Scene): FakeReply {
  const secret = findLive(scene);
  const isStale = scene.call.takeFault('stale-read') !== undefined;
  const wanted = isStale ? secret.versions.at(-2) : current(secret);
  const version = scene.version === '' ? wanted : secret.versions.find(({ id }) => id === scene.version);
  if (!version) throw refusals.secretNotFound(scene.name);
  if (!version.enabled) throw refusals.disabled();
  return ok({ value: version.value, ...describe(scene, secret, version) });
}

function updateSecret(scene: Scene): FakeReply {
  const input = inputOf(scene.request);
  const secret = findLive(scene);
  const version = secret.versions.find(({ id }) => id === scene.version);
  if (!version) throw refusals.secretNotFound(`${scene.name}/${scene.version}`);
  version.tags = tagsOf(input) ?? version.tags;
  version.contentType = contentTypeOf(input) ?? version.contentType;
  version.updatedAt = scene.store.now();
  return ok(describe(scene, secret, version));
}

function deleteSecret(scene: Scene): FakeReply {
  const secret = scene.store.find(scene.name);
  if (!secret || secret.phase === 'deleted') throw refusals.secretNotFound(scene.name);
  refuseUnsettled(secret);
  const lag = scene.call.takeFault('deletion-lag');
  scene.store.begin(secret, 'deleting', lag?.delayMs ?? 0);
  return ok(describeDeleted(scene, secret));
}

function recoverDeletedSecret(scene: Scene): FakeReply {
  const present = scene.store.find(scene.name);
  if (present) refuseUnsettled(present);
  const secret = findDeleted(scene);
  const lag = scene.call.takeFault('recovery-lag');
  scene.store.begin(secret, 'recovering', lag?.delayMs ?? 0);
  const version = current(secret);
  return ok(version ? describe(scene, secret, version) : {});
}

function purgeDeletedSecret(scene: Scene): FakeReply {
  const present = scene.store.find(scene.name);
  if (present) refuseUnsettled(present);
  const secret = findDeleted(scene);
  if (scene.isPurgeProtected) throw refusals.purgeProtected();
  const lag = scene.call.takeFault('purge-lag');
  scene.store.begin(secret, 'purging', lag?.delayMs ?? 0);
  return { status: 204, headers: refusals.vendorHeaders() };
}

/** The fake's operations of the API, by the SDK's names. */
export const operations: Record<string, Operation> = {
  SetSecret: { permission: 'set', run: setSecret },
  GetSecret: { permission: 'get', run: getSecret },
  UpdateSecret: { permission: 'set', run: updateSecret },
  DeleteSecret: { permission: 'delete', run: deleteSecret },
  GetDeletedSecret: { permission: 'get', run: (scene) => ok(describeDeleted(scene, findDeleted(scene))) },
  RecoverDeletedSecret: { permission: 'recover', run: recoverDeletedSecret },
  PurgeDeletedSecret: { permission: 'purge', run: purgeDeletedSecret },
};
