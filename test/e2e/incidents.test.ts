import { expect } from 'chai';
import { withTimeout } from '../../libs/time/with-timeout.ts';
import type { IncidentAnswer } from '../../services/api/contract/summary.ts';
import { SHORT_LIMITS } from '../faults/short-limits.ts';
import { runNow, startMaintenance } from '../key-maintenance/support.ts';
import { startCloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import type { Fake } from '../sandbox/contract.ts';
import { spawnProcess } from '../support/child-process.ts';
import { eventually } from '../support/eventually.ts';
import { cloud1Environment, cloud1Settings, cloud1Worker } from '../support/sandboxed.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createSyncDriver, type SyncDriver } from '../support/sync-driver.ts';

// A call that takes long on a busy machine is no failure here.
const LIMITS = { ...SHORT_LIMITS, CALL_TIMEOUT: '10000', LEASE: '25000' };

describe('incidents: what failed, from when until when, and how it ended', () => {
  let fake: Fake;
  let sealift: Sealift;
  let driver: SyncDriver;

  beforeEach(async () => {
    fake = await startCloud1SmFake();
    sealift = await startSealift({ environment: LIMITS });
    driver = createSyncDriver(sealift, 'cloud1-sm', 'prod');
    await driver.configure(cloud1Settings());
  });

  afterEach(async () => {
    await sealift.stop();
    await fake.close();
  });

  const startWorker = () => sealift.start('connector', cloud1Worker(fake));
  const link = async (...names: string[]): Promise<void> => {
    for (const name of names) {
      await driver.write(name, { v: 1 });
      await driver.associate(name);
      await driver.settles(name, 'SYNCED');
    }
  };
  const list = async (query = '', options = {}): Promise<IncidentAnswer[]> => {
    const answer = await sealift.client.get(`/v1/sys/sync/incidents?${query}`, options);
    expect(answer.status, answer.text).to.equal(200);
    return answer.body.data.incidents;
  };
  const eventuallyOne = (expected: Partial<IncidentAnswer>): Promise<IncidentAnswer> =>
    eventually(async () => {
      const incidents = await list();
      expect(incidents, JSON.stringify(incidents)).to.have.length(1);
      expect(incidents[0]).to.deep.include(expected);
      return incidents[0] as IncidentAnswer;
    });
  const isClosed = (): Promise<IncidentAnswer> =>
    eventually(async () => {
      const incidents = await list();
      expect(
        incidents.map(({ closed_at: closed }) => closed === null),
        JSON.stringify(incidents),
      ).to.deep.equal([false]);
      return incidents[0] as IncidentAnswer;
    });
  const fail = (): void => fake.addFault({ kind: 'error', status: 500, operation: 'PutSecretValue' });
  const refuse = (): void => fake.addFault({ kind: 'denied', operation: 'PutSecretValue' });
  const history = () =>
    sealift.client.get(`${driver.path}/associations/history?mount=secret&secret_name=one&limit=1`);
  // Expects the worker to end by its own signal and for no other reason.
  const dieAfterStoring = async (): Promise<void> => {
    const environment = { ...sealift.environment, ...cloud1Environment(fake) };
    const faults = { FAULT_CHECKPOINT: 'after-store', FAULT_NTH: '1' };
    const worker = await spawnProcess('test/faults/worker.js', { ...environment, ...faults });
    try {
      expect(await withTimeout(120_000, worker.ended), worker.output()).to.equal(null);
    } finally {
      await worker.kill();
    }
  };

  it('a store that fails opens one incident, which grows, and closes once all has healed', async () => {
    await startWorker();
    await link('one', 'two');
    expect(await list()).to.deep.equal([]);
    fail();
    await driver.write('one', { v: 2 });
    const opened = await eventuallyOne({ closed_at: null, associations: 1, ended: null });
    expect(opened.destination).to.deep.equal({ type: 'cloud1-sm', name: 'prod', deleted: false });
    expect(opened.example).to.deep.equal({ mount: 'secret', secret_name: 'one' });
    expect(opened.cause.class).to.equal('EXTERNAL_SERVICE_ERROR');
    await driver.write('two', { v: 2 });
    const grown = await eventuallyOne({ id: opened.id, closed_at: null, associations: 2, most: 2 });
    expect(grown.opened_at).to.equal(opened.opened_at);
    fake.clearFaults();
    const closed = await isClosed();
    expect(closed).to.deep.include({
      id: opened.id,
      associations: 0,
      most: 2,
      ended: 'itself',
      ended_by: null,
      ended_after: { cause: 'schedule', version: 2 },
    });
    expect(closed.opened_at).to.equal(opened.opened_at);
    fail();
    await driver.write('one', { v: 3 });
    await eventually(async () => expect(await list('open=true')).to.have.length(1));
    expect(await list()).to.have.length(2);
  });

  it('a link whose keys are entries of their own counts once', async () => {
    await startWorker();
    const keys = createSyncDriver(sealift, 'cloud1-sm', 'keys');
    await keys.configure({
      ...cloud1Settings(),
      granularity: 'secret-key',
      secret_name_template: '{{ .SecretPath }}-{{ .SecretKey }}',
    });
    await keys.write('one', { user: 'app', password: 'p' });
    await keys.associate('one');
    await keys.settles('one', 'SYNCED');
    fail();
    await keys.write('one', { user: 'app-2', password: 'p-2' });
    await eventuallyOne({ closed_at: null, associations: 1, most: 1 });
  });

  it('a worker killed right after it stored a failure leaves one incident, also if it then heals', async () => {
    const first = await startWorker();
    await link('one');
    await first.stop();
    fail();
    await driver.write('one', { v: 2 });
    await dieAfterStoring();
    const opened = await eventuallyOne({ closed_at: null, most: 1 });
    fake.clearFaults();
    await startWorker();
    expect(await isClosed()).to.deep.include({ id: opened.id, ended: 'itself', most: 1 });
  });

  it('a worker killed right after the healing leaves an incident that is closed once', async () => {
    const first = await startWorker();
    await link('one');
    fail();
    await driver.write('one', { v: 2 });
    const opened = await eventuallyOne({ closed_at: null });
    await first.stop();
    fake.clearFaults();
    await dieAfterStoring();
    const healed = await eventually(async () => {
      const [last] = (await history()).body.data.history;
      expect(last.cause, JSON.stringify(last)).to.equal(null);
      return last;
    });
    await eventuallyOne({ id: opened.id, closed_at: null });
    const maintenance = await startMaintenance(sealift);
    await runNow(maintenance, 'note-incidents');
    const closed = await isClosed();
    expect(closed).to.deep.include({ id: opened.id, ended: 'itself' });
    expect(new Date(closed.closed_at ?? 0).getTime()).to.equal(new Date(healed.at).getTime());
    await runNow(maintenance, 'note-incidents');
    expect(await list()).to.deep.equal([closed]);
  });

  it('an incident says which person ended it, and that its links were removed', async () => {
    await startWorker();
    await link('one');
    refuse();
    await driver.write('one', { v: 2 });
    const refused = await eventuallyOne({ closed_at: null });
    expect(refused.cause.class).to.equal('CLIENT_SIDE_ERROR');
    fake.clearFaults();
    await sealift.client.post(`${driver.path}/associations/retry`, { cause: refused.cause.code });
    expect(await isClosed()).to.deep.include({
      id: refused.id,
      ended: 'person',
      ended_by: 'root',
      ended_after: { cause: 'retry', version: 2 },
    });
    refuse();
    await driver.write('one', { v: 3 });
    await eventually(async () => expect(await list('open=true')).to.have.length(1));
    await driver.dissociate('one');
    const [last] = await eventually(async () => {
      const found = await list();
      expect(found.filter(({ closed_at: closed }) => closed === null)).to.deep.equal([]);
      return found;
    });
    expect(last).to.deep.include({ ended: 'removed', ended_by: 'root' });
    expect(last?.ended_after?.cause).to.equal('unlink');
  });

  it('a rate limit ends for links that wait for refused credentials, and none begins anew', async () => {
    await startWorker();
    const names = ['one', 'two', 'three', 'four'];
    await link(...names);
    fake.addFault({ kind: 'revoked' });
    // The store refuses the first one; the others wait for it.
    for (const name of names) {
      await driver.write(name, { v: 2 });
      await driver.settles(name, 'CLIENT_SIDE_ERROR');
    }
    const refused = await eventuallyOne({ closed_at: null });
    // Without anything in between: the worker asks the store all the time.
    fake.clearFaults();
    fake.addFault({ kind: 'throttle' });
    await driver.associate('two');
    const limited = await eventually(async () => {
      const [open] = await list('open=true&cause=rate_limited');
      expect(open?.associations, JSON.stringify(await list())).to.be.at.least(3);
      return open;
    });
    fake.clearFaults();
    fake.addFault({ kind: 'revoked' });
    for (const name of names) await driver.settles(name, 'CLIENT_SIDE_ERROR');
    await eventually(async () => {
      const open = await list('open=true');
      return expect(open.map(({ id, associations }) => ({ id, associations }))).to.deep.equal([
        { id: refused.id, associations: 4 },
      ]);
    });
    const ended = (await list('cause=rate_limited')).find(({ id }) => id === limited?.id);
    expect(ended).to.deep.include({ associations: 0, ended: 'other_cause' });
    fake.clearFaults();
    const before = (await list()).length;
    await driver.associate('one');
    for (const name of names) await driver.settles(name, 'SYNCED');
    await eventually(async () => expect(await list('open=true')).to.deep.equal([]));
    expect(await list()).to.have.length(before);
  });

  it('nobody has ended a rate limit, whoever ran into it or asked for another attempt', async () => {
    await startWorker();
    await link('one');
    fake.addFault({ kind: 'throttle' });
    await driver.write('one', { v: 2 });
    const limited = await eventuallyOne({ closed_at: null });
    expect(limited.cause.code).to.equal('rate_limited');
    await driver.associate('one');
    fake.clearFaults();
    expect(await isClosed()).to.deep.include({ id: limited.id, ended: 'itself', ended_by: null });
    const [last] = (await history()).body.data.history;
    expect(last.trigger.by).to.equal('root');
  });

  it('incidents are found by time, cause, state and destination, and pages follow each other', async () => {
    const { db } = sealift.context;
    const timeOf = (hour: number): Date => new Date(Date.UTC(2026, 0, 1, hour));
    const destination = await db('destinations').first('id');
    const put = (opened: number, closed: number | null, code: string) =>
      db('sync_incidents').insert({
        namespace_id: 'root',
        destination_id: destination.id,
        code,
        cause: JSON.stringify({ class: 'CLIENT_SIDE_ERROR', code, message: 'refused' }),
        opened_at: timeOf(opened),
        closed_at: closed === null ? null : timeOf(closed),
        associations: closed === null ? 3 : 0,
        most: 3,
        ended: closed === null ? null : 'itself',
      });
    await put(1, 2, 'conflict');
    await put(2, 6, 'conflict');
    await put(3, null, 'too_large');
    await put(8, 9, 'conflict');
    const codes = async (query: string, base = '/v1/sys/sync/incidents') => {
      const { body } = await sealift.client.get(`${base}?${query}`);
      return body.data.incidents.map((one: IncidentAnswer) => new Date(one.opened_at).getUTCHours());
    };
    expect(await codes('')).to.deep.equal([8, 3, 2, 1]);
    expect(await codes('since=2026-01-01T05:00:00Z')).to.deep.equal([8, 3, 2]);
    expect(await codes('since=2026-01-01T05:00:00Z&until=2026-01-01T08:00:00Z')).to.deep.equal([3, 2]);
    expect(await codes('until=2026-01-01T03:00:00Z')).to.deep.equal([2, 1]);
    expect(await codes('cause=too_large')).to.deep.equal([3]);
    expect(await codes('open=true')).to.deep.equal([3]);
    expect(await codes('open=false')).to.deep.equal([8, 2, 1]);
    expect(await codes('', `${driver.path}/incidents`)).to.deep.equal([8, 3, 2, 1]);
    expect((await sealift.client.get('/v1/sys/sync/destinations/cloud1-sm/other/incidents')).status).to.equal(
      404,
    );
    for (const bad of ['since=yesterday', 'until=0000-01-01T00:00:00Z', 'limit=0', 'after=x'])
      expect((await sealift.client.get(`/v1/sys/sync/incidents?${bad}`)).status, bad).to.equal(400);
    const first = await sealift.client.get('/v1/sys/sync/incidents?limit=3&since=2026-01-01T01:30:00Z');
    const rest = `limit=3&since=2026-01-01T01:30:00Z&after=${first.body.data.next_after}`;
    expect(first.body.data.incidents).to.have.length(3);
    expect(await codes(rest)).to.deep.equal([1]);
    await sealift.client.post('/v1/sys/namespaces/team');
    expect(await list('', { namespace: 'team' })).to.deep.equal([]);
    const made = await sealift.client.post('/v1/auth/token/create', { policies: ['default'] });
    const token = made.body.auth.client_token;
    expect((await sealift.client.get('/v1/sys/sync/incidents', { token })).status).to.equal(403);
  });
});
