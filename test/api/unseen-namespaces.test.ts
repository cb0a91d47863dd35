import { expect } from 'chai';
import { startSealift, type Sealift } from '../support/sealift.ts';

describe('namespaces in which a token may do nothing', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
    await sealift.client.post('/v1/sys/namespaces/other');
  });
  after(() => sealift.stop());

  it('a namespace in which no rule allows anything answers as one that is missing', async () => {
    const policy = { path: { 'secret/data/own/*': { capabilities: ['read'] } } };
    await sealift.client.post('/v1/sys/policies/acl/own-folder', policy);
    const made = await sealift.client.post('/v1/auth/token/create', { policies: ['own-folder'] });
    const token = made.body.auth.client_token;
    const calls: [method: 'get' | 'post', path: string, body?: object][] = [
      ['get', '/v1/sys/internal/ui/mounts'],
      ['get', '/v1/sys/internal/ui/mounts/secret/own'],
      ['post', '/v1/sys/capabilities-self', { paths: ['secret/data/own/a'] }],
      ['post', '/v1/sys/capabilities-below', { paths: ['secret'] }],
      ['post', '/v1/sys/policies/preview', { policy: '', paths: ['secret'] }],
      ['get', '/v1/sys/schemas'],
      ['get', '/v1/auth/token/lookup-self'],
      ['get', '/v1/cubbyhole/x'],
    ];
    for (const [method, path, body] of calls) {
      const ask = async (namespace: string) => {
        const options = { token, namespace };
        const { status, body: said } =
          method === 'get'
            ? await sealift.client.get(path, options)
            : await sealift.client.post(path, body, options);
        return { status, errors: said.errors };
      };
      const missing = await ask('nowhere');
      expect(missing.status, path).to.equal(403);
      expect(await ask('other'), path).to.deep.equal(missing);
    }
  });
});
