import { expect } from 'chai';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { create, destinationPath, expectOk, repository } from './support.ts';

const PRIVATE = 'this-is-the-private-part';

describe('the credentials that a destination uses', () => {
  let sealift: Sealift;

  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  const inUse = async (name: string, type?: string): Promise<unknown> =>
    expectOk(await sealift.client.get(`${destinationPath(name, type)}/credentials`))['in_use'];

  it('the ID of an access key is told, its secret is not, and the destination itself masks both', async () => {
    const keys = { access_key_id: 'AKIAEXAMPLEONE', secret_access_key: PRIVATE };
    const made = await create(sealift.client, destinationPath('one'), { ...keys, region: 'eu-west-1' });
    expect(made.connection_details).to.include({ access_key_id: '*****', secret_access_key: '*****' });
    expect(await inUse('one')).to.deep.equal({ access_key_id: 'AKIAEXAMPLEONE' });
    await sealift.client.patch(destinationPath('one'), {
      access_key_id: 'AKIAEXAMPLETWO',
      secret_access_key: 'x',
    });
    expect(await inUse('one')).to.deep.equal({ access_key_id: 'AKIAEXAMPLETWO' });
  });

  it('a token has no ID that could be told, and an unknown destination is a 404', async () => {
    await create(sealift.client, destinationPath('web', 'repo-host'), repository);
    expect(await inUse('web', 'repo-host')).to.deep.equal({});
    expect((await sealift.client.get(`${destinationPath('nowhere')}/credentials`)).status).to.equal(404);
  });

  it('whoever may read a destination alone is not told which key it uses', async () => {
    const { client } = sealift;
    await client.post('/v1/sys/policies/acl/reader', {
      path: { 'sys/sync/destinations/cloud1-sm/one': { capabilities: ['read'] } },
    });
    const made = await client.post('/v1/auth/token/create', { policies: ['reader'] });
    const token = { token: made.body.auth.client_token };
    expect((await client.get(destinationPath('one'), token)).status).to.equal(200);
    expect((await client.get(`${destinationPath('one')}/credentials`, token)).status).to.equal(403);
  });
});
