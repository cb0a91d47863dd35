import { expect } from 'chai';
import { createClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { cloud1Settings, cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../support/sandboxed.ts';
import { createSyncDriver } from '../support/sync-driver.ts';

const REASON = 'the account is being moved';

describe('a pause', () => {
  let scene: Cloud1Scene;

  beforeEach(async () => {
    scene = await openCloud1Scene({
      environment: { SWEEP_INTERVAL: '100' },
      settings: { secret_name_template: '{{ .SecretPath }}' },
    });
    await scene.sealift.start('worker', cloud1Worker(scene.fake));
    await scene.driver.write('db', { v: 1 });
    await scene.driver.associate('db');
    await scene.driver.settles('db', 'SYNCED');
  });
  afterEach(() => scene.close());

  const call = async (path: string, body: object = {}) => {
    const answer = await scene.sealift.client.post(path, body);
    expect(answer.status, answer.text).to.equal(200);
    return answer.body;
  };
  const valueOf = (name: string) => scene.fake.entries().find((entry) => entry.name === name)?.value;
  const calls = () => scene.fake.calls().length;
  // Another destination whose change is synced shows that the worker works.
  const othersGoOn = async (secret: string) => {
    const other = createSyncDriver(scene.sealift, 'cloud1-sm', 'other');
    await other.configure({ ...cloud1Settings(), secret_name_template: 'other-{{ .SecretPath }}' });
    await other.write(secret, { v: 1 });
    await other.associate(secret);
    await other.settles(secret, 'SYNCED');
  };
  it('nothing is written or deleted at a paused destination, and all of it once it is resumed', async () => {
    const { driver } = scene;
    await driver.write('old', { v: 1 });
    await driver.associate('old');
    await driver.settles('old', 'SYNCED');
    const { data } = await call(`${driver.path}/pause`, { reason: REASON });
    expect(data.paused).to.include({ by: 'root', reason: REASON, until: null });
    await driver.write('db', { v: 2 });
    const linked = await call(`${driver.path}/associations/set`, { mount: 'secret', secret_name: 'db' });
    expect(linked.warnings.join()).to.contain('paused');
    await driver.dissociate('old');
    await othersGoOn('elsewhere');
    const [waiting] = await driver.settles('db', 'PENDING');
    expect(waiting).to.deep.include({ next_attempt_at: null, synced_version: 1 });
    expect(waiting?.cause).to.include({ class: 'PENDING', code: 'paused' });
    await driver.settles('old', 'PENDING');
    expect([valueOf('db'), valueOf('old')]).to.deep.equal(['{"v":1}', '{"v":1}']);

    const resumed = await call(`${driver.path}/resume`);
    expect(resumed.data).to.not.have.property('paused');
    await driver.settles('db', 'SYNCED');
    await eventually(() => expect([valueOf('db'), valueOf('old')]).to.deep.equal(['{"v":2}', undefined]));
  });

  it('a link that failed before a pause keeps its cause, and is tried again at the resumption', async () => {
    const { driver, fake, sealift } = scene;
    fake.addFault({ kind: 'denied', operation: 'PutSecretValue' });
    await driver.write('db', { v: 2 });
    const [failed] = await driver.settles('db', 'CLIENT_SIDE_ERROR');
    const rowOf = async () =>
      (await sealift.client.get(`${driver.path}/associations/rows`)).body.data.rows[0];
    const { since } = await rowOf();
    await call(`${driver.path}/pause`, { reason: REASON });
    await driver.write('db', { v: 3 });
    await othersGoOn('elsewhere');
    const [paused] = await driver.settles('db', 'CLIENT_SIDE_ERROR');
    expect(paused).to.deep.include({ cause: failed?.cause, next_attempt_at: null });
    expect(await rowOf()).to.deep.include({ since, cause: failed?.cause });
    fake.clearFaults();
    await call(`${driver.path}/resume`);
    const [synced] = await driver.settles('db', 'SYNCED');
    expect(synced?.synced_version).to.equal(3);
  });

  it('a rate limit is no error of the store during a pause', async () => {
    const { driver, fake } = scene;
    const limit = {
      kind: 'throttle',
      operation: 'PutSecretValue',
      status: 429,
      retryAfterSeconds: 600,
    } as const;
    fake.addFault(limit);
    await driver.write('db', { v: 2 });
    await driver.settles('db', 'THROTTLED');
    await call('/v1/sys/sync/pause', { reason: REASON });
    const [paused] = await driver.settles('db', 'PENDING');
    expect(paused?.cause).to.include({ code: 'paused' });
    await call('/v1/sys/sync/resume');
    await driver.settles('db', 'THROTTLED');
  });

  it('settings do not end a pause, and the destination, its rows and the summary show it', async () => {
    const { driver, sealift } = scene;
    await call(`${driver.path}/pause`, { reason: REASON });
    await driver.settles('db', 'SYNCED');
    await driver.configure({ ...cloud1Settings(), secret_name_template: '{{ .SecretPath }}' });
    await driver.patch({ drift_check: true });
    await driver.write('db', { v: 2 });
    const { body } = await sealift.client.get(driver.path);
    expect(body.data.paused).to.include({ by: 'root', reason: REASON });
    const summary = (await sealift.client.get('/v1/sys/sync/summary')).body.data;
    expect(summary.paused).to.equal(null);
    expect(summary.destinations[0].paused).to.deep.equal(body.data.paused);
    expect(summary.destinations[0].held).to.include({ class: 'PENDING', code: 'paused' });
    expect(summary).to.deep.include({ problems: [], by_status: { PENDING: 1 } });
    const rows = await sealift.client.get(`${driver.path}/associations/rows`);
    const [row] = rows.body.data.rows;
    expect([row.cause.code, row.scope]).to.deep.equal(['paused', 'destination']);
    expect(new Date(row.since).getTime()).to.equal(Date.parse(body.data.paused.since));
  });

  it('a pause with an end is over by itself, and the plan and the check go on meanwhile', async () => {
    const { driver } = scene;
    const late = new Date(Date.now() + 3_600_000).toISOString();
    expect((await call(`${driver.path}/pause`, { until: late })).data.paused.until).to.equal(late);
    expect((await call(`${driver.path}/check`)).data.ok).to.equal(true);
    expect((await call(`${driver.path}/plan`)).data.secrets).to.have.length(1);
    const before = calls();
    await driver.write('db', { v: 2 });
    const [waiting] = await driver.settles('db', 'PENDING');
    expect(Date.parse(waiting?.next_attempt_at ?? '')).to.equal(Date.parse(late));
    expect(calls()).to.equal(before);
    const until = new Date(Date.now() + 3000).toISOString();
    await call(`${driver.path}/pause`, { until });
    const [synced] = await driver.settles('db', 'SYNCED');
    expect(synced?.synced_version).to.equal(2);
    expect(Date.now()).to.be.at.least(Date.parse(until));
    const { body } = await scene.sealift.client.get(driver.path);
    expect(body.data).to.not.have.property('paused');
  });

  it('a pause of everything with an end is over by itself', async () => {
    const { driver, sealift } = scene;
    const past = await sealift.client.post('/v1/sys/sync/pause', { until: '2020-01-01T00:00:00Z' });
    expect([past.status, past.body.errors]).to.deep.equal([400, ['until must be a time in the future']]);
    const until = new Date(Date.now() + 4000).toISOString();
    const paused = await call('/v1/sys/sync/pause', { until });
    expect(paused.data).to.deep.include({ disabled: true });
    expect(Date.parse(paused.data.paused.until)).to.equal(Date.parse(until));
    await driver.write('db', { v: 2 });
    const [waiting] = await driver.settles('db', 'PENDING');
    expect(Date.parse(waiting?.next_attempt_at ?? '')).to.equal(Date.parse(until));
    const [synced] = await driver.settles('db', 'SYNCED');
    expect(synced?.synced_version).to.equal(2);
    expect(Date.now()).to.be.at.least(Date.parse(until));
    const { body } = await sealift.client.get('/v1/sys/sync/config');
    expect(body.data.disabled).to.equal(false);
    expect((await sealift.client.get('/v1/sys/sync/summary')).body.data.paused).to.equal(null);
  });

  it('nothing is written while syncing as a whole is paused, and all of it once it is resumed', async () => {
    const { driver, sealift } = scene;
    const holdOf = async (): Promise<unknown> =>
      (await sealift.client.get('/v1/sys/sync/summary')).body.data.destinations[0].held;
    expect(await holdOf()).to.equal(null);
    await call('/v1/sys/sync/pause', { reason: REASON });
    await driver.write('db', { v: 2 });
    const [waiting] = await driver.settles('db', 'PENDING');
    expect(waiting?.cause?.code).to.equal('paused');
    expect(await holdOf()).to.include({ class: 'PENDING', code: 'paused' });
    // The worker answers, so it was there to take the change.
    expect((await call(`${driver.path}/check`)).data.ok).to.equal(true);
    expect(valueOf('db')).to.equal('{"v":1}');
    await call('/v1/sys/sync/resume');
    await driver.settles('db', 'SYNCED');
    expect(valueOf('db')).to.equal('{"v":2}');
    expect(await holdOf()).to.equal(null);
  });

  it('a destination that is paused itself stays so when syncing as a whole is resumed', async () => {
    const { driver, sealift } = scene;
    const { data } = await call('/v1/sys/sync/pause', { reason: REASON });
    expect(data).to.include({ disabled: true });
    expect(data.paused).to.include({ by: 'root', reason: REASON });
    await call(`${driver.path}/pause`);
    await driver.write('db', { v: 2 });
    const [waiting] = await driver.settles('db', 'PENDING');
    expect(waiting?.cause?.code).to.equal('paused');
    const summary = (await sealift.client.get('/v1/sys/sync/summary')).body.data;
    expect(summary).to.deep.include({ disabled: true, paused: data.paused });
    expect((await call('/v1/sys/sync/resume')).data).to.include({ disabled: false, paused: null });
    await othersGoOn('elsewhere');
    expect(valueOf('db')).to.equal('{"v":1}');
    await call(`${driver.path}/resume`);
    await driver.settles('db', 'SYNCED');
    const merge = { headers: { 'content-type': 'application/merge-patch+json' } };
    await sealift.client.patch('/v1/sys/sync/config', { disabled: true }, merge);
    const disabled = (await sealift.client.get('/v1/sys/sync/summary')).body.data;
    expect(disabled.paused).to.include({ by: 'root', reason: null });
  });

  it('a pause needs a destination, an end in the future and the right to it', async () => {
    const { driver, sealift } = scene;
    const { client } = sealift;
    expect((await client.post('/v1/sys/sync/destinations/cloud1-sm/absent/pause', {})).status).to.equal(404);
    const past = await client.post(`${driver.path}/pause`, { until: '2020-01-01T00:00:00Z' });
    expect([past.status, past.body.errors]).to.deep.equal([400, ['until must be a time in the future']]);
    const never = await client.post(`${driver.path}/pause`, { until: '2099-12-31T23:59:60Z' });
    expect(never.status).to.equal(400);
    expect((await client.post(`${driver.path}/pause`, { reason: 'x'.repeat(501) })).status).to.equal(400);
    const { body } = await client.post('/v1/auth/token/create', { policies: ['default'] });
    const other = createClient(sealift.url, body.auth.client_token);
    expect((await other.post(`${driver.path}/pause`, {})).status).to.equal(403);
    expect((await client.get(driver.path)).body.data).to.not.have.property('paused');
  });
});
