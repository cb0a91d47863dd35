import { type CallContext, type FakeRequest, readJson } from '../fake-server.ts';
import type { Route } from './paths.ts';
import { labelsOf, payloadOf, replicationOf, secretIdOf } from './rules.ts';
import { appendVersion, newEtag, projectNumber, type Secret, type Store, type Version } from './store.ts';
import * as refusals from './vendor-error.ts';

export type Scene = { store: Store; route: Route; request: FakeRequest; call: CallContext };
export type Operation = (scene: Scene) => object;

const NUMBERS = { ENABLED: 1, DISABLED: 2, DESTROYED: 3 };
const MOST_OF_PAGE = 25_000;
const USUAL_PAGE = 100;

const nameOf = ({ project, name }: Secret) => `projects/${projectNumber(project)}/secrets/${name}`;
const isStale = ({ call }: Scene) => call.takeFault('stale-read') !== undefined;

function find({ store, route }: Scene): Secret {
  const secret = store.find(route.project, route.secret ?? '');
  if (!secret) throw refusals.notFound(`projects/${projectNumber(route.project)}/secrets/${route.secret}`);
  return secret;
}

function present(secret: Secret, labels = secret.labels): object {
  const { replication, createdAt, etag } = secret;
  return { name: nameOf(secret), replication, createTime: createdAt.toISOString(), labels, etag };
}

// Sends enums as numbers if the client asks for that, as the SDK does.
function presentVersion(secret: Secret, version: Version, { request }: Scene): object {
  const asNumber = (request.query.get('$alt') ?? '').includes('enum-encoding=int');
  return {
    name: `${nameOf(secret)}/versions/${version.number}`,
    createTime: version.createdAt.toISOString(),
    state: asNumber ? NUMBERS[version.state] : version.state,
    etag: version.etag,
  };
}

function findVersion(scene: Scene, secret: Secret): Version {
  const { versions } = secret;
  const wanted = scene.route.version ?? '';
  const behind = isStale(scene) ? 2 : 1;
  const version = wanted === 'latest' ? versions.at(-behind) : versions[Number(wanted) - 1];
  if (!version) throw refusals.noVersion(`${nameOf(secret)}/versions/${wanted}`);
  return version;
}

function createSecret({ store, route, request }: Scene): object {
  const name = secretIdOf(request.query.get('secretId'));
  const body = readJson(request);
  const labels = labelsOf(body);
  const replication = replicationOf(body);
  const existing = store.find(route.project, name);
  if (existing) throw refusals.alreadyExists(nameOf(existing));
  const secret = store.add(route.project, name);
  return present(Object.assign(secret, { labels, labelsBefore: labels, replication }));
}

function getSecret(scene: Scene): object {
  const secret = find(scene);
  if (!isStale(scene)) return present(secret);
  if (secret.versions.length < 2) throw refusals.notFound(nameOf(secret));
  return present(secret, secret.labelsBefore);
}

function updateSecret(scene: Scene): object {
  const { request } = scene;
  if (request.query.get('updateMask') !== 'labels')
    throw refusals.invalid('Only labels can be updated here.');
  const body = readJson(request);
  const labels = labelsOf(body);
  const secret = find(scene);
  if (body['etag'] && body['etag'] !== secret.etag) throw refusals.etagMismatch();
  return present(Object.assign(secret, { labelsBefore: secret.labels, labels, etag: newEtag() }));
}

function deleteSecret(scene: Scene): object {
  scene.store.drop(find(scene));
  return {};
}

function addSecretVersion(scene: Scene): object {
  const data = payloadOf(readJson(scene.request));
  const secret = find(scene);
  return presentVersion(secret, appendVersion(secret, data), scene);
}

function accessSecretVersion(scene: Scene): object {
  const secret = find(scene);
  const version = findVersion(scene, secret);
  const name = `${nameOf(secret)}/versions/${version.number}`;
  if (version.state !== 'ENABLED') throw refusals.wrongState(name, version.state);
  return { name, payload: { data: version.data.toString('base64') } };
}

function getSecretVersion(scene: Scene): object {
  const secret = find(scene);
  return presentVersion(secret, findVersion(scene, secret), scene);
}

function setState(state: Version['state']): Operation {
  return (scene) => {
    const secret = find(scene);
    const version = findVersion(scene, secret);
    if (version.state === 'DESTROYED')
      throw refusals.wrongState(`${nameOf(secret)}/versions/${version.number}`, version.state);
    Object.assign(version, { state, etag: newEtag() });
    if (state === 'DESTROYED') version.data = Buffer.alloc(0);
    return presentVersion(secret, version, scene);
  };
}

// Newest first. The filter supports states only.
function listSecretVersions(scene: Scene): object {
  const secret = find(scene);
  const filter = scene.request.query.get('filter') ?? '';
  const states = [...filter.matchAll(/state:(\w+)/g)].map(([, state]) => state);
  const all = secret.versions
    .filter(({ state }) => states.length === 0 || states.includes(state))
    .toReversed()
    .map((version) => presentVersion(secret, version, scene));
  return { ...page(scene, all, 'versions'), totalSize: all.length };
}

function listSecrets(scene: Scene): object {
  const { project } = scene.route;
  const all = scene.store.all().filter((secret) => secret.project === project);
  return page(
    scene,
    all.toReversed().map((secret) => present(secret)),
    'secrets',
  );
}

function page({ request }: Scene, all: object[], field: string): object {
  const size = Math.min(Number(request.query.get('pageSize')) || USUAL_PAGE, MOST_OF_PAGE);
  const from = Number(request.query.get('pageToken') ?? 0);
  const rest = from + size < all.length ? { nextPageToken: String(from + size) } : {};
  return { [field]: all.slice(from, from + size), ...rest };
}

/** The fake's operations of the API, each with the permission that it needs. */
export const operations: Record<string, { permission: string; run: Operation }> = {
  CreateSecret: { permission: 'secretmanager.secrets.create', run: createSecret },
  GetSecret: { permission: 'secretmanager.secrets.get', run: getSecret },
  UpdateSecret: { permission: 'secretmanager.secrets.update', run: updateSecret },
  DeleteSecret: { permission: 'secretmanager.secrets.delete', run: deleteSecret },
  ListSecrets: { permission: 'secretmanager.secrets.list', run: listSecrets },
  AddSecretVersion: { permission: 'secretmanager.versions.add', run: addSecretVersion },
  AccessSecretVersion: { permission: 'secretmanager.versions.access', run: accessSecretVersion },
  GetSecretVersion: { permission: 'secretmanager.versions.get', run: getSecretVersion },
  ListSecretVersions: { permission: 'secretmanager.versions.list', run: listSecretVersions },
  EnableSecretVersion: { permission: 'secretmanager.versions.enable', run: setState('ENABLED') },
  DisableSecretVersion: { permission: 'secretmanager.versions.disable', run: setState('DISABLED') },
  DestroySecretVersion: { permission: 'secretmanager.versions.destroy', run: setState('DESTROYED') },
};
