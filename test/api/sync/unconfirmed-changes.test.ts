import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { openLinkedScene, type Cloud1Scene } from '../../support/sandboxed.ts';
import { expectOk } from './support.ts';

const OURS = '{"user":"app"}';
const NEWER = '{"user":"next"}';
const THEIRS = 'of a colleague';

describe('what a store has in an entry after a write that failed', () => {
  let scene: Cloud1Scene;

  beforeEach(async () => {
    scene = await openLinkedScene();
    scene.fake.addFault({ kind: 'error', status: 503 });
    await scene.driver.write('one', { user: 'next' });
    await scene.driver.settles('one', 'EXTERNAL_SERVICE_ERROR');
    await postpone();
    scene.fake.clearFaults();
  });

  afterEach(() => scene.close());

  // However slow the test is, its next try is not due.
  const postpone = () => scene.sealift.context.db('associations').update({ due_at: '2999-01-01T00:00:00Z' });
  const body = { mount: 'secret', secret_name: 'one' };
  const post = async (what: string, more: object = body) =>
    expectOk(await scene.sealift.client.post(`${scene.driver.path}/${what}`, more));
  const change = (to: string): void => {
    const [known] = scene.fake.entries();
    scene.fake.plant({ ...known, name: 'one', value: to });
  };
  const verified = async () => (await post('associations/verify')).entries[0];
  const record = async () => (await scene.driver.records('one'))[0];
  const planned = async () => (await post('plan', { secrets: [body], look: true })).secrets[0].planned[0];

  it('a value of somebody else is told as such, and the retry that replaces it says so', async () => {
    change(THEIRS);
    expect(await verified()).to.include({ state: 'drifted', cause: null });
    expect((await record())?.drift).to.include({ code: 'changed_outside', written: null, foreign: false });
    expect(await planned()).to.include({
      action: 'overwrite',
      reason: 'someone changed this entry in the store, and that change would be lost',
    });
    await scene.sealift.context.db('associations').update({ due_at: new Date() });
    await eventually(() => expect(scene.fake.entries()[0]?.value).to.equal(NEWER));
    const path = `${scene.driver.path}/associations/history?mount=secret&secret_name=one`;
    await eventually(async () => {
      const { history } = expectOk(await scene.sealift.client.get(path));
      return expect(history[0]).to.include({ action: 'overwrite' });
    });
  });

  it('a value that a push of ours can have written is none', async () => {
    for (const value of [OURS, NEWER]) {
      change(value);
      const { state, cause } = await verified();
      expect([state, cause.code], value).to.deep.equal(['unknown', 'write_unconfirmed']);
      expect((await record())?.drift).to.equal(null);
      expect(await planned()).to.include({ action: 'update', reason: null });
    }
  });

  it('nothing is told of a value where a version is destroyed that may have been written', async () => {
    scene.fake.addFault({ kind: 'error', status: 503 });
    await scene.driver.write('one', { user: 'last' });
    await scene.driver.settles('one', 'EXTERNAL_SERVICE_ERROR');
    await scene.sealift.client.post('/v1/secret/destroy/one', { versions: [2] });
    await postpone();
    scene.fake.clearFaults();
    change(THEIRS);
    const { state, cause } = await verified();
    expect([state, cause.code]).to.deep.equal(['unknown', 'write_unconfirmed']);
  });
});
