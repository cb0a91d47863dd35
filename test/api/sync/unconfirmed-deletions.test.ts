import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../../support/sandboxed.ts';
import { expectOk } from './support.ts';

describe('an unlinking whose deletion is not confirmed', () => {
  let scene: Cloud1Scene;

  beforeEach(async () => {
    scene = await openCloud1Scene();
    await scene.sealift.start('worker', cloud1Worker(scene.fake));
    await scene.driver.write('app', { user: 'app' });
    await scene.driver.associate('app');
    await scene.driver.settles('app', 'SYNCED');
  });
  afterEach(() => scene.close());

  const body = { mount: 'secret', secret_name: 'app' };
  const post = async (what: string, more: object = body) =>
    expectOk(await scene.sealift.client.post(`${scene.driver.path}/${what}`, more));
  const verify = async () => (await post('associations/verify')).entries[0];
  const plan = async (more: object) => {
    const { secrets, look } = await post('plan', { secrets: [body], look: true, ...more });
    return { step: secrets[0].planned[0], unknown: look.unknown };
  };
  const failToDelete = async (): Promise<void> => {
    scene.fake.addFault({ kind: 'error', status: 503, operation: 'DeleteSecret' });
    await post('associations/remove');
    await eventually(async () => {
      const [record] = await scene.driver.records('app');
      return expect(record?.cause?.code).to.equal('store_failed');
    });
  };

  it('an entry that could not be deleted is still there, and the plans say what is lost', async () => {
    await failToDelete();
    expect(await verify()).to.include({ state: 'undeleted', cause: null });
    const ours = await plan({ unlink: true });
    expect(ours.unknown).to.equal(0);
    expect(ours.step).to.include({
      action: 'delete',
      reason: 'this entry is still in the store with the value of v1; its deletion is not confirmed',
    });
    const [known] = scene.fake.entries();
    scene.fake.plant({ ...known, name: 'app', value: 'of somebody else' });
    for (const [more, action] of [
      [{ unlink: true }, 'delete'],
      [{ only_seen: true }, 'update'],
    ] as const) {
      const { step, unknown } = await plan(more);
      expect(unknown).to.equal(0);
      expect(step).to.include({
        action,
        may_lose: true,
        reason:
          'this entry is still in the store; its deletion is not confirmed, and if someone changed it, that change is lost',
      });
    }
  });

  it('an entry that is gone is deleted already, and nobody is said to have deleted it', async () => {
    await failToDelete();
    scene.fake.discard('app');
    expect(await verify()).to.include({ state: 'deleted', cause: null });
    expect((await plan({ unlink: true })).step).to.include({
      action: 'unchanged',
      reason: 'this entry is deleted already, and Sealift makes sure of that',
    });
    expect((await plan({})).step).to.include({
      action: 'create',
      reason: 'this entry was deleted because the secret was unlinked',
    });
    scene.fake.clearFaults();
    await scene.sealift.context.db('associations').update({ due_at: new Date() });
    await eventually(async () => {
      const [record] = await scene.driver.records('app');
      return record?.sync_status === 'UNSYNCING';
    });
    expect(await verify()).to.include({ state: 'deleted', cause: null });
    expect((await plan({ unlink: true })).step).to.include({ action: 'unchanged' });
    const { history } = expectOk(
      await scene.sealift.client.get(
        `${scene.driver.path}/associations/history?mount=secret&secret_name=app`,
      ),
    );
    expect(history.map(({ action }: { action: string }) => action)).to.not.include('missing');
  });

  it('a pause promises no time for what is to be confirmed, and it stays unconfirmed', async () => {
    const { driver, sealift } = scene;
    await failToDelete();
    scene.fake.clearFaults();
    await sealift.context.db('associations').update({ due_at: new Date() });
    const record = async () => (await driver.records('app'))[0];
    await eventually(async () => expect((await record())?.unconfirmed).to.equal('delete'));
    expect((await record())?.sync_status).to.equal('UNSYNCING');
    expect((await record())?.next_attempt_at).to.be.a('string');
    const paused = { sync_status: 'PENDING', next_attempt_at: null };
    const expectHeld = async (): Promise<void> => {
      expect(await record()).to.deep.include({ ...paused, unconfirmed: 'delete' });
      const { rows } = expectOk(await sealift.client.get(`${driver.path}/associations/rows`));
      expect(rows[0]).to.include(paused);
      const { by_status: counts } = expectOk(await sealift.client.get('/v1/sys/sync/summary'));
      expect(counts).to.deep.equal({ PENDING: 1 });
    };
    await post('pause', {});
    await expectHeld();
    await sealift.context.db('associations').update({ due_at: new Date(0) });
    await expectHeld();
    // In this order nothing is tried meanwhile.
    await sealift.client.post('/v1/sys/sync/pause', {});
    await post('resume', {});
    await expectHeld();
    await sealift.context.db('associations').update({ due_at: '2999-01-01T00:00:00Z' });
    await expectHeld();
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await sealift.client.post('/v1/sys/sync/pause', { until });
    expect((await record())?.next_attempt_at, 'after the pause').to.match(/^2999-01-01/);
  });

  it('an unlinking that fails never counts the entry of somebody else as one to delete', async () => {
    const { driver, fake } = scene;
    const settings = {
      granularity: 'secret-key',
      secret_name_template: '{{ .SecretPath }}-{{ .SecretKey }}',
    };
    expectOk(await driver.patch(settings));
    fake.plant({ name: 'keys-beta', value: 'of somebody else' });
    await driver.write('keys', { alpha: '1', beta: '2' });
    await driver.associate('keys');
    const records = (status: string) =>
      eventually(async () => {
        const found = await driver.records('keys');
        return expect(found.map(({ sync_status: one }) => one)).to.include(status);
      });
    await records('CLIENT_SIDE_ERROR');
    fake.addFault({ kind: 'error', status: 503 });
    await driver.write('keys', { alpha: 'newer', beta: 'newer' });
    await records('EXTERNAL_SERVICE_ERROR');
    const keys = { mount: 'secret', secret_name: 'keys' };
    const planned = async (more: object) =>
      (await post('plan', { unlink: true, look: true, ...more })).secrets
        .flatMap((one: { secret_name: string; planned: object[] }) =>
          one.secret_name === 'keys' ? one.planned : [],
        )
        .map(({ sub_key: key, action, reason }: Record<string, string>) => [key, action, reason]);
    const unseen = 'the store could not be checked: AWS Secrets Manager failed on its side';
    const leaving = async (): Promise<void> => {
      const [alpha, beta] = await planned({ secrets: [keys] });
      expect(alpha?.slice(0, 2)).to.deep.equal(['alpha', 'delete']);
      expect(beta).to.deep.equal([
        'beta',
        'unchanged',
        `if it bears our mark, it is deleted; an entry of someone else stays; ${unseen}`,
      ]);
    };
    await leaving();
    await post('associations/remove', keys);
    await leaving();
    for (const more of [
      { secrets: [keys], look: false },
      { unlink: false, look: false, filter: {} },
    ])
      expect((await planned(more))[1]).to.deep.equal([
        'beta',
        'unchanged',
        'if it bears our mark, it is deleted; an entry of someone else stays',
      ]);
    fake.clearFaults();
    fake.addFault({ kind: 'error', status: 503, operation: 'DeleteSecret' });
    expect((await planned({ secrets: [keys] }))[1]).to.deep.equal([
      'beta',
      'retain',
      'this entry is not ours, so it stays in the store',
    ]);
    fake.clearFaults();
    await scene.sealift.context.db('associations').update({ due_at: new Date() });
    await eventually(() => expect(fake.entries().map(({ name }) => name)).to.not.include('keys-alpha'));
    expect(fake.entries().find(({ name }) => name === 'keys-beta')?.value).to.equal('of somebody else');
  });
});
