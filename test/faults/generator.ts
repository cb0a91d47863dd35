import { setTimeout as sleep } from 'node:timers/promises';
import { changeSettings, rotateKeys } from './administration.ts';
import type { DestinationModel, SecretModel } from './model.ts';
import { kindOf } from './kinds.ts';
import { pause, perform, type Stage } from './stage.ts';
import { dataOf, templateOf } from './values.ts';

/**
 * Runs one actor per secret, one per destination, two for the administration and one for `disabled`. Resolves when all
 * operations are decided.
 */
export async function runActors(stage: Stage): Promise<void> {
  const { model, random } = stage;
  await Promise.all([
    ...model.secrets.map((secret) => actOnSecret({ ...stage, random: random.fork(secret.path) }, secret)),
    ...model.destinations.map((one) => actOnDestination({ ...stage, random: random.fork(one.name) }, one)),
    changeSettings({ ...stage, random: random.fork('settings') }),
    rotateKeys({ ...stage, random: random.fork('keys') }),
    toggle({ ...stage, random: random.fork('disabled') }),
  ]);
}

async function actOnSecret(stage: Stage, secret: SecretModel): Promise<void> {
  const { random } = stage;
  while (stage.running()) {
    const live = secret.versionsIn('live');
    const deleted = secret.versionsIn('deleted');
    const destination = random.pick(stage.model.destinations);
    const kind = random.next();
    if (secret.current === 0 || kind < 0.45) await write(stage, secret);
    else if (kind < 0.55 && live[0] === secret.current) await patch(stage, secret);
    else if (kind < 0.63 && live.length > 0) await change(stage, secret, 'delete', random.pick(live));
    else if (kind < 0.73 && deleted.length > 0) await change(stage, secret, 'undelete', random.pick(deleted));
    else if (kind < 0.76 && live.length > 1) await change(stage, secret, 'destroy', random.pick(live));
    else if (kind < 0.92 && secret.desired() !== null) await associate(stage, secret, destination);
    else if (secret.associations(destination.name).acknowledged())
      await dissociate(stage, secret, destination);
    await sleep(random.integer(stage.pauseMs));
  }
}

/** Writes the next version of a secret. */
export async function write(stage: Stage, secret: SecretModel): Promise<void> {
  await addVersion(stage, secret, { method: 'POST', name: 'write' });
}

async function patch(stage: Stage, secret: SecretModel): Promise<void> {
  await addVersion(stage, secret, { method: 'PATCH', name: 'patch' });
}

// Check-and-set makes a repeat harmless: of all attempts of a write, only one can become the version.
async function addVersion(
  stage: Stage,
  secret: SecretModel,
  request: { method: string; name: string },
): Promise<void> {
  const version = secret.current + 1;
  const body = { data: dataOf(secret.path, version), options: { cas: version - 1 } };
  const path = `/v1/secret/data/${secret.path}`;
  const acknowledge = secret.begin(() => {
    secret.versions.set(version, 'live');
    secret.current = version;
  });
  const operation = { ...request, about: secret.path, path, body, accept: [200, 400] };
  const { answer, attempts } = await perform(stage, { ...operation, name: `${request.name} ${version}` });
  if (answer.status === 200 && answer.body.data.version === version) return acknowledge();
  // Refused because the version exists: an earlier attempt, whose reply was lost, has written it.
  const { answer: found } = await stage.caller.send('GET', `${path}?version=${version}`);
  const isOurs = JSON.stringify(found.body?.data?.data) === JSON.stringify(dataOf(secret.path, version));
  if (isOurs && attempts > 1) return acknowledge();
  stage.anomalies.push(
    `${secret.path}: ${request.name} ${version} was answered ${answer.status} ${answer.text}`,
  );
  secret.withdraw(version);
}

async function change(
  stage: Stage,
  secret: SecretModel,
  name: 'delete' | 'undelete' | 'destroy',
  version: number,
): Promise<void> {
  const state = { delete: 'deleted', undelete: 'live', destroy: 'destroyed' } as const;
  const acknowledge = secret.begin(() => secret.versions.set(version, state[name]));
  const { attempts } = await perform(stage, {
    about: secret.path,
    name: `${name} ${version}`,
    method: 'POST',
    path: `/v1/secret/${name}/${secret.path}`,
    body: { versions: [version] },
    accept: [204],
  });
  acknowledge();
  // An attempt without a reply may be carried out a moment later, while an opposite one would already run.
  if (attempts > 1) await sleep(500);
}

async function associate(stage: Stage, secret: SecretModel, destination: DestinationModel): Promise<void> {
  const timeline = secret.associations(destination.name);
  const before = timeline.acknowledged();
  const acknowledge = timeline.begin(true);
  const { answer, attempts } = await perform(stage, {
    ...association(secret, destination, 'set'),
    accept: [200, 400],
  });
  acknowledge();
  // While former names wait for their removal, the store has no room for more entries.
  if (answer.status === 400 && /at most \d+ entries/.test(answer.text)) timeline.begin(before)();
  else if (answer.status === 400)
    stage.anomalies.push(`${secret.path}: set ${destination.name} was refused: ${answer.text}`);
  if (attempts > 1) await sleep(500);
}

async function dissociate(stage: Stage, secret: SecretModel, destination: DestinationModel): Promise<void> {
  const acknowledge = secret.associations(destination.name).begin(false);
  const { answer, attempts } = await perform(stage, {
    ...association(secret, destination, 'remove'),
    accept: [200, 204, 400, 404],
  });
  // Already gone: that is only possible if an earlier attempt of this actor removed it.
  if (answer.status >= 400 && attempts === 1)
    stage.anomalies.push(`${secret.path}: remove from ${destination.name} was refused: ${answer.text}`);
  acknowledge();
  if (attempts > 1) await sleep(500);
}

function association(secret: SecretModel, { type, name }: DestinationModel, verb: 'set' | 'remove') {
  return {
    about: secret.path,
    name: `${verb} ${name}`,
    method: 'POST',
    path: `/v1/sys/sync/destinations/${type}/${name}/associations/${verb}`,
    body: { mount: 'secret', secret_name: secret.path },
  };
}

async function actOnDestination(stage: Stage, destination: DestinationModel): Promise<void> {
  const { random } = stage;
  const { type, name } = destination;
  while (stage.running()) {
    await pause(stage, 2000 + random.integer(20 * stage.pauseMs));
    if (!stage.running()) return;
    const round = destination.round + 1;
    const acknowledge = destination.rounds.begin(round);
    const tags = kindOf(type).hasTags ? { custom_tags: { round: String(round) } } : {};
    await perform(stage, {
      about: name,
      name: `rename ${name} to round ${round}`,
      method: 'PATCH',
      path: `/v1/sys/sync/destinations/${type}/${name}`,
      body: { secret_name_template: templateOf(type, name, round), ...tags },
      accept: [200],
    });
    acknowledge();
  }
}

async function toggle(stage: Stage): Promise<void> {
  while (stage.running()) {
    await pause(stage, 3000 + stage.random.integer(30 * stage.pauseMs));
    if (!stage.running()) return;
    await stage.syncing.pause(stage.random.integer(1000));
  }
}
