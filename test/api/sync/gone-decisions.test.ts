import { expect } from 'chai';
import type { RecordAnswer } from '../../../services/api/contract/associations.ts';
import { eventually } from '../../support/eventually.ts';
import { cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../../support/sandboxed.ts';
import { expectOk } from './support.ts';

const body = { mount: 'secret', secret_name: 'app' };

describe('asking that an entry is written again that someone deleted in the store', () => {
  let scene: Cloud1Scene;
  let ana: string;

  beforeEach(async () => {
    scene = await openCloud1Scene();
    const { client } = scene.sealift;
    const made = await client.post('/v1/auth/token/create', { policies: ['root'], display_name: 'ana' });
    ana = made.body.auth.client_token;
    await scene.sealift.start('worker', cloud1Worker(scene.fake));
    await scene.driver.write('app', { user: 'app' });
    await scene.driver.associate('app');
    await scene.driver.settles('app', 'SYNCED');
    scene.fake.discard('app');
    await post('verify');
    await scene.driver.settles('app', 'DRIFTED');
  });

  afterEach(() => scene.close());

  const post = async (what: string, token?: string) =>
    expectOk(
      await scene.sealift.client.post(
        `${scene.driver.path}/associations/${what}`,
        what === 'retry' ? {} : body,
        token === undefined ? {} : { token },
      ),
    );
  const record = async (): Promise<RecordAnswer> => {
    const [found] = await scene.driver.records('app');
    if (!found) throw new Error('it is not linked');
    return found;
  };
  const stands = (by: string) =>
    eventually(async () => expect((await record()).decision).to.deep.equal({ kind: 'recreate', by }));
  const heal = async (): Promise<void> => {
    scene.fake.clearFaults();
    await scene.sealift.context.db('associations').update({ due_at: new Date() });
    await scene.sealift.context.db('destinations').update({ throttled_until: null });
  };
  const withdraw = () => eventually(() => post('withdraw', ana));
  const isLeft = async (): Promise<void> => {
    await scene.driver.settles('app', 'DRIFTED');
    expect(scene.fake.entries()).to.deep.equal([]);
    expect(await record())
      .to.deep.include({ next_attempt_at: null })
      .and.not.have.property('decision');
    expect((await record()).cause?.code).to.equal('gone_outside');
  };

  const isWritten = (user: string) =>
    eventually(() =>
      expect(scene.fake.entries().map(({ value }) => value)).to.deep.equal([JSON.stringify({ user })]),
    );

  for (const verb of ['set', 'retry'])
    it(`${verb === 'set' ? 'a sync' : 'a retry'} that the store fails tells who asked, until it is done`, async () => {
      scene.fake.addFault({ kind: 'error', status: 503 });
      await post(verb, ana);
      await scene.driver.settles('app', 'EXTERNAL_SERVICE_ERROR');
      await stands('token-ana');
      await heal();
      await isWritten('app');
      await eventually(async () => expect(await record()).not.to.have.property('decision'));
    });

  it('withdrawing it after attempts that failed leaves the entry deleted, and says who did that', async () => {
    scene.fake.addFault({ kind: 'error', status: 503 });
    await post('set');
    await scene.driver.settles('app', 'EXTERNAL_SERVICE_ERROR');
    await withdraw();
    expect(await record()).not.to.have.property('decision');
    await heal();
    await isLeft();
    const path = `${scene.driver.path}/associations/history?mount=secret&secret_name=app`;
    const { history } = expectOk(await scene.sealift.client.get(path));
    expect(history[0]).to.deep.include({
      action: 'missing',
      trigger: { cause: 'withdraw', by: 'token-ana' },
    });
  });

  it('withdrawing it during a rate limit of the store leaves the entry deleted', async () => {
    scene.fake.addFault({ kind: 'throttle', retryAfterSeconds: 60 });
    await post('set', ana);
    await scene.driver.settles('app', 'THROTTLED');
    await stands('token-ana');
    // The second one comes before any attempt.
    for (const again of [true, false]) {
      await withdraw();
      expect(await record()).not.to.have.property('decision');
      if (again) await post('set', ana);
      if (again) await stands('token-ana');
    }
    await heal();
    await isLeft();
  });

  it('withdrawing a failed linking again leaves the entry deleted, and the secret linked', async () => {
    scene.fake.addFault({ kind: 'error', status: 503 });
    await post('remove');
    await scene.driver.settles('app', 'EXTERNAL_SERVICE_ERROR');
    await post('set', ana);
    await scene.driver.settles('app', 'EXTERNAL_SERVICE_ERROR');
    await stands('token-ana');
    await withdraw();
    expect(await record()).not.to.have.any.keys('decision', 'unlinking');
    await heal();
    await isLeft();
  });

  it('linking again says that withdrawing it unlinks, as long as nothing was tried', async () => {
    scene.fake.addFault({ kind: 'throttle', retryAfterSeconds: 60 });
    await post('remove');
    await scene.driver.settles('app', 'THROTTLED');
    await post('set', ana);
    expect((await record()).decision).to.deep.equal({
      kind: 'recreate',
      by: 'token-ana',
      withdraw_unlinks: true,
    });
    await withdraw();
    expect((await record()).unlinking).to.equal(true);
    expectOk(await scene.sealift.client.post(`${scene.driver.path}/pause`, {}));
    await post('set', ana);
    expect((await record()).waiting).to.include({ cause: 'relink', withdraw_unlinks: true });
    await withdraw();
    expect((await record()).unlinking).to.equal(true);
    expect((await record()).waiting).not.to.have.property('withdraw_unlinks');
  });

  it('a version that is saved after that is withdrawn writes the entry again', async () => {
    scene.fake.addFault({ kind: 'error', status: 503 });
    await post('set');
    await scene.driver.settles('app', 'EXTERNAL_SERVICE_ERROR');
    await withdraw();
    await scene.driver.write('app', { user: 'next' });
    await heal();
    await isWritten('next');
  });
});
