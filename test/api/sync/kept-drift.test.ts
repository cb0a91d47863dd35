import { expect } from 'chai';
import type { AttemptAnswer } from '../../../services/api/contract/associations.ts';
import { eventually } from '../../support/eventually.ts';
import { cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../../support/sandboxed.ts';
import { readColumns } from '../../attack/tables.ts';
import { expectOk } from './support.ts';

describe('what was changed in a store by somebody else', () => {
  let scene: Cloud1Scene;

  beforeEach(async () => {
    scene = await openCloud1Scene();
    await scene.sealift.start('worker', cloud1Worker(scene.fake));
    for (const name of ['one', 'two']) {
      await scene.driver.write(name, { user: 'app' });
      await scene.driver.associate(name);
      await scene.driver.settles(name, 'SYNCED');
    }
  });

  afterEach(() => scene.close());

  const body = (secret_name: string) => ({ mount: 'secret', secret_name });
  const call = async (verb: string, secret: string) =>
    expectOk(await scene.sealift.client.post(`${scene.driver.path}/associations/${verb}`, body(secret)));
  const summary = async () => expectOk(await scene.sealift.client.get('/v1/sys/sync/summary'));
  const rows = async (query = '') =>
    expectOk(await scene.sealift.client.get(`${scene.driver.path}/associations/rows${query}`)).rows;
  const recordOf = async (secret: string) => (await scene.driver.records(secret))[0];
  // Changes the value like somebody who edits the entry: it stays the same entry.
  const change = (name: string, value: string): void => {
    const entry = scene.fake.entries().find((one) => one.name === name);
    scene.fake.plant({ ...entry, name, value });
  };

  it('a difference that was found is kept, and nothing says that it is in sync', async () => {
    change('one', 'a-foreign-value');
    expect((await recordOf('one'))?.sync_status).to.equal('SYNCED');
    expect((await call('verify', 'one')).entries[0].state).to.equal('drifted');
    const record = await recordOf('one');
    expect(record).to.deep.include({ sync_status: 'DRIFTED' });
    expect(record?.cause?.code).to.equal('changed_outside');
    expect(record?.drift?.written)
      .to.match(/^[0-9a-f]{12}$/)
      .and.not.equal(record?.drift?.found);
    expect(record?.drift?.found).to.match(/^[0-9a-f]{12}$/);
    expect(Date.parse(record?.drift?.since ?? '')).to.be.closeTo(Date.now(), 60_000);

    const { by_status: counts, problems } = await summary();
    expect(counts).to.deep.equal({ DRIFTED: 1, SYNCED: 1 });
    expect(problems[0]).to.deep.include({ sync_status: 'DRIFTED', count: 1, scope: 'association' });
    expect(problems[0].cause.code).to.equal('changed_outside');
    expect(problems[0].since).to.be.a('string');
    const [drifted, synced] = await rows();
    expect(drifted).to.include({ sync_status: 'DRIFTED', entries: 1, entries_in_sync: 0 });
    expect(synced).to.include({ sync_status: 'SYNCED', entries_in_sync: 1 });
    expect(
      (await rows('?status=DRIFTED')).map((row: { secret_name: string }) => row.secret_name),
    ).to.deep.equal(['one']);
    expect(await rows('?cause=changed_outside')).to.have.length(1);
    expect(await rows('?status=SYNCED')).to.have.length(1);
    for await (const { place, bytes } of readColumns(scene.sealift.context.db))
      expect(bytes.includes('a-foreign-value'), place).to.equal(false);
  });

  it('a problem is as old as the drift that is left of it', async () => {
    const values = scene.fake.entries();
    for (const name of ['one', 'two']) {
      change(name, 'a-foreign-value');
      await call('verify', name);
    }
    scene.fake.plant({ ...values.find(({ name }) => name === 'one'), name: 'one' });
    await call('verify', 'one');
    const { problems } = await summary();
    expect(problems[0].count).to.equal(1);
    const since = (await recordOf('two'))?.drift?.since ?? '';
    expect(problems[0].since).to.equal(new Date(since).toISOString());
  });

  it('the next push writes it again, though the secret is the same', async () => {
    change('one', 'a-foreign-value');
    await call('verify', 'one');
    expect((await call('plan', 'one')).planned[0].action).to.equal('overwrite');
    expect((await call('plan', 'two')).planned[0].action).to.equal('unchanged');
    await call('set', 'one');
    await scene.driver.settles('one', 'SYNCED');
    expect(scene.fake.entries().find(({ name }) => name === 'one')?.value).to.equal('{"user":"app"}');
    expect((await recordOf('one'))?.drift).to.equal(null);
    expect((await summary()).by_status).to.deep.equal({ SYNCED: 2 });
  });

  it('a push that the store failed leaves it known, whether it was carried out or not', async () => {
    change('one', 'a-foreign-value');
    await call('verify', 'one');
    const before = (await recordOf('one'))?.drift;
    for (const [fault, code, written] of [
      [{ kind: 'denied' }, 'permission_missing', before?.written],
      [{ kind: 'error', status: 500 }, 'store_failed', null],
    ] as const) {
      scene.fake.addFault({ ...fault, operation: 'PutSecretValue' });
      await call('set', 'one');
      await eventually(async () => expect((await recordOf('one'))?.cause?.code).to.equal(code));
      expect((await recordOf('one'))?.drift, code).to.deep.equal({ ...before, written });
      scene.fake.clearFaults();
    }
    await call('set', 'one');
    await eventually(async () => expect((await recordOf('one'))?.drift).to.equal(null));
  });

  it('a change of the destination leaves it as it is, and says so before', async () => {
    change('one', 'a-foreign-value');
    await call('verify', 'one');
    const destination = { conflict_policy: 'adopt', deletion_policy: 'retain' };
    const { path } = scene.driver;
    const plan = expectOk(await scene.sealift.client.post(`${path}/plan`, { destination, look: true }));
    expect(plan.totals).to.deep.equal({ unchanged: 2 });
    expect(plan.secrets[0].planned[0].reason).to.match(/it is left as it is$/);
    const before = (await recordOf('one'))?.drift;
    expectOk(await scene.sealift.client.patch(path, destination));
    const { db } = scene.sealift.context;
    await eventually(async () => {
      const pushed = db('associations').whereRaw(`trigger ->> 'cause' = 'destination'`);
      return (await pushed.whereRaw('synced_generation = generation')).length === 2;
    });
    expect((await summary()).by_status).to.deep.equal({ DRIFTED: 1, SYNCED: 1 });
    expect(scene.fake.entries().find(({ name }) => name === 'one')?.value).to.equal('a-foreign-value');
    expect((await recordOf('one'))?.drift).to.deep.equal(before);

    const tags = { destination: { custom_tags: { team: 'x' } }, look: true };
    expect(expectOk(await scene.sealift.client.post(`${path}/plan`, tags)).totals).to.include({
      overwrite: 1,
    });
    await scene.driver.write('one', { user: 'next' });
    await scene.driver.settles('one', 'SYNCED');
    expect(scene.fake.entries().find(({ name }) => name === 'one')?.value).to.equal('{"user":"next"}');
  });

  it('a plan of a retry says whose change would be lost', async () => {
    change('one', 'a-foreign-value');
    await call('verify', 'one');
    const filter = { cause: 'changed_outside' };
    const plan = expectOk(await scene.sealift.client.post(`${scene.driver.path}/plan`, { filter }));
    expect(plan.totals).to.deep.equal({ overwrite: 1 });
    expect(plan.secrets).to.have.length(1);
    expect(plan.secrets[0]).to.include({ secret_name: 'one' });
    expect(plan.secrets[0].planned[0].reason).to.contain('someone changed this entry');
    const value = scene.fake.entries().find(({ name }) => name === 'one')?.value;
    expect(value).to.equal('a-foreign-value');
  });

  it('a plan of unlinking names the entries that would be deleted or kept', async () => {
    const plan = async (more: object) =>
      expectOk(await scene.sealift.client.post(`${scene.driver.path}/plan`, { unlink: true, ...more }));
    expect((await plan({})).totals).to.deep.equal({ delete: 2 });
    const one = await plan({ secrets: [body('one')] });
    expect(one.secrets[0].planned[0]).to.include({ external_name: 'one', action: 'delete' });
    expect((await plan({ secrets: [body('never')] })).totals).to.deep.equal({});
    await scene.driver.patch({ deletion_policy: 'retain' });
    expect((await plan({ filter: { q: 'two' } })).totals).to.deep.equal({ retain: 1 });
    const both = { unlink: true, destination: { deletion_policy: 'delete' } };
    expect((await scene.sealift.client.post(`${scene.driver.path}/plan`, both)).status).to.equal(400);
    expect(scene.fake.entries()).to.have.length(2);
  });

  it('a plan of unlinking or renaming says whose change would be lost with the entry', async () => {
    change('one', 'a-foreign-value');
    await call('verify', 'one');
    const plan = async (more: object) =>
      expectOk(await scene.sealift.client.post(`${scene.driver.path}/plan`, more)).secrets[0].planned[0];
    const unlinked = await plan({ unlink: true, secrets: [body('one')] });
    expect(unlinked).to.include({ action: 'delete' });
    expect(unlinked.reason).to.contain('someone changed this entry');
    expect((await plan({ unlink: true, secrets: [body('two')] })).reason).to.equal(null);
    const renamed = await plan({ secrets: [{ ...body('one'), secret_name_template: 'other' }] });
    expect(renamed).to.include({ action: 'rename', former_name: 'one' });
    expect(renamed.reason).to.contain('someone changed this entry');
    // Also while the store gives no answer.
    scene.fake.addFault({ kind: 'error', status: 503 });
    const unseen = await plan({ unlink: true, secrets: [body('one')], look: true });
    expect(unseen).to.deep.equal(unlinked);
    scene.fake.clearFaults();
  });

  it('a retry by its cause writes again what was changed', async () => {
    change('one', 'a-foreign-value');
    await call('verify', 'one');
    const path = `${scene.driver.path}/associations/retry`;
    const retried = expectOk(await scene.sealift.client.post(path, { cause: 'changed_outside' }));
    expect(retried).to.deep.equal({ retried: 1 });
    await scene.driver.settles('one', 'SYNCED');
    expect(scene.fake.entries().find(({ name }) => name === 'one')?.value).to.equal('{"user":"app"}');
  });

  it('an entry that is put back outside is in sync again once somebody looks', async () => {
    change('one', 'a-foreign-value');
    await call('verify', 'one');
    const { since } = (await recordOf('one'))?.drift ?? {};
    change('one', 'another-foreign-value');
    await call('verify', 'one');
    expect((await recordOf('one'))?.drift?.since).to.equal(since);
    change('one', '{"user":"app"}');
    await call('verify', 'one');
    expect(await recordOf('one')).to.deep.include({ sync_status: 'SYNCED', cause: null, drift: null });
  });

  it('the history of a link tells once that drift was found, and who overwrote it', async () => {
    const lines = async (name: string): Promise<string[]> => {
      const query = `mount=secret&secret_name=${name}`;
      const path = `${scene.driver.path}/associations/history?${query}`;
      const { history } = expectOk(await scene.sealift.client.get(path));
      return history.map(({ action, outcome, trigger, cause }: AttemptAnswer) =>
        [action, outcome, trigger?.cause, trigger?.by, cause?.code ?? '-'].join(' '),
      );
    };
    const before = await lines('one');
    change('one', 'a-foreign-value');
    for (const value of ['another', 'a-third']) {
      await call('verify', 'one');
      change('one', value);
    }
    expect(await lines('one')).to.deep.equal(['changed DRIFTED verify  changed_outside', ...before]);
    await call('set', 'one');
    await scene.driver.settles('one', 'SYNCED');
    const [written] = await lines('one');
    expect(written).to.match(/^overwrite SYNCED overwrite \S+ -$/);
    await call('set', 'one');
    await eventually(async () => / sync \S+ -$/.test((await lines('one'))[0] ?? ''));
  });

  it('drift that somebody overwrites at once leaves an incident that says who ended it', async () => {
    const incidents = async () =>
      expectOk(await scene.sealift.client.get('/v1/sys/sync/incidents')).incidents;
    change('one', 'a-foreign-value');
    await call('verify', 'one');
    const [opened, ...others] = await incidents();
    expect(others).to.deep.equal([]);
    expect(opened).to.deep.include({ closed_at: null, associations: 1, ended: null });
    expect(opened.cause.code).to.equal('changed_outside');
    await call('set', 'one');
    await scene.driver.settles('one', 'SYNCED');
    await eventually(async () => (await incidents())[0].closed_at !== null);
    expect(await incidents()).to.have.length(1);
    expect((await incidents())[0]).to.deep.include({
      id: opened.id,
      example: body('one'),
      ended: 'person',
      ended_by: 'root',
      ended_after: { cause: 'overwrite', version: 1 },
    });
  });

  it('drift that is put right outside ends its incident once somebody looks', async () => {
    const open = async () =>
      expectOk(await scene.sealift.client.get('/v1/sys/sync/incidents?open=true')).incidents;
    change('one', 'a-foreign-value');
    await call('verify', 'one');
    expect(await open()).to.have.length(1);
    change('one', '{"user":"app"}');
    await call('verify', 'one');
    expect(await open()).to.deep.equal([]);
  });

  it('an entry that is gone is told as such, and made again by the next push', async () => {
    const { id } = await scene.sealift.context.db('associations').where({ secret_path: 'two' }).first('id');
    scene.fake.addFault({ kind: 'error', status: 400, code: 'ResourceNotFoundException', target: 'two' });
    await call('verify', 'two');
    scene.fake.clearFaults();
    expect((await recordOf('two'))?.cause?.code).to.equal('gone_outside');
    expect((await call('plan', 'two')).planned[0]).to.include({
      action: 'create',
      reason: 'someone deleted this entry in the store',
    });
    await call('set', 'two');
    await scene.driver.settles('two', 'SYNCED');
    expect(
      await scene.sealift.context.db('entries').where({ association_id: id }).first('drift'),
    ).to.deep.equal({
      drift: null,
    });
  });

  it('a push while somebody looks is not taken for a change by others', async () => {
    scene.fake.addFault({ kind: 'slow', delayMs: 700, operation: 'GetSecretValue', times: 1 });
    const looking = call('verify', 'one');
    await eventually(() => scene.fake.calls().some(({ operation }) => operation === 'GetSecretValue'));
    await scene.driver.write('one', { user: 'newer' });
    await scene.driver.settles('one', 'SYNCED');
    await looking;
    expect(await recordOf('one')).to.deep.include({ sync_status: 'SYNCED', drift: null });
  });
});
