import { expect } from 'chai';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { create, destinationPath, expectOk, putSecret, repository, set } from './support.ts';

const PATH = '/v1/sys/sync/summary/destinations';
const KEYS = { access_key_id: 'AKIAEXAMPLEONE', secret_access_key: 'a-key', region: 'eu-west-1' };

describe('the list of destinations', () => {
  let sealift: Sealift;

  before(async () => {
    sealift = await startSealift();
    const { client } = sealift;
    for (const name of ['beta', 'alpha', 'Gamma']) await create(client, destinationPath(name), KEYS);
    await create(client, destinationPath('web', 'repo-host'), repository);
    await putSecret(client, 'app/one');
    await putSecret(client, 'app/two');
    await set(client, destinationPath('beta'), 'app/one');
    await set(client, destinationPath('beta'), 'app/two');
    await set(client, destinationPath('web', 'repo-host'), 'app/one');
    await sealift.context.db.raw(
      `UPDATE associations SET due_at = NULL, synced_generation = generation, failure = '{"class": "CLIENT_SIDE_ERROR", "code": "conflict", "message": "taken"}'
       WHERE destination_id = (SELECT id FROM destinations WHERE name = 'web')`,
    );
  });
  after(() => sealift.stop());

  const find = async (query: string) => {
    const data = expectOk(await sealift.client.get(`${PATH}?${query}`));
    const names = data.destinations.map((one: { store_name: string }) => one.store_name);
    return { ...data, names };
  };

  it('destinations are found by type, alias, exact name, part of the name, and vendor', async () => {
    expect((await find('')).names).to.deep.equal(['alpha', 'beta', 'Gamma', 'web']);
    expect((await find('type=repo-host')).names).to.deep.equal(['web']);
    expect((await find('type=gh')).names).to.deep.equal(['web']);
    expect((await find('name=beta')).names).to.deep.equal(['beta']);
    expect((await find('q=BET')).names).to.deep.equal(['beta']);
    expect((await find('q=github')).names).to.deep.equal(['web']);
    expect((await find('q=nowhere')).total).to.equal(0);
  });

  it('a list of the namespaces below has what the caller may list there, and says where it is', async () => {
    const { client } = sealift;
    for (const path of ['team', 'team/web', 'other']) {
      await client.post(`/v1/sys/namespaces/${path}`);
      expectOk(
        await client.post(`/v1${destinationPath('delta').replace(/^\/v1/, '')}`, KEYS, { namespace: path }),
      );
    }
    const where = async (query: string, options = {}) => {
      const { destinations } = expectOk(await client.get(`${PATH}?q=delta&${query}`, options));
      return destinations.map((one: { namespace: string }) => one.namespace);
    };
    expect(await where('')).to.deep.equal([]);
    expect((await where('namespaces=below')).toSorted()).to.deep.equal(['other', 'team', 'team/web']);
    expect((await where('namespaces=below', { namespace: 'team' })).toSorted()).to.deep.equal([
      'team',
      'team/web',
    ]);
    const read = { capabilities: ['read'] };
    await client.post('/v1/sys/policies/acl/some', {
      path: { 'sys/sync/summary/destinations': read, 'team/web/sys/sync/summary/destinations': read },
    });
    const made = await client.post('/v1/auth/token/create', { policies: ['some'] });
    const token = made.body.auth.client_token;
    expect(await where('namespaces=below', { token })).to.deep.equal(['team/web']);
    expect((await client.get(`${PATH}?namespaces=nowhere`)).status).to.equal(400);
  });

  it('destinations are found by the status of their links, with the counts of each', async () => {
    const pending = await find('status=PENDING');
    expect(pending.names).to.deep.equal(['beta']);
    expect(pending.destinations[0].by_status).to.deep.equal({ PENDING: 2 });
    const failing = await find('status=CLIENT_SIDE_ERROR&status=INTERNAL_ERROR');
    expect(failing.names).to.deep.equal(['web']);
    expect(failing.destinations[0].problems[0].cause.code).to.equal('conflict');
    expect((await find('status=SYNCED')).total).to.equal(0);
    expect((await sealift.client.get(`${PATH}?status=NONSENSE`)).status).to.equal(400);
  });

  it('a list by type or status counts its groups in its order, also where a page begins later', async () => {
    const byType = await find('sort=type');
    expect(byType.groups).to.deep.equal([
      { key: 'cloud1-sm', count: 3 },
      { key: 'repo-host', count: 1 },
    ]);
    expect(byType.names.at(-1)).to.equal('web');
    const byStatus = await find('sort=status');
    expect(byStatus.groups).to.deep.equal([
      { key: 'CLIENT_SIDE_ERROR', count: 1 },
      { key: 'PENDING', count: 1 },
    ]);
    expect(byStatus.names.slice(0, 2)).to.deep.equal(['web', 'beta']);
    expect((await find('sort=links')).names[0]).to.equal('beta');
    const later = await find('sort=status&offset=1&limit=1');
    expect(later).to.deep.include({ total: 4, names: ['beta'], groups: byStatus.groups });
  });

  it('the summary names the worst destinations alone if asked, and counts them all', async () => {
    const data = expectOk(await sealift.client.get('/v1/sys/sync/summary?most=2'));
    expect(data.destinations.map((one: { store_name: string }) => one.store_name)).to.deep.equal([
      'web',
      'beta',
    ]);
    expect(data).to.include({ destination_count: 4, total: 3 });
    const whole = expectOk(await sealift.client.get('/v1/sys/sync/summary'));
    expect(whole.destinations).to.have.length(4);
    expect(whole.by_status).to.deep.equal(data.by_status);
  });
});
