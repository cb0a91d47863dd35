import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../../support/sandboxed.ts';
import { expectOk } from './support.ts';

describe('a paused destination with changes in the store', () => {
  let scene: Cloud1Scene;

  beforeEach(async () => {
    scene = await openCloud1Scene();
    await scene.sealift.start('worker', cloud1Worker(scene.fake));
    scene.fake.plant({ name: 'taken', value: 'of somebody else' });
    for (const name of ['one', 'two', 'taken']) {
      await scene.driver.write(name, { user: 'app' });
      await scene.driver.associate(name);
      await scene.driver.settles(name, name === 'taken' ? 'CLIENT_SIDE_ERROR' : 'SYNCED');
    }
    const entry = scene.fake.entries().find(({ name }) => name === 'one');
    scene.fake.plant({ ...entry, name: 'one', value: 'a-foreign-value' });
    await call('verify', 'one');
    await post('pause', { until });
  });

  afterEach(() => scene.close());

  const until = new Date(Date.now() + 3_600_000).toISOString();
  const body = (secret_name: string) => ({ mount: 'secret', secret_name });
  const post = async (what: string, more: object) =>
    expectOk(await scene.sealift.client.post(`${scene.driver.path}/${what}`, more));
  const call = (verb: string, secret: string, more: object = {}) =>
    post(`associations/${verb}`, { ...body(secret), ...more });
  const summary = async () => expectOk(await scene.sealift.client.get('/v1/sys/sync/summary'));
  const rowOf = async (name: string) => {
    const { rows } = expectOk(await scene.sealift.client.get(`${scene.driver.path}/associations/rows`));
    return rows.find(({ secret_name: found }: { secret_name: string }) => found === name);
  };
  const planned = async (
    more: object,
  ): Promise<Record<string, { action: string; reason: string | null }>> => {
    const { secrets } = await post('plan', { ...more, look: true });
    return Object.fromEntries(
      secrets.map((one: { secret_name: string; planned: unknown[] }) => [one.secret_name, one.planned[0]]),
    );
  };
  const value = (name: string) => scene.fake.entries().find((one) => one.name === name)?.value;
  const resume = async (): Promise<void> => {
    await post('resume', {});
    await eventually(async () => expect((await summary()).by_status).to.have.all.keys('SYNCED'));
  };

  it('a new value that waits says that it writes again what someone deleted in the store', async () => {
    scene.fake.discard('two');
    await call('verify', 'two');
    expect(await rowOf('two'))
      .to.include({ sync_status: 'DRIFTED' })
      .and.not.to.have.property('waiting');
    await scene.driver.write('two', { user: 'next' });
    expect((await rowOf('two')).waiting).to.include({ cause: 'write', recreates: true });
    const path = `${scene.driver.path}/associations/rows?waiting=true`;
    const { rows } = expectOk(await scene.sealift.client.get(path));
    expect(rows.map((one: { secret_name: string }) => one.secret_name)).to.deep.equal(['two']);
    await call('remove', 'two');
    expect((await rowOf('two')).waiting).not.to.have.property('recreates');
  });

  it('a change in the store stays in sight, whatever waits there', async () => {
    expect(await rowOf('one')).to.include({ sync_status: 'DRIFTED', next_attempt_at: null });
    const { cause, since } = await rowOf('one');
    for (const ask of [
      () => scene.driver.write('one', { user: 'next' }),
      () => call('set', 'one'),
      () => call('remove', 'one'),
    ]) {
      await ask();
      const row = await rowOf('one');
      expect(row).to.deep.include({ sync_status: 'DRIFTED', next_attempt_at: until, cause, since });
      expect(row.entries_in_sync).to.equal(0);
      expect(row.waiting.overwrites_drift).to.equal(true);
      const [record] = await scene.driver.records('one');
      expect(record?.sync_status).to.equal('DRIFTED');
      expect(Date.parse(record?.next_attempt_at ?? '')).to.equal(Date.parse(until));
      const { by_status: counts, problems } = await summary();
      expect(counts).to.deep.equal({ DRIFTED: 1, CLIENT_SIDE_ERROR: 1, SYNCED: 1 });
      expect(problems).to.have.length(2);
      const { incidents } = expectOk(await scene.sealift.client.get('/v1/sys/sync/incidents?open=true'));
      expect(incidents.map(({ cause: { code } }: { cause: { code: string } }) => code)).to.include(
        cause.code,
      );
    }
  });

  it('a retry leaves what is being unlinked so, and its plan says that it is deleted', async () => {
    await call('remove', 'one');
    const retry = { filter: { cause: 'changed_outside' }, conflict_policy: 'overwrite' };
    expect((await planned(retry))['one']).to.include({ action: 'delete' });
    expect((await planned(retry))['one']?.reason).to.contain('that change would be lost');
    expect(
      await post('associations/retry', { cause: 'changed_outside', conflict_policy: 'overwrite' }),
    ).to.deep.equal({ retried: 1 });
    expect((await rowOf('one')).waiting).to.include({ cause: 'unlink', decision: null });
    const chosen = { secrets: [body('one'), body('two'), body('never')], only_linked: true };
    const { secrets } = await post('plan', chosen);
    expect(secrets.map(({ error }: { error: string | null }) => error)).to.deep.equal([
      'the secret is being unlinked from this destination',
      null,
      'the secret is not associated with this destination',
    ]);
    // To sync it is to link it again.
    expect((await planned({ secrets: [body('one')] }))['one']).to.include({ action: 'overwrite' });
    await call('set', 'taken', { conflict_policy: 'adopt' });
    await resume();
    expect(value('one')).to.equal(undefined);
  });

  it('a plan of a retry says what is done by a decision that waits', async () => {
    const retry = { filter: { cause: 'conflict' } };
    expect((await planned(retry))['taken']).to.include({ action: 'conflict' });
    await call('set', 'taken', { conflict_policy: 'overwrite' });
    expect((await planned(retry))['taken']).to.include({ action: 'overwrite' });
    expect((await planned({ secrets: [body('taken')] }))['taken']).to.include({ action: 'overwrite' });
    expect((await call('plan', 'taken', { look: true })).planned[0]).to.include({ action: 'conflict' });
    const decided = async () =>
      (await summary()).problems.map((problem: { cause: { code: string }; decided: number }) => [
        problem.cause.code,
        problem.decided,
      ]);
    expect(await decided()).to.deep.include(['conflict', 1]);
    expect((await call('withdraw', 'taken')) && (await decided())).to.deep.include(['conflict', 0]);
    await call('set', 'taken', { conflict_policy: 'overwrite' });
    await post('associations/retry', { cause: 'conflict' });
    expect(await decided()).to.deep.include(['conflict', 1]);
    await call('set', 'one');
    await resume();
    expect(value('taken')).to.equal('{"user":"app"}');
  });

  it('the destinations of a secret tell of a drift, also while another failure is the cause', async () => {
    const path = '/v1/sys/sync/associations/destinations?mount=secret&secret_name=';
    const stores = async (name: string) =>
      expectOk(await scene.sealift.client.get(`${path}${name}`)).associated_destinations['cloud1-sm/prod'];
    expect(await stores('two')).not.to.have.property('drift');
    scene.fake.addFault({ kind: 'error', status: 500, operation: 'PutSecretValue' });
    await post('resume', {});
    await call('set', 'one');
    await eventually(async () => expect((await stores('one')).cause.code).to.equal('store_failed'));
    expect(await stores('one')).to.include({ drift: 'changed_outside' });
  });
});
