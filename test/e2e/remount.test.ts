import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { cloud1Settings, cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../support/sandboxed.ts';

describe('the move of a mount', () => {
  let scene: Cloud1Scene;
  let client: Client;

  before(async () => {
    scene = await openCloud1Scene({ environment: { BATCH_ROWS: '2' } });
    ({ client } = scene.sealift);
    await scene.sealift.start('worker', cloud1Worker(scene.fake));
  });
  after(() => scene.close());

  const move = (from: string, to: string, options = {}) =>
    client.post('/v1/sys/remount', { from, to }, options);
  const make = async (path: string): Promise<void> => {
    const answer = await client.post(`/v1/sys/mounts/${path}`, { type: 'kv-v2' });
    expect(answer.status, answer.text).to.equal(204);
  };
  const associate = async (mount: string, count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1) {
      await client.post(`/v1/${mount}/data/${mount}-${index}`, { data: { index } });
      const body = { mount, secret_name: `${mount}-${index}` };
      const answer = await client.post(`${scene.driver.path}/associations/set`, body);
      expect(answer.status, answer.text).to.equal(200);
    }
  };
  const namesOutside = (): string[] =>
    scene.fake
      .entries()
      .map(({ name }) => name)
      .toSorted();
  const writeCalls = (): number =>
    scene.fake.calls().filter(({ operation }) => /^(Create|Put|Update|Delete)/.test(operation)).length;

  it('a moved mount keeps its secrets, its associations and the names outside', async () => {
    await make('one');
    await associate('one', 5);
    await eventually(() => namesOutside().length === 5);
    const calls = writeCalls();
    const answer = await move('one', 'deep/two');
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.body.warnings).to.equal(null);
    expect((await client.get('/v1/deep/two/data/one-0')).body.data.data).to.deep.equal({ index: 0 });
    expect((await client.get('/v1/one/data/one-0')).status).to.be.oneOf([403, 404]);
    const records = await scene.driver.records('one-0');
    expect(records).to.have.length(1);
    expect(records[0]).to.include({ mount: 'deep/two', sync_status: 'SYNCED', external_name: 'one-0' });
    expect(writeCalls()).to.equal(calls);
    await client.post('/v1/deep/two/data/one-0', { data: { index: 'new' } });
    await eventually(() => scene.fake.entries().some(({ value }) => value === '{"index":"new"}'));
  });

  it('entries whose template names the mount get their new names, and the answer says how many', async () => {
    const configured = await scene.driver.configure({
      ...cloud1Settings(),
      secret_name_template: '{{ .MountPath }}/{{ .SecretPath }}',
    });
    expect(configured.status, configured.text).to.equal(200);
    await make('three');
    await associate('three', 5);
    await eventually(() => namesOutside().filter((name) => name.startsWith('three/')).length === 5);
    const answer = await move('three', 'four');
    expect(answer.body.warnings?.join()).to.include('5 associations get other external names');
    await eventually(() => namesOutside().filter((name) => name.startsWith('four/')).length === 5);
    await eventually(() => !namesOutside().some((name) => name.startsWith('three/')));
  });

  it('the status of a move is told until the mount moves again', async () => {
    await make('five');
    const first = (await move('five', 'six')).body.data.migration_id;
    const status = (id: string) => client.get(`/v1/sys/remount/status/${id}`);
    expect((await status(first)).body.data).to.deep.equal({
      migration_id: first,
      migration_info: { source_mount: 'five/', target_mount: 'six/', status: 'success' },
    });
    const second = (await move('six/', '/seven/')).body.data.migration_id;
    expect((await status(second)).body.data.migration_info.source_mount).to.equal('six/');
    expect((await status(first)).status).to.equal(404);
    expect((await status('no-uuid')).status).to.equal(404);
  });

  it('a move to a taken path, to a reserved path or of a missing mount is refused', async () => {
    await make('eight');
    await make('nine');
    const refused = async (from: string, to: string): Promise<string> => {
      const answer = await move(from, to);
      expect(answer.status, answer.text).to.equal(400);
      return answer.body.errors[0];
    };
    expect(await refused('eight', 'nine')).to.equal('path is already in use at nine/');
    expect(await refused('eight', 'nine/below')).to.equal('path is already in use at nine/');
    expect(await refused('eight', 'sys/x')).to.include('reserved');
    expect(await refused('nothing', 'ten')).to.equal('No secret engine mount at nothing/');
    expect((await move('eight', 'eight/below')).status).to.equal(200);
  });

  it('a mount without associations moves to another namespace, one with associations does not', async () => {
    await client.post('/v1/sys/namespaces/team', {});
    await make('free');
    await client.post('/v1/free/data/a', { data: { a: 1 } });
    expect((await move('free', 'team/free')).status).to.equal(200);
    const read = await client.get('/v1/free/data/a', { headers: { 'x-namespace': 'team' } });
    expect(read.body.data.data).to.deep.equal({ a: 1 });
    await make('bound');
    await associate('bound', 1);
    const answer = await move('bound', 'team/bound');
    expect(answer.status).to.equal(400);
    expect(answer.body.errors[0]).to.include('have 1 association with');
  });

  it('a move needs sudo on sys/remount and rights on both paths', async () => {
    await make('ten');
    const rules = (targets: object): object => ({
      path: { 'sys/remount': { capabilities: ['update', 'sudo'] }, ...targets },
    });
    const full = {
      'sys/mounts/ten': { capabilities: ['delete'] },
      'sys/mounts/eleven': { capabilities: ['create'] },
    };
    const cases: [object, number][] = [
      [{ path: { 'sys/remount': { capabilities: ['update'] }, ...full } }, 403],
      [rules({ 'sys/mounts/ten': full['sys/mounts/ten'] }), 403],
      [rules({ 'sys/mounts/eleven': full['sys/mounts/eleven'] }), 403],
      [rules(full), 200],
    ];
    for (const [policy, status] of cases) {
      await client.post('/v1/sys/policies/acl/mover', policy);
      const made = await client.post('/v1/auth/token/create', { policies: ['mover'] });
      const answer = await move('ten', 'eleven', { token: made.body.auth.client_token });
      expect(answer.status, JSON.stringify(policy)).to.equal(status);
    }
  });
});
