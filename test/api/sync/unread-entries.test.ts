import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { openLinkedScene, type Cloud1Scene } from '../../support/sandboxed.ts';
import { expectOk } from './support.ts';

describe('an entry that the store does not show', () => {
  let scene: Cloud1Scene;

  beforeEach(async () => {
    scene = await openLinkedScene();
    scene.fake.addFault({ kind: 'error', status: 503 });
  });

  afterEach(() => scene.close());

  const body = { mount: 'secret', secret_name: 'one' };
  const post = async (what: string, more: object) =>
    expectOk(await scene.sealift.client.post(`${scene.driver.path}/${what}`, more));

  it('a plan does not call it unchanged', async () => {
    const { totals, secrets } = await post('plan', { secrets: [body], look: true });
    expect(totals).to.deep.equal({ unknown: 1 });
    expect(secrets[0].planned[0].reason).to.match(
      /^if someone changed it, that change is lost; the store could not be checked: .*failed on its side$/,
    );
  });

  it('a verification does not say of a name in use that nothing is there', async () => {
    scene.fake.clearFaults();
    scene.fake.plant({ name: 'used', value: 'theirs' });
    await scene.driver.write('used', { user: 'app' });
    await scene.driver.associate('used');
    await scene.driver.settles('used', 'CLIENT_SIDE_ERROR');
    const verified = async () =>
      (await post('associations/verify', { ...body, secret_name: 'used' })).entries[0];
    expect(await verified()).to.include({ state: 'foreign', cause: null });
    scene.fake.addFault({ kind: 'error', status: 503 });
    const { state, cause } = await verified();
    expect({ state, code: cause.code }).to.deep.equal({ state: 'unknown', code: 'store_failed' });
  });

  it('a plan names each reason for which it could not check entries, with their number', async () => {
    scene.fake.clearFaults();
    for (const name of ['two', 'three']) {
      await scene.driver.write(name, { user: 'app' });
      await scene.driver.associate(name);
      await scene.driver.settles(name, 'SYNCED');
    }
    for (const target of ['one', 'two']) scene.fake.addFault({ kind: 'error', status: 503, target });
    scene.fake.addFault({ kind: 'denied', target: 'three' });
    const secrets = ['one', 'two', 'three'].map((name) => ({ ...body, secret_name: name }));
    const { look } = await post('plan', { secrets, look: true });
    const causes = look.causes.map(({ cause, entries }: { cause: { code: string }; entries: number }) => [
      cause.code,
      entries,
    ]);
    expect(causes).to.have.deep.members([
      ['store_failed', 2],
      ['permission_missing', 1],
    ]);
    expect(look).to.include({ unknown: 3 });
    expect(causes[0][0]).to.equal(look.cause.code);
  });

  it('a plan says what may become of an entry of someone else that it could not look for', async () => {
    await scene.driver.write('new', { user: 'app' });
    const planned = async (more: object): Promise<{ action: string; reason: string }> => {
      const secrets = [{ ...body, secret_name: 'new' }];
      return (await post('plan', { secrets, look: true, ...more })).secrets[0].planned[0];
    };
    for (const [more, end] of [
      [{}, 'it is left alone, and the link fails'],
      [{ conflict_policy: 'overwrite' }, 'its value is replaced'],
      [{ conflict_policy: 'adopt' }, 'it is adopted, and its value is replaced if it differs'],
    ] as const) {
      const { action, reason } = await planned(more);
      expect(action).to.equal('unknown');
      expect(reason).to.match(/failed on its side$/);
      expect(reason.startsWith(`if an entry of someone else has this name, ${end}; `), reason).to.equal(true);
    }
  });

  it('a plan says before and after a comparison that someone deleted the entry', async () => {
    scene.fake.clearFaults();
    scene.fake.discard('one');
    for (let round = 0; round < 2; round += 1) {
      const { secrets } = await post('plan', { secrets: [body], look: true });
      const reason = 'someone deleted this entry in the store';
      expect(secrets[0].planned[0]).to.include({ action: 'create', reason });
      await post('associations/verify', body);
    }
  });

  it('a plan still says that someone deleted the entry where the store does not tell any more', async () => {
    scene.fake.clearFaults();
    scene.fake.discard('one');
    await post('associations/verify', body);
    scene.fake.addFault({ kind: 'error', status: 503 });
    const { secrets } = await post('plan', { secrets: [body], look: true });
    const [step] = secrets[0].planned;
    expect(step.action).to.equal('unknown');
    expect(step.reason).to.match(
      /^someone deleted this entry in the store; if an entry of someone else .*; .*failed on its side$/,
    );
  });

  it('a plan of unlinking by a filter says what somebody changed, too', async () => {
    scene.fake.clearFaults();
    const [known] = scene.fake.entries();
    scene.fake.plant({ ...known, name: 'one', value: 'changed outside' });
    const { secrets } = await post('plan', { filter: { status: ['SYNCED'] }, unlink: true, look: true });
    expect(secrets[0].planned[0]).to.include({ action: 'delete' });
    expect(secrets[0].planned[0].reason).to.match(/that change would be lost$/);
  });

  it('a read that failed leaves no doubt about a write, and the next attempt looks again', async () => {
    await post('associations/set', body);
    const record = async () => (await scene.driver.records('one'))[0];
    await eventually(async () => expect((await record())?.cause?.code).to.equal('store_failed'));
    const [entry] = await scene.sealift.context.db('entries').select('value_fingerprint', 'uncertain_at');
    expect(entry.value_fingerprint).not.to.equal(null);
    expect(entry.uncertain_at).to.equal(null);
    const [known] = scene.fake.entries();
    scene.fake.plant({ ...known, name: 'one', value: 'changed outside' });
    scene.fake.clearFaults();
    await scene.driver.settles('one', 'SYNCED');
    expect(scene.fake.entries()[0]?.value).to.equal('{"user":"app"}');
    const path = `${scene.driver.path}/associations/history?mount=secret&secret_name=one`;
    const { history } = expectOk(await scene.sealift.client.get(path));
    expect(history[0]).to.include({ action: 'overwrite', outcome: 'SYNCED' });
  });
});
