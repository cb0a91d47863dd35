import { expect } from 'chai';
import type { RecordAnswer } from '../../../services/api/contract/associations.ts';
import { eventually } from '../../support/eventually.ts';
import { cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../../support/sandboxed.ts';
import { expectOk } from './support.ts';

describe('withdrawing what waits for a pause', () => {
  let scene: Cloud1Scene;

  before(async () => {
    scene = await openCloud1Scene();
    await scene.sealift.start('worker', cloud1Worker(scene.fake));
    for (const path of ['app/fine', 'app/drifted', 'app/taken', 'app/saved'])
      await scene.driver.write(path, { password: 'ours' });
    scene.fake.plant({ name: 'app/taken', value: 'of somebody else' });
    for (const path of ['app/fine', 'app/drifted', 'app/taken', 'app/saved'])
      await scene.driver.associate(path);
    for (const path of ['app/fine', 'app/drifted', 'app/saved']) await scene.driver.settles(path, 'SYNCED');
    await scene.driver.settles('app/taken', 'CLIENT_SIDE_ERROR');
    const [drifted] = scene.fake.entries().filter(({ name }) => name === 'app/drifted');
    scene.fake.plant({ ...drifted, name: 'app/drifted', value: 'changed outside' });
    await post('verify', 'app/drifted');
    await scene.sealift.client.post(`${scene.driver.path}/pause`, {});
  });
  after(() => scene.close());

  const post = (what: string, secret_name: string, more: object = {}) =>
    scene.sealift.client.post(`${scene.driver.path}/associations/${what}`, {
      mount: 'secret',
      secret_name,
      ...more,
    });

  const read = async (path: string): Promise<RecordAnswer> => {
    const { body } = await scene.sealift.client.get(
      `${scene.driver.path}/associations?mount=secret&secret_name=${path}`,
    );
    const [record] = Object.values(body.data.associated_secrets as Record<string, RecordAnswer>);
    if (!record) throw new Error(`${path} is not linked`);
    return { ...record, updated_at: '' };
  };

  const ASKED: [secret: string, call: string, body: object, waits: string][] = [
    ['app/drifted', 'set', {}, 'overwrite'],
    ['app/drifted', 'set', { conflict_policy: 'overwrite' }, 'overwrite'],
    ['app/drifted', 'remove', {}, 'unlink'],
    ['app/taken', 'set', { conflict_policy: 'overwrite' }, 'overwrite'],
    ['app/taken', 'set', { conflict_policy: 'adopt' }, 'adopt'],
    ['app/taken', 'set', { secret_name_template: 'app/free' }, 'rename'],
    ['app/taken', 'remove', {}, 'unlink'],
    ['app/fine', 'set', {}, 'sync'],
    ['app/fine', 'set', { secret_name_template: 'app/other' }, 'rename'],
    ['app/fine', 'remove', {}, 'unlink'],
  ];

  it('the destinations of a secret say what waits there, and that it is being unlinked', async () => {
    for (const [secret, call, body, waits] of ASKED) {
      expect((await post(call, secret, body)).status).to.equal(200);
      const { waiting } = await read(secret);
      const path = `/v1/sys/sync/associations/destinations?mount=secret&secret_name=${secret}`;
      const { associated_destinations: found } = expectOk(await scene.sealift.client.get(path));
      const { [`cloud1-sm/prod`]: shown } = found as Record<
        string,
        Pick<RecordAnswer, 'waiting' | 'unlinking'>
      >;
      expect(shown?.waiting, `${call} ${secret}`).to.deep.equal(waiting);
      expect(shown?.waiting?.cause).to.equal(waits);
      expect(shown?.unlinking).to.equal(call === 'remove' ? true : undefined);
      await post('withdraw', secret);
    }
  });

  it('whatever was asked for can be withdrawn, and the link is again as it was', async () => {
    for (const [secret, call, body, waits] of ASKED) {
      const before = await read(secret);
      expect((await post(call, secret, body)).status).to.equal(200);
      expect((await read(secret)).waiting, `${call} ${secret}`).to.include({
        cause: waits,
        withdrawable: true,
      });
      const { status, text } = await post('withdraw', secret);
      expect(status, text).to.equal(200);
      expect(await read(secret), `${call} ${secret}`).to.deep.equal(before);
      expect((await post('withdraw', secret)).status).to.equal(409);
    }
  });

  it('two demands, one after the other, are withdrawn together', async () => {
    const before = await read('app/drifted');
    await post('set', 'app/drifted');
    await post('remove', 'app/drifted');
    await post('withdraw', 'app/drifted');
    expect(await read('app/drifted')).to.deep.equal(before);
  });

  it('a decision that outlasts a new value is withdrawn alone, and the value still waits', async () => {
    await post('set', 'app/taken', { conflict_policy: 'overwrite' });
    await scene.driver.write('app/taken', { password: 'newer' });
    expect((await read('app/taken')).waiting).to.deep.equal({
      cause: 'overwrite',
      by: 'root',
      decision: 'overwrite',
      withdrawable: true,
      overwrites_drift: false,
      spares_changes: false,
    });
    expect((await post('withdraw', 'app/taken')).status).to.equal(200);
    expect((await read('app/taken')).waiting).to.deep.equal({
      cause: 'write',
      by: 'root',
      decision: null,
      withdrawable: false,
      overwrites_drift: false,
    });
  });

  it('another name that waits is told and can be withdrawn, whatever is saved after it', async () => {
    const before = await read('app/fine');
    await post('set', 'app/fine', { secret_name_template: 'app/other' });
    for (const next of [
      () => scene.driver.write('app/fine', { password: 'newer' }),
      () => post('set', 'app/fine'),
      () => scene.sealift.client.post(`${scene.driver.path}/associations/retry`, {}),
    ]) {
      await next();
      expect((await read('app/fine')).waiting).to.deep.equal({
        cause: 'rename',
        by: 'root',
        decision: null,
        withdrawable: true,
        overwrites_drift: false,
      });
    }
    expectOk(await post('withdraw', 'app/fine'));
    const { waiting, secret_name_template: template } = await read('app/fine');
    expect(template).to.equal(before.secret_name_template);
    expect(waiting).to.include({ cause: 'write' });
  });

  it('a retry of many links, or syncing many, leaves what was decided about each', async () => {
    await post('set', 'app/taken', { conflict_policy: 'adopt' });
    for (const [call, body] of [
      ['retry', {}],
      ['set-many', { secrets: [{ mount: 'secret', secret_name: 'app/taken' }] }],
    ] as const) {
      expectOk(await scene.sealift.client.post(`${scene.driver.path}/associations/${call}`, body));
      expect((await read('app/taken')).waiting, call).to.include({ decision: 'adopt', withdrawable: true });
    }
    for (const path of ['app/taken', 'app/fine', 'app/drifted', 'app/saved']) await post('withdraw', path);
  });

  it('a new value that waits is written although what was asked for after it is withdrawn', async () => {
    await scene.driver.write('app/saved', { password: 'newer' });
    const before = await read('app/saved');
    await post('set', 'app/saved', { conflict_policy: 'overwrite' });
    await post('withdraw', 'app/saved');
    expect(await read('app/saved')).to.deep.equal(before);
  });

  it('a link whose secret is saved while its end waits still tells that it will be unlinked', async () => {
    await scene.driver.write('app/gone', { password: 'ours' });
    await scene.driver.associate('app/gone');
    await post('remove', 'app/gone');
    await scene.driver.write('app/gone', { password: 'newer' });
    expect((await read('app/gone')).waiting).to.deep.equal({
      cause: 'unlink',
      by: 'root',
      decision: null,
      withdrawable: true,
      overwrites_drift: false,
    });
  });

  it('a pause that ends carries out nothing that was withdrawn', async () => {
    await scene.sealift.client.post(`${scene.driver.path}/resume`, {});
    const value = (path: string) => scene.fake.entries().find(({ name }) => name === path)?.value;
    await eventually(() => expect(value('app/saved')).to.include('newer'));
    expect(value('app/drifted')).to.equal('changed outside');
    expect(value('app/taken')).to.equal('of somebody else');
    const names = scene.fake.entries().map(({ name }) => name);
    expect(names.filter((name) => name !== 'app/gone')).to.have.members([
      'app/drifted',
      'app/fine',
      'app/saved',
      'app/taken',
    ]);
    expect((await read('app/drifted')).sync_status).to.equal('DRIFTED');
  });

  it('an unlink that the store could not carry out is told while it waits for a pause', async () => {
    scene.fake.addFault({ kind: 'error', status: 503 });
    await post('remove', 'app/saved');
    await eventually(async () => expect((await read('app/saved')).attempts).to.be.greaterThan(0));
    await scene.sealift.client.post(`${scene.driver.path}/pause`, {});
    await eventually(async () =>
      expect((await read('app/saved')).waiting).to.deep.equal({
        cause: 'unlink',
        by: 'root',
        decision: null,
        withdrawable: false,
        overwrites_drift: false,
      }),
    );
    scene.fake.clearFaults();
    await scene.sealift.client.post(`${scene.driver.path}/resume`, {});
  });

  it('nothing can be withdrawn that a worker has begun, or that nobody asked for', async () => {
    scene.fake.addFault({ kind: 'error', status: 500 });
    await post('set', 'app/fine');
    await scene.driver.settles('app/fine', 'EXTERNAL_SERVICE_ERROR');
    expect((await post('withdraw', 'app/fine')).status).to.equal(409);
    scene.fake.clearFaults();
    await post('set', 'app/fine');
    await scene.driver.settles('app/fine', 'SYNCED');
    expect((await post('withdraw', 'app/fine')).status).to.equal(409);
    expect((await post('withdraw', 'app/nothing')).status).to.equal(404);
    const { db } = scene.sealift.context;
    expect(await db('associations').whereRaw(`trigger -> 'before' IS NOT NULL`)).to.deep.equal([]);
  });
});
