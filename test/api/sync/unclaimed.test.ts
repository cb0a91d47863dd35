import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../../support/sandboxed.ts';

const DESTINATION = '/v1/sys/sync/destinations/cloud1-sm/prod';

type Waiting = { oldest_due_at: string | null; unclaimed_since: string | null };

describe('since when changes wait for a worker', () => {
  let scene: Cloud1Scene;

  beforeEach(async () => {
    scene = await openCloud1Scene({ environment: { CONCURRENCY: '1' } });
  });

  afterEach(() => scene.close());

  const waiting = async (): Promise<Waiting> =>
    (await scene.sealift.client.get('/v1/sys/sync/summary')).body.data.destinations[0];
  const link = async (path: string): Promise<void> => {
    const { client } = scene.sealift;
    await client.post(`/v1/secret/data/${path}`, { data: { a: '1' } });
    const set = await client.post(`${DESTINATION}/associations/set`, {
      mount: 'secret',
      secret_name: path,
    });
    expect(set.status, set.text).to.equal(200);
  };

  // As if the links had been made then.
  const backdate = async (seconds: number): Promise<void> => {
    const { db } = scene.sealift.context;
    await db('associations').update({ due_at: db.raw(`now() - ? * interval '1 second'`, [seconds]) });
  };

  it('changes wait for a worker from when they are due, and not during a pause', async () => {
    const { client } = scene.sealift;
    await link('app/one');
    expect((await waiting()).unclaimed_since).to.equal(null);
    await backdate(60);
    const { oldest_due_at: due, unclaimed_since: since } = await waiting();
    expect(due).to.be.a('string');
    expect(since).to.equal(due);
    const { destinations } = (await client.get('/v1/sys/sync/summary/destinations')).body.data;
    expect(destinations[0].unclaimed_since).to.equal(due);
    await client.post(`${DESTINATION}/pause`, {});
    expect(await waiting()).to.include({ oldest_due_at: due, unclaimed_since: null });
  });

  it('nothing waits for a worker that is busy with a store which does not answer', async () => {
    const { sealift, fake } = scene;
    fake.addFault({ kind: 'held' });
    await sealift.start('worker', cloud1Worker(fake));
    for (const path of ['app/one', 'app/two', 'app/three']) await link(path);
    await eventually(() => fake.calls().some(({ status }) => status === 0));
    await sealift.context.db.raw(
      `UPDATE associations SET due_at = due_at - interval '1 minute' WHERE lease_token IS NULL`,
    );
    // The worker makes one call at a time, and another change waits in its memory.
    const { oldest_due_at: due, unclaimed_since: since } = await waiting();
    expect(due).to.be.a('string');
    expect(since).to.equal(null);
    fake.clearFaults();
  });

  it('a link of a failing destination waits for a worker from its next try on, not before', async () => {
    const { db } = scene.sealift.context;
    await link('app/one');
    await backdate(300);
    const probe = async (from: string): Promise<void> => {
      await db('destinations').update({
        failures: 1,
        failed_at: db.fn.now(),
        failure: JSON.stringify({ class: 'EXTERNAL_SERVICE_ERROR', code: 'timed_out', message: '' }),
        probe_at: db.raw(`now() + CAST(? AS interval)`, [from]),
      });
    };
    await probe('1 minute');
    expect((await waiting()).unclaimed_since).to.equal(null);
    await probe('-1 minute');
    const { oldest_due_at: due, unclaimed_since: since } = await waiting();
    expect(Date.parse(String(since))).to.be.greaterThan(Date.parse(String(due)));
  });
});
