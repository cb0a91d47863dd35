import { expect } from 'chai';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import {
  destinationPath,
  create,
  expectOk,
  expectRefused,
  noWait,
  putSecret,
  recordsOf,
  repository,
  set,
} from './support.ts';

describe('associations', () => {
  let sealift: Sealift;
  let accessor: string;
  beforeEach(async () => {
    sealift = await startSealift();
    const mount = await sealift.context.db('mounts').where({ path: 'secret' }).first('accessor');
    accessor = mount.accessor;
    await create(sealift.client, destinationPath('prod'), { region: 'eu-west-1' });
  });
  afterEach(() => sealift.stop());

  const associations = (query = '', path = destinationPath('prod')) =>
    sealift.client.get(`${path}/associations${query}`);
  const remove = (secret: string, body: object = { secret_name: secret }) =>
    sealift.client.post(
      `${destinationPath('prod')}/associations/remove`,
      { mount: 'secret', ...body },
      noWait,
    );

  it('an association is there as soon as `set` has answered, and waits for a worker', async () => {
    await putSecret(sealift.client, 'app/db');
    const data = expectOk(await set(sealift.client, destinationPath('prod', 'aws-sm'), 'app/db'));
    expect(data).to.include({ store_name: 'prod', store_type: 'aws-sm' });
    const record = data.associated_secrets[`${accessor}/app/db`];
    expect(record.updated_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect(record).to.deep.equal({
      accessor,
      mount: 'secret',
      secret_name: 'app/db',
      sub_key: '',
      external_name: `sealift/${accessor}/app/db`,
      sync_status: 'PENDING',
      updated_at: record.updated_at,
      source_version: 1,
      synced_version: null,
      cause: null,
      attempts: 0,
      next_attempt_at: null,
      drift: null,
      secret_name_template: null,
    });
    expect(expectOk(await associations()).associated_secrets).to.deep.equal(data.associated_secrets);
  });

  it('`set` waits for a first outcome for a second at most, and not at all when told so', async () => {
    await putSecret(sealift.client, 'app/db');
    const bare = await set(sealift.client, destinationPath('prod'), 'app/db', { headers: {} });
    expect(recordsOf(bare)[0]).to.include({ sync_status: 'PENDING' });
    const answer = await set(sealift.client, destinationPath('prod'), 'app/db');
    expect(answer.headers['preference-applied']).to.equal('respond-async');
  });

  it('`remove` waits as long for the removal, which it shows, and not at all when told so', async () => {
    await putSecret(sealift.client, 'app/db');
    await set(sealift.client, destinationPath('prod'), 'app/db');
    const body = { mount: 'secret', secret_name: 'app/db' };
    const bare = await sealift.client.post(`${destinationPath('prod')}/associations/remove`, body);
    expect(recordsOf(bare)[0]).to.include({ sync_status: 'UNSYNCING' });
    const answer = await remove('app/db');
    expect(answer.headers['preference-applied']).to.equal('respond-async');
    expect(recordsOf(answer)[0]).to.include({ sync_status: 'UNSYNCING' });
  });

  it('an association has one record for each key where each key has an entry', async () => {
    const { client } = sealift;
    await create(client, destinationPath('web', 'repo-host'), repository);
    await putSecret(client, 'app', { user: 'x', 'pass-word': { a: 1 } });
    const data = expectOk(await set(client, destinationPath('web', 'repo-host'), 'app'));
    const name = `SEALIFT_${accessor.toUpperCase()}_APP`;
    expect(Object.keys(data.associated_secrets)).to.have.members([
      `${accessor}/app/user`,
      `${accessor}/app/pass-word`,
    ]);
    expect(data.associated_secrets[`${accessor}/app/pass-word`]).to.include({
      sub_key: 'pass-word',
      external_name: `${name}_PASS_WORD`,
    });
    expect(expectOk(await client.list('/v1/sys/sync/associations'))).to.include({ total_associations: 1 });
    const found = expectOk(await client.get('/v1/sys/sync/associations/secret/app'));
    expect(Object.keys(found.associated_destinations)).to.have.members([
      'repo-host/web/user',
      'repo-host/web/pass-word',
    ]);
  });

  it('a second `set` is a refresh of the same association', async () => {
    const { client, context } = sealift;
    await putSecret(client, 'app/db');
    await set(client, destinationPath('prod'), 'app/db');
    await context.db('associations').update({ synced_generation: 1, due_at: null });
    await context.db('entries').update({ status: 'SYNCED', synced_version: 1 });
    expect(recordsOf(await associations())[0]).to.include({
      sync_status: 'SYNCED',
      attempts: 1,
      synced_version: 1,
    });
    expect(
      recordsOf(await set(client, destinationPath('prod'), '/app/db', { mount: 'secret/' }))[0],
    ).to.include({
      sync_status: 'PENDING',
    });
    expect(await context.db('associations').select('generation')).to.deep.equal([{ generation: 2 }]);
    expect(await context.db('entries').select('id')).to.have.length(1);
  });

  it('a removed association is shown as going, and may be set again before it is gone', async () => {
    await putSecret(sealift.client, 'app/db');
    await set(sealift.client, destinationPath('prod'), 'app/db');
    expect(recordsOf(await remove('app/db'))[0]).to.include({
      sync_status: 'UNSYNCING',
      secret_name: 'app/db',
    });
    expect(recordsOf(await set(sealift.client, destinationPath('prod'), 'app/db'))[0]).to.include({
      sync_status: 'PENDING',
    });
    expect(recordsOf(await remove('', { name: 'app/db' }))[0]).to.include({ sync_status: 'UNSYNCING' });
  });

  it('the removal of an association that never was succeeds', async () => {
    expect(recordsOf(await remove('nothing/here'))).to.deep.equal([]);
    expect(recordsOf(await remove('x', { mount: 'nowhere', secret_name: 'x' }))).to.deep.equal([]);
    const vanished = await sealift.client.post(`${destinationPath('gone')}/associations/remove`, {
      mount: 'secret',
      name: 'x',
    });
    expect(expectOk(vanished)).to.deep.equal({
      store_name: 'gone',
      store_type: 'cloud1-sm',
      associated_secrets: {},
    });
  });

  it('all associations wait while syncing is disabled, also those to be removed', async () => {
    const { client } = sealift;
    await client.patch('/v1/sys/sync/config', { disabled: true });
    await putSecret(client, 'a');
    await putSecret(client, 'b');
    expect(recordsOf(await set(client, destinationPath('prod'), 'a', { headers: {} }))[0]).to.include({
      sync_status: 'PENDING',
    });
    await set(client, destinationPath('prod'), 'b');
    expect(recordsOf(await remove('b'))[0]).to.include({ sync_status: 'PENDING' });
  });

  it('associations beyond the queue capacity are refused while syncing is disabled', async () => {
    const { client } = sealift;
    await client.patch('/v1/sys/sync/config', { disabled: true, queue_capacity: 2 });
    for (const secret of ['a', 'b', 'c']) await putSecret(client, secret);
    expectOk(await set(client, destinationPath('prod'), 'a'));
    expectOk(await set(client, destinationPath('prod'), 'b'));
    const full = await set(client, destinationPath('prod'), 'c');
    expect(expectRefused(full, 503)).to.contain('queue_capacity');
    expect(full.headers['retry-after']).to.equal('60');
    expectOk(await set(client, destinationPath('prod'), 'a'));
    await client.patch('/v1/sys/sync/config', { disabled: false });
    expectOk(await set(client, destinationPath('prod'), 'c'));
  });

  it('pages of associations together hold each of them once', async () => {
    const { client } = sealift;
    const names = ['a', 'a/b', 'a/b/c', 'b', 'ä', 'z z'];
    for (const name of names) {
      await putSecret(client, encodeURIComponent(name).replaceAll('%2F', '/'));
      expectOk(await set(client, destinationPath('prod'), name));
    }
    const seen: unknown[] = [];
    let after = '';
    for (let page = 0; page < 4; page += 1) {
      const data = expectOk(await associations(`?limit=2${after && `&after=${encodeURIComponent(after)}`}`));
      seen.push(
        ...Object.values<{ secret_name: string }>(data.associated_secrets).map(
          (record) => record.secret_name,
        ),
      );
      after = data.next_after;
      if (!after) break;
    }
    expect(seen).to.have.members(names).and.to.have.length(names.length);
    expectRefused(await associations('?limit=0'), 400);
    expectRefused(await associations('?limit=x'), 400);
    expect(expectRefused(await associations('?limit=1&after=nonsense/x'), 400)).to.contain('next_after');
  });

  it('a destination without associations has an empty map, and a missing one is a 404', async () => {
    expect(expectOk(await associations())).to.deep.equal({
      store_name: 'prod',
      store_type: 'cloud1-sm',
      associated_secrets: {},
    });
    const none = await associations('', destinationPath('nobody'));
    expect([none.status, none.body]).to.deep.equal([404, { errors: [] }]);
  });

  it('an existing association shows how its attempts went', async () => {
    const { client, context } = sealift;
    await putSecret(client, 'app/db');
    await set(client, destinationPath('prod'), 'app/db');
    const cause = { class: 'EXTERNAL_SERVICE_ERROR', code: 'timed_out', message: 'no answer' };
    const association = await context.db('associations').first();
    const line = {
      destination_id: association.destination_id,
      mount_id: association.mount_id,
      secret_path: 'app/db',
      sub_key: '',
      action: 'create',
      source_version: 1,
      duration_ms: 12,
    };
    await context.db('sync_history').insert({ ...line, outcome: cause.class, cause: JSON.stringify(cause) });
    await context.db('sync_history').insert({ ...line, outcome: 'SYNCED', cause: null });
    const path = `${destinationPath('prod')}/associations/history?mount=secret&secret_name=app/db`;
    const { history } = expectOk(await client.get(path));
    expect(
      history.map(({ outcome, cause: why }: { outcome: string; cause: unknown }) => [outcome, why]),
    ).to.deep.equal([
      ['SYNCED', null],
      [cause.class, cause],
    ]);
    expect(history[0]).to.include({ version: 1, action: 'create', ms: 12, sub_key: '' });
    const older = expectOk(await client.get(`${path}&limit=1&before=${history[0].id}`));
    expect(older.history).to.deep.equal([history[1]]);
    expectRefused(await client.get(`${destinationPath('prod')}/associations/history?mount=secret`), 400);
    expectRefused(await client.get(path.replace('prod', 'nobody')), 404);
  });

  it('a verification and a check need a worker, and say so', async () => {
    await putSecret(sealift.client, 'app/db');
    await set(sealift.client, destinationPath('prod'), 'app/db');
    const body = { mount: 'secret', secret_name: 'app/db' };
    const [verified, checked] = await Promise.all([
      sealift.client.post(`${destinationPath('prod')}/associations/verify`, body),
      sealift.client.post(`${destinationPath('prod')}/check`),
    ]);
    for (const answer of [verified, checked]) {
      expectRefused(answer, 503);
      expect(Number(answer.headers['retry-after'])).to.be.greaterThan(0);
    }
    expectRefused(await sealift.client.post(`${destinationPath('nobody')}/check`), 404);
    const unknown = await sealift.client.post(`${destinationPath('prod')}/associations/verify`, {
      ...body,
      secret_name: 'x',
    });
    expectRefused(unknown, 404);
  });
});
