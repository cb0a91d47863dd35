import { expect } from 'chai';
import { runNow, startMaintenance } from '../../key-maintenance/support.ts';
import { eventually } from '../../support/eventually.ts';
import { cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../../support/sandboxed.ts';
import { expectOk } from './support.ts';

describe('the history of a link whose attempt had to wait', () => {
  let scene: Cloud1Scene;

  beforeEach(async () => {
    scene = await openCloud1Scene();
    await scene.sealift.start('worker', cloud1Worker(scene.fake));
    for (const path of ['one', 'two']) {
      await scene.driver.write(path, { v: 1 });
      await scene.driver.associate(path);
      await scene.driver.settles(path, 'SYNCED');
    }
  });

  afterEach(() => scene.close());

  const post = async (what: string, more: object = {}) =>
    expectOk(await scene.sealift.client.post(`${scene.driver.path}/${what}`, more));
  const history = async (path: string) => {
    const query = `associations/history?mount=secret&secret_name=${path}`;
    return expectOk(await scene.sealift.client.get(`${scene.driver.path}/${query}`)).history;
  };
  // It counts as due for a while.
  const age = (seconds: number) =>
    scene.sealift.context.db('associations').update({
      trigger: scene.sealift.context.db.raw(
        `trigger || jsonb_build_object('at', (trigger -> 'at')::bigint - ${seconds})`,
      ),
    });
  const isWritten = (path: string, version: number) =>
    eventually(async () => expect((await history(path))[0]).to.include({ version, outcome: 'SYNCED' }));
  const ends = () =>
    eventually(async () => {
      const { incidents } = expectOk(await scene.sealift.client.get('/v1/sys/sync/incidents'));
      const [incident] = incidents;
      expect(incident?.closed_at).to.be.a('string');
      return incident;
    });

  it('an attempt at once says nothing of that', async () => {
    for (const line of await history('one')) expect(line).not.to.have.property('waited');
  });

  it('an attempt that a pause held back says since when, whichever was paused', async () => {
    for (const [index, [pause, resume]] of [
      [`${scene.driver.path}/pause`, `${scene.driver.path}/resume`],
      ['/v1/sys/sync/pause', '/v1/sys/sync/resume'],
    ].entries()) {
      expectOk(await scene.sealift.client.post(String(pause), {}));
      const before = Date.now();
      await scene.driver.write('one', { v: index + 2 });
      await age(60);
      expectOk(await scene.sealift.client.post(String(resume), {}));
      await isWritten('one', index + 2);
      const [{ waited, trigger }] = await history('one');
      expect(waited.for).to.equal('paused');
      expect(Date.parse(waited.since)).to.be.within(before - 62_000, Date.now() - 59_000);
      expect(trigger).to.deep.equal({ cause: 'write', by: 'root' });
    }
  });

  it('an attempt that waited for a failing destination says so, and no person ended that', async () => {
    const { fake, driver, sealift } = scene;
    fake.addFault({ kind: 'revoked' });
    await driver.write('two', { v: 2 });
    await eventually(async () =>
      expect((await history('two'))[0].cause?.code).to.equal('credentials_refused'),
    );
    await driver.write('one', { v: 2 });
    await age(60);
    // From now on the incident tells of the one that waits.
    const maintenance = await startMaintenance(sealift);
    await runNow(maintenance, 'note-incidents');
    fake.clearFaults();
    await post('check');
    await isWritten('one', 2);
    const [{ waited }] = await history('one');
    expect(waited.for).to.equal('credentials_refused');
    const ended = await ends();
    expect(JSON.stringify(ended.example)).to.contain('one');
    expect(ended).to.deep.include({
      ended: 'itself',
      ended_by: null,
      ended_after: { cause: 'schedule', version: 2 },
    });
  });

  it('an attempt that waited for a rate limit says so', async () => {
    const { fake, driver } = scene;
    fake.addFault({ kind: 'throttle', retryAfterSeconds: 3, times: 1 });
    await driver.write('one', { v: 2 });
    await eventually(async () => expect((await history('one'))[0].cause?.code).to.equal('rate_limited'));
    await driver.write('two', { v: 2 });
    await age(60);
    await isWritten('two', 2);
    const [{ waited }] = await history('two');
    expect(waited.for).to.equal('rate_limited');
    const story = expectOk(await scene.sealift.client.get('/v1/sys/story/secret/two'));
    expect(JSON.stringify(story)).to.contain('"for":"rate_limited"');
  });
});
