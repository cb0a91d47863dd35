import { expect } from 'chai';
import { insertAssociations } from '../../support/associations.ts';
import { eventually } from '../../support/eventually.ts';
import { cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../../support/sandboxed.ts';
import type { Answer } from '../../support/client.ts';

const DESTINATION = '/v1/sys/sync/destinations/cloud1-sm/prod';

type Row = { secret_name: string; sync_status: string; cause: { code: string } | null; since: string | null };

describe('the summary of syncing', () => {
  let scene: Cloud1Scene;

  beforeEach(async () => {
    scene = await openCloud1Scene();
  });

  afterEach(() => scene.close());

  const summary = async (): Promise<Answer['body']> =>
    (await scene.sealift.client.get('/v1/sys/sync/summary')).body.data;
  const rows = async (query: string): Promise<Answer['body']> =>
    (await scene.sealift.client.get(`${DESTINATION}/associations/rows?${query}`)).body.data;
  const link = async (path: string, data: object = { a: '1' }): Promise<void> => {
    const { client } = scene.sealift;
    await client.post(`/v1/secret/data/${path}`, { data });
    const body = { mount: 'secret', secret_name: path };
    const set = await client.post(`${DESTINATION}/associations/set`, body);
    expect(set.status, set.text).to.equal(200);
  };

  it('the summary counts by status and by cause, and 304 answers who knows it', async () => {
    const { sealift, fake } = scene;
    await sealift.start('worker', cloud1Worker(fake));
    fake.plant({ name: 'app/taken', value: 'x' });
    for (const path of ['app/one', 'app/two', 'app/taken']) await link(path);
    const data = await eventually(async () => {
      const now = await summary();
      return now.by_status['SYNCED'] === 2 && now.by_status['CLIENT_SIDE_ERROR'] === 1 && now;
    });
    expect(data.total).to.equal(3);
    const [problem] = data.problems;
    expect(problem).to.include({
      store_type: 'cloud1-sm',
      store_name: 'prod',
      count: 1,
      scope: 'association',
    });
    expect(problem.example).to.deep.equal({ mount: 'secret', secret_name: 'app/taken' });
    expect(Date.parse(problem.since)).to.be.closeTo(Date.now(), 60_000);

    const first = await sealift.client.get('/v1/sys/sync/summary');
    const headers = { 'if-none-match': String(first.headers['etag']) };
    const again = await sealift.client.get('/v1/sys/sync/summary', { headers });
    expect([again.status, again.text]).to.deep.equal([304, '']);
    await link('app/three');
    await eventually(
      async () => (await sealift.client.get('/v1/sys/sync/summary', { headers })).status === 200,
    );
  });

  it('a problem is as old as the first of few links that are still in it', async () => {
    const { sealift, fake, driver } = scene;
    await sealift.start('worker', cloud1Worker(fake));
    const fails = async (path: string): Promise<void> => {
      fake.plant({ name: path, value: 'x' });
      await link(path);
      await driver.settles(path, 'CLIENT_SIDE_ERROR');
    };
    await fails('app/first');
    const since = async () => Date.parse((await summary()).problems[0].since);
    const first = await since();
    await fails('app/second');
    expect(await since()).to.equal(first);
    await driver.dissociate('app/first');
    const { problems } = await eventually(async () => {
      const now = await summary();
      return now.problems[0].count === 1 && now;
    });
    const [second] = (await rows('cause=conflict')).rows as Row[];
    expect(problems[0].since).to.equal(second?.since);
    expect(await since()).to.be.greaterThan(first);
  });

  it('one dead credential is one problem, and its retry sets everything going again', async () => {
    const { sealift, fake } = scene;
    await sealift.start('worker', cloud1Worker(fake));
    for (const path of ['app/one', 'app/two', 'app/three']) await link(path);
    await eventually(async () => (await summary()).by_status['SYNCED'] === 3);
    fake.revoke('AKIAEXAMPLEONE');
    for (const path of ['app/one', 'app/two', 'app/three'])
      await sealift.client.post(`/v1/secret/data/${path}`, { data: { a: '2' } });
    const broken = await eventually(async () => {
      const now = await summary();
      return now.by_status['CLIENT_SIDE_ERROR'] === 3 && now;
    });
    const codes = new Set(broken.problems.map(({ cause }: { cause: { code: string } }) => cause.code));
    expect([...codes]).to.deep.equal(['credentials_refused']);
    // While a probe is due, the links only wait.
    await eventually(async () => (await rows('cause=credentials_refused&anchors=true')).total === 3);
    fake.giveOut('AKIAEXAMPLETWO', 'a-second-key');
    const key = { access_key_id: 'AKIAEXAMPLETWO', secret_access_key: 'a-second-key' };
    await sealift.client.call('PATCH', DESTINATION, key, {
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    const retry = await sealift.client.post(`${DESTINATION}/associations/retry`, {
      cause: 'credentials_refused',
    });
    expect(retry.status).to.equal(200);
    await eventually(async () => (await summary()).by_status['SYNCED'] === 3);
    expect((await summary()).problems).to.deep.equal([]);
  });

  it('a retry that tries a failing destination before all others waits no longer than they do', async () => {
    const { client, context } = scene.sealift;
    await link('app/one');
    const linkedAt = Date.now();
    await link('app/two');
    await context.db('destinations').update({ failures: 1, failed_at: context.db.fn.now() });
    await client.post(`${DESTINATION}/associations/set`, { mount: 'secret', secret_name: 'app/two' });
    const { destinations } = await summary();
    expect(Date.parse(destinations[0].oldest_due_at)).to.be.within(linkedAt - 60_000, linkedAt);
    const [first] = await context.db('associations').orderBy('due_at').select('secret_path');
    expect(first).to.deep.equal({ secret_path: 'app/two' });
  });

  it('a filter finds rows by status, name and folder, and anchors lead to any page', async () => {
    const { sealift, driver } = scene;
    const { db } = sealift.context;
    const id: number = (await db('destinations').first('id')).id;
    const mount: { id: number; accessor: string } = await db('mounts').first('id', 'accessor');
    const paths = Array.from({ length: 1200 }, (_, index) => `many/${String(index).padStart(4, '0')}`);
    await insertAssociations(
      db,
      paths.map((path) => ({ destination_id: id, mount_id: mount.id, secret_path: path })),
    );
    expect(driver).to.be.an('object');
    const first = await rows('anchors=true&limit=500');
    expect(first.total).to.equal(1200);
    expect(first.anchors).to.deep.equal([`${mount.accessor}/many/0499`, `${mount.accessor}/many/0999`]);
    const last = await rows(`after=${first.anchors[1]}&limit=500`);
    expect(last.rows.map(({ secret_name: name }: Row) => name)).to.deep.equal(paths.slice(1000));
    expect(last.next_after).to.equal(null);
    expect((await rows('q=MANY/0042')).rows).to.have.length(1);
    expect((await rows('prefix=secret/many/119&limit=50')).rows).to.have.length(10);
    expect((await rows('prefix=many/119')).rows).to.have.length(0);
    expect((await rows('status=SYNCED')).rows).to.have.length(0);
    expect((await rows('status=PENDING,SYNCING&limit=1000')).rows).to.have.length(1000);
  });

  it('one association can be read alone, and its history stays with it', async () => {
    await link('app/one');
    await link('app/two');
    const { client } = scene.sealift;
    const one = await client.get(`${DESTINATION}/associations?mount=secret&secret_name=app/two`);
    const names = Object.values(one.body.data.associated_secrets).map(
      (record) => (record as { secret_name: string }).secret_name,
    );
    expect(names).to.deep.equal(['app/two']);
    const none = await client.get(`${DESTINATION}/associations?mount=secret&secret_name=app/none`);
    expect(none.status).to.equal(404);
  });

  it('rows and summary say the status that each association itself says', async () => {
    const { sealift } = scene;
    const { db } = sealift.context;
    const cause = (name: string) => JSON.stringify({ class: name, code: 'a_code', message: 'a text' });
    const destination: { id: number; container: string } = await db('destinations').first('id', 'container');
    const mount: { id: number } = await db('mounts').first('id');
    const soon = db.raw("now() + interval '1 hour'");
    const settled = { generation: 1, synced_generation: 1, due_at: null };
    const cases: Record<string, object> = {
      pending: {},
      syncing: { lease_token: 1, due_at: soon },
      unsyncing: { lease_token: 1, due_at: soon, removing: true },
      removing: { removing: true },
      waiting: { ...settled, removing: true, due_at: soon },
      synced: settled,
      'synced-later': { ...settled, due_at: soon },
      behind: { ...settled, generation: 2, due_at: soon },
      failed: { ...settled, failure: cause('CLIENT_SIDE_ERROR') },
      retrying: { ...settled, failure: cause('EXTERNAL_SERVICE_ERROR'), due_at: soon },
      entry: settled,
      unconfirmed: settled,
      gone: settled,
    };
    const ids = await insertAssociations(
      db,
      Object.entries(cases).map(([path, more]) => ({
        destination_id: destination.id,
        mount_id: mount.id,
        secret_path: path,
        ...more,
      })),
    );
    const statuses: Record<string, object> = {
      entry: { status: 'SYNCED', cause: cause('CLIENT_SIDE_ERROR') },
      unconfirmed: { status: 'SYNCING' },
    };
    const withEntry = Object.keys(cases).map((path, index) => ({ path, id: ids[index] }));
    await db('entries').insert(
      withEntry
        .filter(({ path }) => path !== 'gone')
        .map(({ path, id }) => ({
          association_id: id,
          destination_id: destination.id,
          container: destination.container,
          sub_key: '',
          external_name: path,
          name_key: path,
          status: 'SYNCED',
          cause: null,
          ...statuses[path],
        })),
    );
    const agree = async (): Promise<void> => {
      const page = await sealift.client.get(`${DESTINATION}/associations`);
      const records = Object.values<Row>(page.body.data.associated_secrets);
      const own = Object.fromEntries(records.map((row) => [row.secret_name, row.sync_status]));
      const listed = (await rows('limit=100')).rows as Row[];
      expect(Object.fromEntries(listed.map((row) => [row.secret_name, row.sync_status]))).to.deep.equal(own);
      const counts: Record<string, number> = {};
      for (const status of Object.values(own)) counts[status] = (counts[status] ?? 0) + 1;
      expect((await summary()).by_status).to.deep.equal(counts);
      for (const [status, count] of Object.entries(counts))
        expect((await rows(`status=${status}&limit=100`)).rows, status).to.have.length(count);
    };
    await agree();
    await db('destinations').update({ throttled_until: soon });
    await agree();
    await db('destinations').update({ throttled_until: null, failure: cause('CLIENT_SIDE_ERROR') });
    await db('destinations').update({ failures: 1, failed_at: db.fn.now(), probe_at: soon });
    await agree();
    await sealift.client.call(
      'PATCH',
      '/v1/sys/sync/config',
      { disabled: true },
      {
        headers: { 'content-type': 'application/merge-patch+json' },
      },
    );
    await agree();
    await db('destinations').update({ rollout_after: ids[3] });
    await agree();
  });

  it('another namespace sees nothing of it', async () => {
    await link('app/one');
    const { client } = scene.sealift;
    await client.post('/v1/sys/namespaces/team');
    const other = await client.get('/v1/sys/sync/summary', { namespace: 'team' });
    expect(other.body.data).to.include({ total: 0 });
    expect(other.body.data.destinations).to.deep.equal([]);
  });
});
