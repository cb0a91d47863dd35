import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { openLinkedScene, type Cloud1Scene } from '../../support/sandboxed.ts';
import { expectOk } from './support.ts';

const OURS = '{"user":"app"}';

describe('a sync that overwrites only what was seen', () => {
  let scene: Cloud1Scene;

  beforeEach(async () => {
    scene = await openLinkedScene();
  });

  afterEach(() => scene.close());

  const body = { mount: 'secret', secret_name: 'one' };
  const post = async (what: string, more: object) =>
    expectOk(await scene.sealift.client.post(`${scene.driver.path}/${what}`, more));
  const sync = (more: object = {}) => post('associations/set', { ...body, only_seen: true, ...more });
  const record = async () => (await scene.driver.records('one'))[0];
  const value = () => scene.fake.entries()[0]?.value;
  const change = (to: string): void => {
    const [known] = scene.fake.entries();
    scene.fake.plant({ ...known, name: 'one', value: to });
  };
  const planned = async () =>
    (await post('plan', { secrets: [body], look: true, only_seen: true })).secrets[0].planned[0];
  const history = async () => {
    const path = `${scene.driver.path}/associations/history?mount=secret&secret_name=one`;
    return expectOk(await scene.sealift.client.get(path)).history;
  };

  it('a change that came after the plan stays, and the link says so', async () => {
    expect(await planned()).to.include({ action: 'unchanged', reason: null });
    change('of a colleague');
    await sync();
    await scene.driver.settles('one', 'DRIFTED');
    expect(value()).to.equal('of a colleague');
    expect((await record())?.drift?.code).to.equal('changed_outside');
    const [line] = await history();
    expect(line).to.deep.include({ action: 'changed', outcome: 'DRIFTED' });
    expect(line.trigger).to.deep.include({ cause: 'sync', by: 'root' });
    await eventually(async () => {
      const { incidents } = expectOk(await scene.sealift.client.get('/v1/sys/sync/incidents?open=true'));
      return incidents[0]?.cause.code === 'changed_outside';
    });
    const { by_status: counts } = expectOk(await scene.sealift.client.get('/v1/sys/sync/summary'));
    expect(counts).to.deep.equal({ DRIFTED: 1 });
  });

  it('a change that a plan has shown is overwritten, but none that came after it', async () => {
    change('of a colleague');
    expect(await planned()).to.include({ action: 'overwrite' });
    change('of another one');
    await sync({ conflict_policy: 'overwrite' });
    await eventually(async () => expect((await history())[0]).to.include({ action: 'changed' }));
    await scene.driver.settles('one', 'DRIFTED');
    expect(value()).to.equal('of another one');
    expect(await planned()).to.include({ action: 'overwrite' });
    await sync({ conflict_policy: 'overwrite' });
    await scene.driver.settles('one', 'SYNCED');
    expect(value()).to.equal(OURS);
    expect((await history())[0]).to.include({ action: 'overwrite', outcome: 'SYNCED' });
  });

  it('a further attempt after a failure leaves what was changed meanwhile', async () => {
    scene.fake.addFault({ kind: 'error', status: 503 });
    const { action, reason, unchecked } = await planned();
    expect({ action, unchecked }).to.deep.equal({ action: 'unchanged', unchecked: true });
    expect(reason).to.match(/^if someone changed it, that change stays; .*failed on its side$/);
    await sync();
    await eventually(async () => expect((await record())?.cause?.code).to.equal('store_failed'));
    change('of a colleague');
    scene.fake.clearFaults();
    await scene.driver.settles('one', 'DRIFTED');
    expect(value()).to.equal('of a colleague');
  });

  it('the decision says whether what someone changes while the store fails stays', async () => {
    change('of a colleague');
    await post('associations/verify', body);
    await scene.driver.settles('one', 'DRIFTED');
    for (const isNewer of [false, true]) {
      scene.fake.addFault({ kind: 'error', status: 503 });
      await sync({ conflict_policy: 'overwrite' });
      await eventually(async () => expect((await record())?.cause?.code).to.equal('store_failed'));
      if (isNewer) await scene.driver.write('one', { user: 'next' });
      await eventually(async () => expect((await record())?.decision?.spares_changes).to.equal(!isNewer));
      change('of another one');
      scene.fake.clearFaults();
      await scene.sealift.context.db('associations').update({ due_at: new Date() });
      if (!isNewer) await scene.driver.settles('one', 'DRIFTED');
      const left = isNewer ? '{"user":"next"}' : 'of another one';
      await eventually(() => expect(value()).to.equal(left));
    }
  });

  it('many at once and a retry by a filter leave it too', async () => {
    change('of a colleague');
    await post('associations/set-many', { secrets: [body], only_seen: true });
    await scene.driver.settles('one', 'DRIFTED');
    change('of another one');
    await post('associations/retry', { cause: 'changed_outside', only_seen: true });
    await eventually(async () => expect((await history())[1]).to.include({ action: 'changed' }));
    await scene.driver.settles('one', 'DRIFTED');
    expect(value()).to.equal('of another one');
  });

  it('a new version is written in any case', async () => {
    change('of a colleague');
    await post('associations/verify', body);
    await post('pause', { until: new Date(Date.now() + 3_600_000).toISOString() });
    await scene.driver.write('one', { user: 'next' });
    await sync();
    change('of another one');
    await post('resume', {});
    await scene.driver.settles('one', 'SYNCED');
    expect(value()).to.equal('{"user":"next"}');
  });

  it('a change that made it our value is no loss, so it is in sync again', async () => {
    change('of a colleague');
    await post('associations/verify', body);
    change(OURS);
    await sync();
    await scene.driver.settles('one', 'SYNCED');
    expect((await record())?.drift).to.equal(null);
  });

  it('a sync without the field overwrites whatever is there', async () => {
    change('of a colleague');
    await post('associations/set', body);
    await eventually(async () => expect((await history())[0]).to.include({ action: 'overwrite' }));
    expect(value()).to.equal(OURS);
  });
});
