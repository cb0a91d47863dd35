import { expect } from 'chai';
import { startSealift, type Sealift } from '../support/sealift.ts';

const OWN = '/v1/auth/token/lookup-self';

describe('requests whose headers name two tokens or two namespaces', () => {
  let sealift: Sealift;
  let weak: string;
  before(async () => {
    sealift = await startSealift();
    weak = (await sealift.client.post('/v1/auth/token/create', { policies: ['default'] })).body.auth
      .client_token;
    for (const name of ['team', 'other']) {
      await sealift.client.post(`/v1/sys/namespaces/${name}`);
      await sealift.client.post('/v1/sys/mounts/kv', { type: 'kv-v2' }, { namespace: name });
      await sealift.client.post('/v1/kv/data/x', { data: { name } }, { namespace: name });
    }
  });
  after(() => sealift.stop());

  const get = (path: string, headers: Record<string, string>) =>
    sealift.client.get(path, { token: null, headers });

  it('an Authorization that is not ours gives way to X-Vault-Token', async () => {
    for (const authorization of ['Bearer eyJhbGciOiJSUzI1NiJ9.e30.x', 'Basic YTpi', `Bearer ${weak}`])
      expect((await get(OWN, { authorization, 'x-vault-token': weak })).body.data.id).to.equal(weak);
    const ours = { authorization: `Bearer ${weak}`, 'x-vault-token': 'of-a-proxy' };
    expect((await get(OWN, ours)).body.data.id).to.equal(weak);
  });

  it('two different tokens of ours are refused, whichever has more rights', async () => {
    for (const [first, second] of [
      [weak, sealift.token],
      [sealift.token, weak],
    ] as const) {
      const answer = await get(OWN, { authorization: `Bearer ${first}`, 'x-vault-token': second });
      expect([answer.status, answer.body.errors]).to.deep.equal([
        400,
        ['Authorization and X-Vault-Token have different tokens: send only one of them'],
      ]);
    }
  });

  it('monitoring does not care for tokens', async () => {
    const two = { authorization: `Bearer ${weak}`, 'x-vault-token': sealift.token };
    expect((await get('/v1/sys/health', two)).status).to.equal(200);
  });

  it('two different namespaces are refused, and one that is named twice is not', async () => {
    const read = (own: string, ofVault: string) =>
      sealift.client.get('/v1/kv/data/x', { headers: { 'x-namespace': own, 'x-vault-namespace': ofVault } });
    for (const [own, ofVault] of [
      ['other', 'team'],
      ['team', 'team/other'],
      ['root', 'team'],
    ] as const) {
      const answer = await read(own, ofVault);
      expect([answer.status, answer.body.errors]).to.deep.equal([
        400,
        ['X-Namespace and X-Vault-Namespace name different namespaces: send only one of them'],
      ]);
    }
    for (const [own, ofVault] of [
      ['team', 'team/'],
      ['', '/team'],
      ['team', ''],
    ] as const)
      expect((await read(own, ofVault)).body.data.data).to.deep.equal({ name: 'team' });
  });
});
