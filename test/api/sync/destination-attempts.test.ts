import { expect } from 'chai';
import type { DestinationAttemptAnswer } from '../../../services/api/contract/associations.ts';
import { cloud1Settings, cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../../support/sandboxed.ts';
import { createSyncDriver, type SyncDriver } from '../../support/sync-driver.ts';
import { expectOk, expectRefused } from './support.ts';

describe('the attempts at a destination', () => {
  let scene: Cloud1Scene;
  let other: SyncDriver;
  let written: DestinationAttemptAnswer[];

  before(async () => {
    scene = await openCloud1Scene({ environment: { RETRY_MIN: '60000', RETRY_MAX: '60000' } });
    const { sealift, driver, fake } = scene;
    await sealift.start('worker', cloud1Worker(fake));
    other = createSyncDriver(sealift, 'cloud1-sm', 'other');
    expectOk(await other.configure(cloud1Settings('us-east-1')));
    fake.plant({ name: 'app/taken', value: 'theirs' });
    for (const name of ['app/db', 'app/taken']) await driver.write(name, { user: 'first' });
    await driver.associate('app/db');
    await driver.settles('app/db', 'SYNCED');
    await driver.associate('app/taken');
    await driver.settles('app/taken', 'CLIENT_SIDE_ERROR');
    await other.associate('app/db');
    await other.settles('app/db', 'SYNCED');
    const made = await sealift.client.post('/v1/auth/token/create', {
      policies: ['root'],
      display_name: 'ana',
    });
    const token = made.body.auth.client_token;
    expectOk(await sealift.client.post('/v1/secret/data/app/db', { data: { user: 'second' } }, { token }));
    await driver.settles('app/db', 'SYNCED');
    await other.settles('app/db', 'SYNCED');
    written = (await read()).attempts;
  });
  after(() => scene.close());

  const read = async (query = '', { path } = scene.driver) =>
    expectOk(await scene.sealift.client.get(`${path}/attempts${query}`)) as {
      attempts: DestinationAttemptAnswer[];
      next_before: number | null;
    };
  const textsOf = (lines: DestinationAttemptAnswer[]): string[] =>
    lines.map(({ mount, secret_name: name, action, version, outcome, trigger }) =>
      [`${mount}/${name}`, action, version, outcome, trigger?.cause, trigger?.by].join(' '),
    );

  it('the attempts at a destination tell what was written there, newest first, and by whom', async () => {
    expect(textsOf(written)).to.deep.equal([
      'secret/app/db update 2 SYNCED write token-ana',
      'secret/app/taken create 1 CLIENT_SIDE_ERROR link root',
      'secret/app/db create 1 SYNCED link root',
    ]);
    expect(written[1]?.cause?.code).to.equal('conflict');
    const ofSecret = expectOk(
      await scene.sealift.client.get(
        `${scene.driver.path}/associations/history?mount=secret&secret_name=app/db`,
      ),
    );
    const ofDatabase = written.filter(({ secret_name: name }) => name === 'app/db');
    const named = ofSecret.history.map((line: object) => ({
      ...line,
      mount: 'secret',
      secret_name: 'app/db',
    }));
    expect(ofDatabase).to.deep.equal(named);
    expect(textsOf((await read('', other)).attempts)).to.deep.equal([
      'secret/app/db update 2 SYNCED write token-ana',
      'secret/app/db create 1 SYNCED link root',
    ]);
  });

  it('older attempts are on further pages, and the last page says that it is the last', async () => {
    const pages: DestinationAttemptAnswer[] = [];
    for (let query = '?limit=2'; query !== '';) {
      const page = await read(query);
      pages.push(...page.attempts);
      query = page.next_before === null ? '' : `?limit=2&before=${page.next_before}`;
    }
    expect(pages).to.deep.equal(written);
  });

  it('the attempts at a destination are found by time, by outcome and by who caused them', async () => {
    const found = async (query: string) => (await read(query)).attempts;
    const [update, taken, create] = written;
    expect(await found('?outcome=failed')).to.deep.equal([taken]);
    expect(await found('?outcome=succeeded')).to.deep.equal([update, create]);
    expect(await found('?outcome=refused')).to.deep.equal([]);
    expect(await found('?who=ANA')).to.deep.equal([update]);
    expect(await found(`?until=${update?.at}`)).to.deep.equal([taken, create]);
    expect(await found(`?since=${taken?.at}&until=${update?.at}`)).to.deep.equal([taken]);
    expect(await found('?since=2100-01-01T00:00:00Z')).to.deep.equal([]);
    expect(await found('?until=2020-01-01T00:00:00Z')).to.deep.equal([]);
    const { path } = scene.driver;
    for (const query of [
      'outcome=odd',
      'since=0000-01-01T00:00:00Z',
      'since=2026-02-01T00:00:00Z&until=2026-01-01T00:00:00Z',
    ])
      expectRefused(await scene.sealift.client.get(`${path}/attempts?${query}`), 400);
  });

  it('a filter looks at a part of many attempts, and the answer says where to go on', async () => {
    const { db } = scene.sealift.context;
    const [row] = await db('destinations').where({ name: 'other' }).select('id');
    const [first] = (await read('', other)).attempts;
    await db.raw(
      `INSERT INTO sync_history (destination_id, mount_id, secret_path, sub_key, action, outcome, duration_ms)
       SELECT ?, 0, 'bulk', '', 'update', 'SYNCED', 1 FROM generate_series(1, 60000)`,
      [row.id],
    );
    const page = await read('?who=ana', other);
    expect(page.attempts).to.deep.equal([]);
    expect((await read(`?who=ana&before=${page.next_before}`, other)).attempts).to.deep.equal([first]);
    expect((await read('?limit=1', other)).attempts[0]).to.include({ mount: null, secret_name: 'bulk' });
  });

  it('the attempts at a destination need a right of their own, and stay in their namespace', async () => {
    const { client } = scene.sealift;
    const { path } = scene.driver;
    const ask = async (rule: string) => {
      await client.post('/v1/sys/policies/acl/asker', { policy: rule });
      const made = await client.post('/v1/auth/token/create', { policies: ['asker'] });
      return client.get(`${path}/attempts`, { token: made.body.auth.client_token });
    };
    const rule = (end: string) =>
      `path "sys/sync/destinations/cloud1-sm/prod${end}" { capabilities = ["read"] }`;
    expectRefused(await ask(rule('')), 403);
    expectOk(await ask(rule('/attempts')));
    await client.post('/v1/sys/namespaces/team');
    expectRefused(await client.get(`${path}/attempts`, { namespace: 'team' }), 404);
  });
});
