import { expect } from 'chai';
import { startSealift, type Sealift } from '../support/sealift.ts';

describe('policy documents', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  const documentOf = (rules: Record<string, string[]>) => ({
    path: Object.fromEntries(Object.entries(rules).map(([path, capabilities]) => [path, { capabilities }])),
  });

  it('policies are written as a document or as a text, listed, read as written and deleted', async () => {
    const { client } = sealift;
    const text = '{ "path": {"secret/*": {"capabilities": ["read"]}} }';
    expect((await client.call('PUT', '/v1/sys/policies/acl/Dev', { policy: text })).status).to.equal(204);
    const written = await client.get('/v1/sys/policies/acl/dev');
    expect(written.body.data).to.deep.equal({ name: 'dev', policy: text });
    expect(written.headers['etag']).to.match(/^"1-/);
    expect((await client.post('/v1/sys/policies/acl/doc', documentOf({ 'a/*': ['list'] }))).status).to.equal(
      204,
    );
    expect(JSON.parse((await client.get('/v1/sys/policies/acl/doc')).body.data.policy)).to.deep.equal(
      documentOf({ 'a/*': ['list'] }),
    );
    expect((await client.list('/v1/sys/policies/acl')).body.data.keys).to.include.members([
      'default',
      'dev',
      'doc',
      'root',
      'site-admin',
    ]);
    expect((await client.delete('/v1/sys/policies/acl/dev')).status).to.equal(204);
    expect((await client.delete('/v1/sys/policies/acl/dev')).status).to.equal(204);
    expect((await client.get('/v1/sys/policies/acl/dev')).status).to.equal(404);
  });

  it('the built-in policies can be read and not changed', async () => {
    for (const name of ['root', 'default', 'site-admin', 'ROOT']) {
      expect((await sealift.client.get(`/v1/sys/policies/acl/${name}`)).status).to.equal(200);
      expect((await sealift.client.post(`/v1/sys/policies/acl/${name}`, { path: {} })).status).to.equal(400);
      expect((await sealift.client.delete(`/v1/sys/policies/acl/${name}`)).status).to.equal(400);
    }
  });

  it('a policy is refused with the reason where a part would not be enforced', async () => {
    const refusals: [unknown, RegExp][] = [
      [{ policy: '{' }, /line 1, column 2: the text ends too early/],
      [{ policy: '' }, /missing/],
      [{}, /missing/],
      [{ path: ['secret/*'] }, /object of paths/],
      [{ path: { 'a/*': ['read'] } }, /must be an object/],
      [{ path: { 'a/*': { capabilities: 'read' } } }, /must be a list/],
      [{ path: { 'a/*': { capabilities: ['reed'] } } }, /"reed"/],
      [{ path: { 'a/*': { capabilities: ['read'], control_group: {} } } }, /"control_group".*not enforced/],
      [{ path: { 'a/*/b': { capabilities: ['deny'] } } }, /use \+ for one segment/],
      [{ path: { 'a/+*': { capabilities: ['deny'] } } }, /\+\*/],
      [{ path: { 'a//b': { capabilities: ['deny'] } } }, /empty segment/],
      [{ path: { 'v1/secret/*': { capabilities: ['deny'] } } }, /v1/],
      [{ path: { '': { capabilities: ['deny'] } } }, /1 to 1024/],
      [{ path: { 'a\u0000': { capabilities: ['deny'] } } }, /control/],
      [{ policy: '{"path":{"a":{"capabilities":["deny"]},"a":{"capabilities":["read"]}}}' }, /occurs twice/],
      [{ policy: '{"path":{}}', path: {} }, /not both/],
    ];
    for (const [body, reason] of refusals) {
      const answer = await sealift.client.post('/v1/sys/policies/acl/refused', body);
      expect(answer.status, JSON.stringify(body)).to.equal(400);
      expect(answer.body.errors.join(' '), JSON.stringify(body)).to.match(reason);
    }
    const odd = '/v1/sys/policies/acl/a%20b';
    expect((await sealift.client.post(odd, { path: {} })).status).to.equal(400);
    expect((await sealift.client.get(odd)).status).to.equal(404);
    expect((await sealift.client.delete(odd)).status).to.equal(204);
  });

  it('the older path answers in the older words', async () => {
    const { client } = sealift;
    const rules = JSON.stringify(documentOf({ 'a/*': ['read'] }));
    expect((await client.call('PUT', '/v1/sys/policy/older', { rules })).status).to.equal(204);
    expect((await client.get('/v1/sys/policy/older')).body).to.deep.include({ name: 'older', rules });
    expect((await client.get('/v1/sys/policy')).body.policies).to.include('older');
    expect((await client.delete('/v1/sys/policy/older')).status).to.equal(204);
  });
});
