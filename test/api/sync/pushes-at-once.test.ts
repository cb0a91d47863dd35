import { expect } from 'chai';
import type { Answer, Client } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { cloud1Settings, cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../../support/sandboxed.ts';
import { noWait, putSecret, set } from './support.ts';

type Call = (client: Client, path: string) => Promise<Answer>;

const SECRET = { mount: 'secret', secret_name: 'app' };
const setMany: Call = (client, path) =>
  client.post(`${path}/associations/set-many`, { secrets: [SECRET, { ...SECRET, secret_name: 'other' }] });
const disable: Call = (client) => client.patch('/v1/sys/sync/config', { disabled: true });
const retrigger: Call = (client, path) => set(client, path, 'app');
const remove: Call = (client, path) => client.post(`${path}/associations/remove`, SECRET, noWait);

/** Every call that makes associations due; `first`: what must be done before. The secret `app` is linked. */
const calls: { name: string; first?: Call[]; call: Call }[] = [
  { name: 'POST …/associations/set of a new link', first: [remove], call: retrigger },
  { name: 'POST …/associations/set of a known link', call: retrigger },
  { name: 'POST …/associations/set-many', call: setMany },
  { name: 'POST …/associations/remove', call: remove },
  {
    name: 'POST …/associations/remove-many',
    call: (client, path) => client.post(`${path}/associations/remove-many`, { all: true }),
  },
  {
    name: 'POST …/associations/retry',
    call: (client, path) => client.post(`${path}/associations/retry`, {}),
  },
  { name: 'POST {mount}/data', call: (client) => client.post('/v1/secret/data/app', { data: { a: '2' } }) },
  {
    name: 'PATCH {mount}/data',
    call: (client) => client.patch('/v1/secret/data/app', { data: { b: '2' } }),
  },
  { name: 'DELETE {mount}/data', call: (client) => client.delete('/v1/secret/data/app') },
  {
    name: 'POST {mount}/delete',
    call: (client) => client.post('/v1/secret/delete/app', { versions: [1] }),
  },
  {
    name: 'POST {mount}/undelete',
    first: [(client) => client.delete('/v1/secret/data/app')],
    call: (client) => client.post('/v1/secret/undelete/app', { versions: [1] }),
  },
  {
    name: 'POST {mount}/destroy',
    call: (client) => client.post('/v1/secret/destroy/app', { versions: [1] }),
  },
  { name: 'DELETE {mount}/metadata', call: (client) => client.delete('/v1/secret/metadata/app') },
  {
    name: 'POST …/{type}/{name}',
    call: (client, path) =>
      client.post(path, { ...cloud1Settings(), secret_name_template: 'new/{{ .SecretPath }}' }),
  },
  {
    name: 'PATCH …/{type}/{name}',
    call: (client, path) => client.patch(path, { custom_tags: { team: 'web' } }),
  },
  { name: 'DELETE …/{type}/{name}?purge=true', call: (client, path) => client.delete(`${path}?purge=true`) },
  {
    name: 'POST /sys/remount',
    first: [
      (client, path) => client.patch(path, { secret_name_template: '{{ .MountPath }}/{{ .SecretPath }}' }),
    ],
    call: (client) => client.post('/v1/sys/remount', { from: 'secret', to: 'moved' }),
  },
  {
    name: 'PATCH /sys/sync/config',
    first: [disable, retrigger],
    call: (client) => client.patch('/v1/sys/sync/config', { disabled: false }),
  },
  {
    name: 'DELETE /sys/sync/config',
    first: [disable, retrigger],
    call: (client) => client.delete('/v1/sys/sync/config'),
  },
];

describe('changes and the worker that is told of them', () => {
  let scene: Cloud1Scene;

  beforeEach(async () => {
    // A sweep would find the work, but only after ten minutes.
    scene = await openCloud1Scene({ environment: { SWEEP_INTERVAL: '600000' } });
    await scene.sealift.start('worker', cloud1Worker(scene.fake));
    // A process that is not connected yet can notify nobody.
    await eventually(() => scene.sealift.context.broker.ready);
    for (const name of ['app', 'other']) await putSecret(scene.sealift.client, name);
    await set(scene.sealift.client, scene.driver.path, 'app');
    await settled();
  });
  afterEach(() => scene.close());

  // The generations of the associations, once none has work left.
  async function settled(): Promise<Record<number, number>> {
    return eventually(async () => {
      const rows: { id: number; generation: number; isIdle: boolean }[] = await scene.sealift.context
        .db('associations')
        .orderBy('id')
        .select(
          'id',
          'generation',
          scene.sealift.context.db.raw(
            'generation = synced_generation AND lease_token IS NULL AND NOT coalesce(due_at <= now(), false) AS "isIdle"',
          ),
        );
      expect(rows.filter(({ isIdle }) => !isIdle)).to.deep.equal([]);
      return Object.fromEntries(rows.map(({ id, generation }) => [id, generation]));
    });
  }

  async function carryOut(call: Call): Promise<void> {
    const answer = await call(scene.sealift.client, scene.driver.path);
    expect(answer.status, answer.text).to.be.oneOf([200, 204]);
  }

  for (const { name, first = [], call } of calls) {
    it(`${name} is pushed without waiting for a sweep`, async () => {
      const before = await settled();
      for (const step of first) await carryOut(step);
      if (!first.includes(disable)) await settled();
      await carryOut(call);
      expect(await settled()).to.not.deep.equal(before);
    });
  }
});
