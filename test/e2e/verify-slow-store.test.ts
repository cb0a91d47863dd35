import { expect } from 'chai';
import { startCloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import type { Answer } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { cloud1Settings, cloud1Worker } from '../support/sandboxed.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createSyncDriver } from '../support/sync-driver.ts';

const KEYS = 40;

describe('verification at a slow store', () => {
  let fake: Awaited<ReturnType<typeof startCloud1SmFake>>;
  let sealift: Sealift;
  const slow = () => createSyncDriver(sealift, 'cloud1-sm', 'slow');
  const verify = (): Promise<Answer> =>
    sealift.client.post(`${slow().path}/associations/verify`, { mount: 'secret', secret_name: 'many' });
  const statesOf = (answer: Answer): string[] => {
    expect(answer.status, answer.text).to.equal(200);
    return answer.body.data.entries.map(({ state }: { state: string }) => state);
  };

  before(async () => {
    fake = await startCloud1SmFake();
    sealift = await startSealift({
      // A question must still be open when a busy machine has asked ten more.
      environment: { CALL_TIMEOUT: '2000', COMMAND_TIMEOUT: '5000', LEASE: '10000' },
      workers: { connector: cloud1Worker(fake) },
    });
    await slow().configure({
      ...cloud1Settings(),
      granularity: 'secret-key',
      secret_name_template: '{{ .SecretKey }}',
    });
    await slow().write(
      'many',
      Object.fromEntries(Array.from({ length: KEYS }, (_, index) => [`k${index}`, 'x'])),
    );
    await slow().associate('many');
    await slow().settles('many', 'SYNCED');
    await createSyncDriver(sealift, 'cloud1-sm', 'sound').configure(cloud1Settings('eu-west-2'));
  });
  afterEach(() => fake.clearFaults());
  after(async () => {
    await sealift.stop();
    await fake.close();
  });

  it('verification of a store that hangs ends in time, for every entry', async () => {
    fake.addFault({ kind: 'hang', operation: 'DescribeSecret' });
    const answer = await verify();
    expect(statesOf(answer)).to.deep.equal(Array(KEYS).fill('unknown'));
    expect(answer.body.data.entries[KEYS - 1].cause).to.include({
      class: 'EXTERNAL_SERVICE_ERROR',
      code: 'timed_out',
    });
  });

  it('a check of a store that hangs says that the store did not answer in time', async () => {
    fake.addFault({ kind: 'hang' });
    const { body, text } = await sealift.client.post(`${slow().path}/check`);
    expect(body.data?.cause, text).to.include({ class: 'EXTERNAL_SERVICE_ERROR', code: 'timed_out' });
    const draft = await sealift.client.post(`${slow().path}/check`, { secret_access_key: 'another' });
    expect(draft.body.data?.cause, draft.text).to.include({
      class: 'EXTERNAL_SERVICE_ERROR',
      code: 'timed_out',
    });
  });

  it('a verification of a slow store looks as far as the time goes, and says what is unknown', async () => {
    fake.addFault({ kind: 'slow', operation: 'DescribeSecret', delayMs: 1400 });
    const states = statesOf(await verify());
    expect(states).to.have.length(KEYS);
    expect([...new Set(states)]).to.have.members(['in_sync', 'unknown']);
  });

  it('verification asks a destination one question at a time, and others are answered meanwhile', async () => {
    fake.addFault({ kind: 'hang', operation: 'DescribeSecret', target: 'k0' });
    fake.clearCalls();
    const first = verify();
    await eventually(() => fake.callsOf('DescribeSecret').length > 0);
    for (const answer of await Promise.all(Array.from({ length: 10 }, verify))) {
      expect(answer.status, answer.text).to.equal(503);
      expect(answer.text).to.contain('try again');
      expect(answer.headers['retry-after']).to.match(/^\d+$/);
    }
    const check = await sealift.client.post('/v1/sys/sync/destinations/cloud1-sm/sound/check');
    expect(check.body.data).to.include({ ok: true, cause: null });
    statesOf(await first);
  });

  it('a question that several ask at once of one destination is asked of the store once', async () => {
    fake.addFault({ kind: 'slow', operation: 'DescribeSecret', delayMs: 500 });
    fake.clearCalls();
    const checks = await Promise.all(
      Array.from({ length: 5 }, () => sealift.client.post('/v1/sys/sync/destinations/cloud1-sm/sound/check')),
    );
    for (const { body } of checks) expect(body.data).to.include({ ok: true, cause: null });
    expect(fake.callsOf('DescribeSecret')).to.have.length(1);
  });

  it('many hanging stores leave room for the questions about others', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `hanging${index}`);
    for (const name of names) {
      const driver = createSyncDriver(sealift, 'cloud1-sm', name);
      await driver.configure({
        ...cloud1Settings(),
        secret_name_template: `${name}-{{ .SecretPath }}`,
      });
      if (name === 'hanging0') await driver.write('db', { v: 1 });
      await driver.associate('db');
      await driver.settles('db', 'SYNCED');
      fake.addFault({ kind: 'hang', operation: 'DescribeSecret', target: `${name}-db` });
    }
    fake.clearCalls();
    let answered = 0;
    const answers = names.map(async (name) => {
      const { path } = createSyncDriver(sealift, 'cloud1-sm', name);
      await sealift.client.post(`${path}/associations/verify`, { mount: 'secret', secret_name: 'db' });
      answered += 1;
    });
    await eventually(() => fake.callsOf('DescribeSecret').length >= 8);
    const check = await sealift.client.post('/v1/sys/sync/destinations/cloud1-sm/sound/check');
    expect(check.body.data).to.include({ ok: true, cause: null });
    expect(answered).to.equal(0);
    await Promise.all(answers);
  });

  it('an entry that somebody deleted and made anew is called foreign, not unwritten', async () => {
    const driver = createSyncDriver(sealift, 'cloud1-sm', 'own');
    await driver.configure({ ...cloud1Settings(), secret_name_template: 'own-{{ .SecretPath }}' });
    await driver.write('replaced', { v: 1 });
    await driver.associate('replaced');
    const [record] = await driver.settles('replaced', 'SYNCED');
    const name = record?.external_name ?? '';
    const ask = async (): Promise<string[]> =>
      statesOf(
        await sealift.client.post(`${driver.path}/associations/verify`, {
          mount: 'secret',
          secret_name: 'replaced',
        }),
      );
    fake.discard(name);
    fake.plant({ name, value: 'theirs' });
    expect(await ask()).to.deep.equal(['drifted']);
    await driver.write('replaced', { v: 2 });
    await driver.settles('replaced', 'CLIENT_SIDE_ERROR');
    expect(await ask()).to.deep.equal(['foreign']);
    fake.discard(name);
    expect(await ask()).to.deep.equal(['not_written']);
  });

  it('an entry whose last write nobody can be sure of is not called drifted', async () => {
    const driver = createSyncDriver(sealift, 'cloud1-sm', 'sound');
    await driver.write('uncertain', { v: 1 });
    await driver.associate('uncertain');
    await driver.settles('uncertain', 'SYNCED');
    fake.addFault({ kind: 'hang', operation: 'PutSecretValue', times: 1 });
    await driver.write('uncertain', { v: 2 });
    await driver.settles('uncertain', 'EXTERNAL_SERVICE_ERROR');
    await driver.settles('uncertain', 'SYNCING');
    const answer = await sealift.client.post(`${driver.path}/associations/verify`, {
      mount: 'secret',
      secret_name: 'uncertain',
    });
    expect(statesOf(answer)).to.deep.equal(['unknown']);
    expect(answer.body.data.entries[0].cause.code).to.equal('write_unconfirmed');
  });
});
