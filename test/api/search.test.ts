import { expect } from 'chai';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { cloud1Settings } from '../support/sandboxed.ts';

const PATH = '/v1/sys/sync/destinations/cloud1-sm';

describe('searching by a part of a name', () => {
  let sealift: Sealift;

  before(async () => {
    sealift = await startSealift();
    const { client } = sealift;
    for (const name of ['app/Payments', 'app/db', 'other/pay', 'deep/er/pay'])
      await client.post(`/v1/secret/data/${name}`, { data: { user: 'pay' } });
    for (const name of ['payroll', 'web']) await client.post(`${PATH}/${name}`, cloud1Settings());
    await client.post('/v1/sys/namespaces/team');
    await client.post('/v1/sys/mounts/secret', { type: 'kv-v2' }, { namespace: 'team' });
    await client.post('/v1/secret/data/team-pay', { data: { user: 'x' } }, { namespace: 'team' });
  });

  after(() => sealift.stop());

  const search = async (q: string, options = {}) => {
    const answer = await sealift.client.get(`/v1/sys/search?q=${encodeURIComponent(q)}`, options);
    expect(answer.status, answer.text).to.equal(200);
    const { destinations, secrets, is_complete: isComplete } = answer.body.data;
    return {
      isComplete,
      destinations: destinations.map(({ name }: { name: string }) => name),
      secrets: secrets.map(
        (one: { mount: string; secret_name: string }) => `${one.mount}/${one.secret_name}`,
      ),
    };
  };
  const tokenWith = async (name: string, path: object): Promise<string> => {
    await sealift.client.post(`/v1/sys/policies/acl/${name}`, { path });
    return (await sealift.client.post('/v1/auth/token/create', { policies: [name] })).body.auth.client_token;
  };

  it('destinations and secrets of the namespace are found, whatever the case', async () => {
    expect(await search('PAY')).to.deep.equal({
      isComplete: true,
      destinations: ['payroll'],
      secrets: ['secret/app/Payments', 'secret/deep/er/pay', 'secret/other/pay'],
    });
    expect((await search('pay', { namespace: 'team' })).secrets).to.deep.equal(['secret/team-pay']);
    expect((await search('secret/app')).secrets).to.have.length(2);
    expect(await search('nothing like it')).to.deep.equal({
      isComplete: true,
      destinations: [],
      secrets: [],
    });
    expect((await search('%')).secrets).to.deep.equal([]);
  });

  it('nobody finds what he may neither read nor list', async () => {
    const nobody = await tokenWith('nobody', { 'sys/health': { capabilities: ['read'] } });
    expect(await search('pay', { token: nobody })).to.deep.include({ destinations: [], secrets: [] });
    const reader = await tokenWith('reads', { 'secret/data/app/*': { capabilities: ['read'] } });
    expect((await search('pay', { token: reader })).secrets).to.deep.equal(['secret/app/Payments']);
    const lister = await tokenWith('lists', {
      'secret/metadata/other/': { capabilities: ['list'] },
      [`sys/sync/destinations/cloud1-sm/payroll`]: { capabilities: ['read'] },
    });
    expect(await search('pay', { token: lister })).to.deep.include({
      destinations: ['payroll'],
      secrets: ['secret/other/pay'],
    });
  });

  it('an answer that leaves something out says so', async () => {
    const answer = await sealift.client.get('/v1/sys/search?q=pay&limit=2');
    expect(answer.body.data.secrets).to.have.length(2);
    expect(answer.body.data.is_complete).to.equal(false);
    expect((await sealift.client.get('/v1/sys/search?q=')).status).to.equal(400);
    expect((await sealift.client.get('/v1/sys/search?q=pay&limit=101')).status).to.equal(400);
  });
});
