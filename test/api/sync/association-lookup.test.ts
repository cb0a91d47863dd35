import { expect } from 'chai';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { destinationPath, create, expectOk, expectRefused, putSecret, repository, set } from './support.ts';

const PATH = '/v1/sys/sync/associations';

describe('the look-up of associations', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
    const { client } = sealift;
    await create(client, destinationPath('prod'), { region: 'eu-west-1' });
    await create(client, destinationPath('web', 'repo-host'), repository);
    for (const mount of ['team/kv', 'team/kv2']) {
      expect((await client.post(`/v1/sys/mounts/${mount}`, { type: 'kv-v2' })).status).to.equal(204);
    }
    await putSecret(client, 'app/db');
    await putSecret(client, 'x/y', { a: '1' }, 'team/kv');
    await putSecret(client, 'x/y', { a: '1' }, 'team/kv2');
    await putSecret(client, 'destinations');
    expectOk(await set(client, destinationPath('prod'), 'app/db'));
    expectOk(await set(client, destinationPath('web', 'repo-host'), 'app/db'));
    expectOk(await set(client, destinationPath('prod'), 'x/y', { mount: 'team/kv' }));
    expectOk(await set(client, destinationPath('web', 'repo-host'), 'x/y', { mount: 'team/kv2' }));
  });
  after(() => sealift.stop());

  it('the list has every associated secret once and counts secrets and associations', async () => {
    expect(expectOk(await sealift.client.list(PATH))).to.deep.equal({
      keys: ['secret/app/db', 'team/kv/x/y', 'team/kv2/x/y'],
      key_info: {
        'secret/app/db': [{ mount: 'secret/', secret_path: 'app/db' }],
        'team/kv/x/y': [{ mount: 'team/kv/', secret_path: 'x/y' }],
        'team/kv2/x/y': [{ mount: 'team/kv2/', secret_path: 'x/y' }],
      },
      total_associations: 4,
      total_secrets: 3,
    });
  });

  it('the destinations of a secret are shown by path and by query alike', async () => {
    const { client } = sealift;
    const byPath = expectOk(await client.get(`${PATH}/secret/app/db`));
    const byQuery = expectOk(await client.get(`${PATH}/destinations?mount=secret/&secret_name=app/db`));
    expect(byPath).to.deep.equal(byQuery);
    const found = byPath.associated_destinations['cloud1-sm/prod'];
    expect(found).to.deep.equal({
      type: 'cloud1-sm',
      name: 'prod',
      sub_key: '',
      sync_status: 'PENDING',
      updated_at: found.updated_at,
      cause: null,
    });
    expect(Object.keys(byPath.associated_destinations)).to.deep.equal([
      'cloud1-sm/prod',
      'repo-host/web/user',
    ]);
  });

  it('secrets in mounts with slashes are found', async () => {
    const { client } = sealift;
    for (const path of ['team/kv/x/y', 'destinations?mount=team/kv&secret_name=x/y']) {
      const { associated_destinations: found } = expectOk(await client.get(`${PATH}/${path}`));
      expect(Object.keys(found), path).to.deep.equal(['cloud1-sm/prod']);
    }
    expect((await client.get(`${PATH}/destinations?mount=team&secret_name=kv/x/y`)).status).to.equal(404);
  });

  it('a secret without associations, a missing one and a bare mount are an empty 404', async () => {
    for (const path of [
      'secret/destinations',
      'secret/no',
      'secret',
      'nowhere/x',
      'destinations?mount=no&secret_name=x',
    ]) {
      const answer = await sealift.client.get(`${PATH}/${path}`);
      expect([answer.status, answer.body], path).to.deep.equal([404, { errors: [] }]);
    }
    expectRefused(await sealift.client.get(`${PATH}/destinations?mount=secret`), 400);
  });
});
