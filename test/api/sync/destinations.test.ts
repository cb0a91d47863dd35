import { expect } from 'chai';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { listen } from './events.ts';
import { destinationPath, create, expectOk, expectRefused, repository } from './support.ts';

const KEYS = { access_key_id: 'AKIAEXAMPLE', secret_access_key: 'very/secret' };

describe('destinations', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift({ environment: { AMBIENT_CREDENTIALS: 'all' } });
  });
  after(() => sealift.stop());

  it('a destination reads back as sent, with sensitive settings masked and defaults filled in', async () => {
    const { client } = sealift;
    const body = { ...KEYS, region: 'eu-west-1', custom_tags: { Team: 'Web', a: '' } };
    const expected = {
      name: 'prod',
      type: 'cloud1-sm',
      connection_details: { access_key_id: '*****', secret_access_key: '*****', region: 'eu-west-1' },
      options: {
        granularity_level: 'secret-path',
        secret_name_template: 'sealift/{{ .MountAccessor }}/{{ .SecretPath }}',
        custom_tags: { Team: 'Web', a: '' },
        conflict_policy: 'refuse',
        deletion_policy: 'delete',
        on_latest_deleted: 'previous',
        drift_check: false,
        owner_check_seconds: 0,
      },
    };
    const made = await create(client, destinationPath('prod'), body);
    expect(made).to.deep.equal(expected);
    const read = await client.get(destinationPath('prod'));
    expect(read.body.data).to.deep.equal(made);
    expect(read.body.mount_type).to.equal('system');
    const row = await sealift.context.db('destinations').where({ name: 'prod' }).first();
    expect(JSON.stringify(row)).to.not.match(/AKIAEXAMPLE|very\/secret/);
    expect(row.sealed_settings.toString('latin1')).to.not.contain('AKIAEXAMPLE');
  });

  it('settings that were never given are left out', async () => {
    const read = await create(sealift.client, destinationPath('bare'), { region: '', access_key_id: null });
    expect(read.connection_details).to.deep.equal({});
  });

  it('a destination is the same under the alias of its type, which is echoed as asked', async () => {
    const { client } = sealift;
    const made = await client.call('PUT', destinationPath('web', 'gh'), repository);
    expect(expectOk(made).type).to.equal('gh');
    expect(expectOk(await client.get(destinationPath('web', 'repo-host')))).to.include({
      type: 'repo-host',
      name: 'web',
    });
    const row = await sealift.context.db('destinations').where({ name: 'web' }).first('type');
    expect(row.type).to.equal('repo-host');
    expect((await client.delete(destinationPath('web', 'gh'))).status).to.equal(204);
    expect((await client.get(destinationPath('web', 'repo-host'))).body).to.deep.equal({ errors: [] });
  });

  it('destinations are listed by type and altogether, and an empty list is a 404 without a text', async () => {
    const { client } = sealift;
    await create(client, destinationPath('web', 'repo-host'), repository);
    const all = expectOk(await client.list('/v1/sys/sync/destinations'));
    expect(all).to.deep.equal({
      keys: ['cloud1-sm/', 'repo-host/'],
      key_info: { 'cloud1-sm/': ['bare', 'prod'], 'repo-host/': ['web'] },
      total_destinations: 3,
    });
    const one = expectOk(await client.list('/v1/sys/sync/destinations/aws-sm/'));
    expect(one).to.deep.equal({ keys: ['bare', 'prod'], total_destinations: 2 });
    await client.delete(destinationPath('web', 'repo-host'));
    for (const path of ['repo-host', 'nonsense']) {
      const none = await client.list(`/v1/sys/sync/destinations/${path}`);
      expect([none.status, none.body]).to.deep.equal([404, { errors: [] }]);
    }
    for (const path of [destinationPath('nobody'), destinationPath('x', 'nonsense')]) {
      const none = await client.get(path);
      expect([none.status, none.body]).to.deep.equal([404, { errors: [] }]);
    }
  });

  it('a destination is not seen from another namespace, which may use the same name', async () => {
    const { client } = sealift;
    await client.post('/v1/sys/namespaces/tenant');
    const inside = { namespace: 'tenant' };
    expect((await client.get(destinationPath('prod'), inside)).status).to.equal(404);
    expect((await client.list('/v1/sys/sync/destinations', inside)).status).to.equal(404);
    await create(client, destinationPath('prod'), { region: 'us-east-1' }, inside);
    expect((await client.delete(destinationPath('prod'), inside)).status).to.equal(204);
    expect(expectOk(await client.get(destinationPath('prod'))).connection_details.region).to.equal(
      'eu-west-1',
    );
  });

  it('the strings of a command line are taken for lists, maps and numbers', async () => {
    const body = { custom_tags: 'a=1,b=2', recovery_window_in_days: '7' };
    const made = await create(sealift.client, destinationPath('weak'), body);
    expect(made.options.custom_tags).to.deep.equal({ a: '1', b: '2' });
    expect(made.connection_details.recovery_window_in_days).to.equal(7);
  });

  it('unknown keys get a warning and are not kept', async () => {
    const answer = await sealift.client.post(destinationPath('extra'), {
      ...KEYS,
      region: 'us-east-1',
      yyy: 'a',
      zzz: 1,
    });
    expect(answer.body.warnings).to.deep.equal(['Endpoint ignored these unrecognized parameters: [yyy zzz]']);
    expect(answer.body.data.connection_details).to.have.all.keys(
      'region',
      'access_key_id',
      'secret_access_key',
    );
  });

  it('events tell of destinations without any secret', async () => {
    const events = await listen(sealift, 'destination.changed');
    await create(sealift.client, destinationPath('told'), KEYS);
    await sealift.client.delete(destinationPath('told'));
    const seen = await events.take(2);
    await events.stop();
    expect(seen.map(({ change, name, type }) => [type, name, change])).to.deep.equal([
      ['cloud1-sm', 'told', 'created'],
      ['cloud1-sm', 'told', 'deleted'],
    ]);
    expect(JSON.stringify(seen)).to.not.contain('secret');
  });

  it('a destination needs the right on its path, whatever the type is called', async () => {
    const { client } = sealift;
    const policy = { path: { 'sys/sync/destinations/aws-sm/mine': { capabilities: ['create', 'read'] } } };
    await client.call('PUT', '/v1/sys/policies/acl/mine', { policy: JSON.stringify(policy) });
    const made = await client.post('/v1/auth/token/create', { policies: ['mine'] });
    const as = { token: made.body.auth.client_token };
    expect((await client.post(destinationPath('mine'), {}, as)).status).to.equal(200);
    expect((await client.get(destinationPath('mine', 'aws-sm'), as)).status).to.equal(200);
    expectRefused(await client.post(destinationPath('mine'), { region: 'us-east-1' }, as), 403);
    expectRefused(await client.patch(destinationPath('mine'), { region: 'us-east-1' }, as), 403);
    expectRefused(await client.get(destinationPath('prod'), as), 403);
    expectRefused(await client.get(destinationPath('mine'), { token: null }), 403);
  });
});
