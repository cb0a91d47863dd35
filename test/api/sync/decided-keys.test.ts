import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../../support/sandboxed.ts';
import { expectOk, expectRefused } from './support.ts';

const THEIRS = 'of somebody else';
const OURS = { alpha: '1', beta: '2', gamma: '3' };
const SETTINGS = { granularity: 'secret-key', secret_name_template: '{{ .SecretPath }}-{{ .SecretKey }}' };

describe('a decision about the entries of some keys', () => {
  let scene: Cloud1Scene;

  beforeEach(async () => {
    scene = await openCloud1Scene({ settings: SETTINGS });
    const { sealift, driver, fake } = scene;
    await sealift.start('worker', cloud1Worker(fake));
    for (const key of ['alpha', 'beta']) fake.plant({ name: `app-${key}`, value: THEIRS });
    await driver.write('app', OURS);
    await driver.associate('app');
    await expectStates({ alpha: 'conflict', beta: 'conflict', gamma: 'SYNCED' });
  });

  afterEach(() => scene.close());

  const body = { mount: 'secret', secret_name: 'app' };
  const post = (what: string, more: object) =>
    scene.sealift.client.post(`${scene.driver.path}/${what}`, more);
  const decide = async (kind: string, keys: string[]) =>
    expectOk(await post('associations/set', { ...body, conflict_policy: kind, keys, only_seen: true }));
  const records = () => scene.driver.records('app');
  const expectStates = (states: Record<string, string>) =>
    eventually(async () => {
      const found = (await records()).map(
        ({ sub_key: key, cause, drift, sync_status: status }) =>
          [key, drift?.code ?? cause?.code ?? status] as const,
      );
      return expect(Object.fromEntries(found)).to.deep.equal(states);
    });
  const values = () =>
    Object.fromEntries(
      scene.fake.entries().map(({ name, value }) => [name.replace('app-', ''), value] as const),
    );
  const planned = async (more: object) => {
    const { secrets } = expectOk(
      await post('plan', { secrets: [body], look: true, only_seen: true, ...more }),
    );
    return Object.fromEntries(
      secrets[0].planned.map(({ sub_key: key, action }: Record<string, string>) => [key, action]),
    );
  };
  const later = () => scene.sealift.context.db('associations').update({ due_at: new Date() });

  it('a decision is carried out for its keys alone, and then no longer stands', async () => {
    expect(await planned({ conflict_policy: 'overwrite', keys: ['alpha'] })).to.deep.equal({
      alpha: 'overwrite',
      beta: 'conflict',
      gamma: 'unchanged',
    });
    await decide('overwrite', ['alpha']);
    await expectStates({ alpha: 'SYNCED', beta: 'conflict', gamma: 'SYNCED' });
    expect(values()).to.deep.equal({ alpha: '1', beta: THEIRS, gamma: '3' });
    for (const record of await records()) expect(record).not.to.have.property('decision');
    await decide('adopt', ['beta']);
    await expectStates({ alpha: 'SYNCED', beta: 'SYNCED', gamma: 'SYNCED' });
    const { history } = expectOk(
      await scene.sealift.client.get(
        `${scene.driver.path}/associations/history?mount=secret&secret_name=app`,
      ),
    );
    const actions = history.map(({ sub_key: key, action, outcome }: Record<string, string>) =>
      [key, action, outcome].join(' '),
    );
    expect(actions).to.include.members([
      'alpha overwrite SYNCED',
      'beta create CLIENT_SIDE_ERROR',
      'beta replace SYNCED',
    ]);
    expect(actions).not.to.include('beta overwrite CLIENT_SIDE_ERROR');
  });

  it('a decision stands for its keys while the store fails, also once a version is saved', async () => {
    const { fake, driver, sealift } = scene;
    fake.addFault({ kind: 'error', status: 503 });
    await decide('overwrite', ['beta']);
    await eventually(async () =>
      expect((await records())[1]?.decision).to.deep.include({ kind: 'overwrite', keys: ['beta'] }),
    );
    await driver.write('app', { ...OURS, beta: 'newer' });
    await eventually(async () => expect((await records())[1]?.cause?.code).to.equal('store_failed'));
    await sealift.context.db('associations').update({ due_at: '2999-01-01T00:00:00Z' });
    fake.clearFaults();
    expect(await planned({})).to.deep.include({ alpha: 'conflict', beta: 'overwrite' });
    await later();
    // A call that failed may still take effect, so it is confirmed only later.
    await expectStates({ alpha: 'conflict', beta: 'SYNCING', gamma: 'SYNCED' });
    expect(values()).to.deep.equal({ alpha: THEIRS, beta: 'newer', gamma: '3' });
    for (const record of await records()) expect(record).not.to.have.property('decision');
  });

  it('a change of another key in the store is left, also by the attempts that follow', async () => {
    const { fake } = scene;
    fake.plant({ name: 'app-gamma', value: 'by hand' });
    const alone = { conflict_policy: 'overwrite', keys: ['alpha'] };
    expect(await planned(alone)).to.include({ gamma: 'unchanged' });
    await decide('overwrite', ['alpha']);
    await expectStates({ alpha: 'SYNCED', beta: 'conflict', gamma: 'SYNCED' });
    expectOk(await post('associations/verify', body));
    await expectStates({ alpha: 'SYNCED', beta: 'conflict', gamma: 'changed_outside' });
    fake.discard('app-alpha');
    fake.plant({ name: 'app-alpha', value: THEIRS });
    expectOk(await post('associations/verify', body));
    expect(await planned(alone)).to.include({ gamma: 'unchanged' });
    await decide('overwrite', ['beta']);
    await expectStates({ alpha: 'changed_outside', beta: 'SYNCED', gamma: 'changed_outside' });
    expect(values()).to.deep.equal({ alpha: THEIRS, beta: '2', gamma: 'by hand' });
    fake.discard('app-beta');
    fake.plant({ name: 'app-beta', value: THEIRS });
    expectOk(await post('associations/verify', body));
    await decide('overwrite', ['alpha']);
    await eventually(() => expect(values()['alpha']).to.equal('1'));
    await later();
    await expectStates({ alpha: 'SYNCED', beta: 'changed_outside', gamma: 'changed_outside' });
    expect(values()).to.deep.equal({ alpha: '1', beta: THEIRS, gamma: 'by hand' });
    for (const record of await records()) expect(record).not.to.have.property('decision');
  });

  it('a pause says for which keys a decision waits, and whether it overwrites a change', async () => {
    const { fake } = scene;
    fake.plant({ name: 'app-gamma', value: 'by hand' });
    expectOk(await post('associations/verify', body));
    await expectStates({ alpha: 'conflict', beta: 'conflict', gamma: 'changed_outside' });
    expectOk(await post('pause', {}));
    await decide('adopt', ['alpha']);
    const waiting = async () => (await records())[0]?.waiting;
    expect(await waiting()).to.deep.include({ decision: 'adopt', keys: ['alpha'], overwrites_drift: false });
    await decide('adopt', ['gamma']);
    expect(await waiting()).to.deep.include({ keys: ['gamma'], overwrites_drift: true });
    await decide('adopt', ['alpha']);
    expectOk(await post('resume', {}));
    await expectStates({ alpha: 'SYNCED', beta: 'conflict', gamma: 'changed_outside' });
    expect(values()).to.deep.equal({ alpha: '1', beta: THEIRS, gamma: 'by hand' });
  });

  it('no worker of the version before takes a decision about one key for one about all', async () => {
    const { db } = scene.sealift.context;
    expectOk(await post('pause', {}));
    const kept = async () => (await db('associations').first('trigger')).trigger;
    await decide('overwrite', ['beta']);
    expect(await kept())
      .to.include({ cause: 'overwrite' })
      .and.not.to.have.property('decision');
    await scene.driver.write('app', { ...OURS, beta: 'newer' });
    expect(await kept())
      .to.include({ cause: 'write' })
      .and.not.to.have.property('decision');
    await decide('adopt', ['beta']);
    expectOk(await post('resume', {}));
    await expectStates({ alpha: 'conflict', beta: 'SYNCED', gamma: 'SYNCED' });
  });

  it('a decision that is made while linking holds for its keys', async () => {
    expectOk(await post('associations/remove', body));
    await eventually(async () => expect(await records()).to.deep.equal([]));
    await decide('overwrite', ['beta']);
    await expectStates({ alpha: 'conflict', beta: 'SYNCED', gamma: 'SYNCED' });
    expect(values()).to.deep.equal({ alpha: THEIRS, beta: '2', gamma: '3' });
  });

  it('keys that the secret does not have, or without a decision, are refused', async () => {
    const set = (more: object) => post('associations/set', { ...body, ...more });
    expect(expectRefused(await set({ keys: ['alpha'] }), 400)).to.contain('keys needs conflict_policy');
    const decision = { conflict_policy: 'adopt' };
    expect(expectRefused(await set({ ...decision, keys: ['delta'] }), 400)).to.contain(
      'the secret app has no key delta',
    );
    expect(expectRefused(await set({ ...decision, keys: [] }), 400)).to.contain('keys');
    expectOk(
      await scene.driver.patch({ granularity: 'secret-path', secret_name_template: '{{ .SecretPath }}' }),
    );
    expect(expectRefused(await set({ ...decision, keys: ['alpha'] }), 400)).to.contain(
      'writes the whole secret as one entry',
    );
  });
});
