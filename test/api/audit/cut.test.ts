import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { entryOf, named } from './support.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('what the audit trail cuts', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  const detailOf = async (requestId: string) => (await entryOf(sealift, requestId)).detail ?? {};
  const post = async (path: string, body: unknown, requestId: string, status?: number) => {
    const answer = await sealift.client.post(path, body, named(requestId));
    if (status === undefined) expect(answer.status, answer.text).to.be.below(300);
    else expect(answer.status, answer.text).to.equal(status);
  };
  const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

  it('the audit trail names every version that is deleted, undeleted or destroyed', async () => {
    await post('/v1/secret/data/hidden', { data: { a: '1' } }, 'cut-1');
    for (const act of ['delete', 'undelete', 'destroy']) {
      await post(`/v1/secret/${act}/hidden`, { versions: [...range(5001, 999), 1] }, `cut-${act}`);
      const { versions } = await detailOf(`cut-${act}`);
      expect(versions, act).to.deep.equal([1, ...range(5001, 999)]);
      await post(`/v1/secret/${act}/hidden`, { versions: range(1, 1001) }, `cut-${act}-many`, 400);
    }
  });

  it('the entry of a large policy tells the rules that give most, and the SHA-256 of the text', async () => {
    const harmless = range(0, 300).map((index) => `path "a/${index}" { capabilities = ["read"] }`);
    const rights = 'path "zz/secret/*" { capabilities = ["read", "sudo"] }';
    const policy = [...harmless, rights, 'path "b" { capabilities = ["delete"] }'].join('\n');
    await post('/v1/sys/policies/acl/large', { policy }, 'cut-policy');
    const { added, more, sha256: print } = await detailOf('cut-policy');
    expect(added).to.include({ 'zz/secret/*': 'read, sudo', b: 'delete' });
    expect([Object.keys(added as object).length, more, print]).to.deep.equal([50, 252, sha256(policy)]);
  });

  it('new values of the parameters of a rule are told by fingerprints, without the values', async () => {
    const write = (values: string, requestId: string) =>
      post(
        '/v1/sys/policies/acl/parameters',
        { policy: `path "a" { capabilities = ["read"] allowed_parameters = { "ttl" = ${values} } }` },
        requestId,
      );
    await write('["1h"]', 'cut-2');
    await write('["1000h"]', 'cut-3');
    const { changed } = await detailOf('cut-3');
    const [, old, next] =
      /fingerprint:(\w+)\) -> read, with allowed_parameters \(fingerprint:(\w+)\)$/.exec(
        (changed as Record<string, string>)['a'] ?? '',
      ) ?? [];
    expect([old, next]).to.not.include(undefined);
    expect(old).to.not.equal(next);
    expect(JSON.stringify(changed)).to.not.include('1000h');
  });

  it('a name that comes into a long list of a role is told, whatever else the list has', async () => {
    const names = range(0, 450).map((index) => `harmless-policy-${index}`);
    await post('/v1/auth/token/roles/long', { allowed_policies: [...names, 'site-admin'] }, 'cut-role-1');
    const first = (await detailOf('cut-role-1'))['changed'] as Record<string, Record<string, unknown>>;
    const { added, new: next } = first['allowed_policies'] ?? {};
    const { told, more } = added as { told: string[]; more: number };
    expect(told[0]).to.equal('site-admin');
    expect(told.length + more).to.equal(451);
    expect(next).to.include({ count: 451 });
    await post('/v1/auth/token/roles/long', { allowed_policies: [...names, 'root-like'] }, 'cut-role-2');
    const second = (await detailOf('cut-role-2'))['changed'] as Record<string, Record<string, unknown>>;
    expect(second['allowed_policies']).to.deep.include({ added: ['root-like'], removed: ['site-admin'] });
  });

  it('the entry of a reveal names only keys that exist, and counts the others', async () => {
    await post('/v1/secret/data/shown', { data: { a: '1', b: '2' } }, 'cut-4');
    const absent = range(0, 9000).map((index) => `${'x'.repeat(90)}${index}`);
    await post('/v1/sys/reveal/secret/shown', { keys: ['b', ...absent, 'no\0where'] }, 'cut-5');
    expect(await detailOf('cut-5')).to.deep.equal({ version: 1, keys: ['b'], unknown_keys: 9001 });
  });

  it('no detail has more than 16 KiB, and a key with any letters spoils no entry', async () => {
    const keys = range(0, 900).map((index) => `key-${index}-${'\u0001'.repeat(20)}`);
    const data = Object.fromEntries([...keys, 'null\0', 'half\uD800'].map((key) => [key, '1']));
    await post('/v1/secret/data/wide', { data }, 'cut-6');
    await post('/v1/sys/reveal/secret/wide', {}, 'cut-7');
    const detail = await detailOf('cut-7');
    expect(JSON.stringify(detail).length).to.be.below(16 * 1024);
    const { told, more } = detail['keys'] as { told: string[]; more: number };
    expect([told.length + more, detail['version']]).to.deep.equal([902, 1]);
    await post('/v1/sys/reveal/secret/wide', { keys: ['null\0'] }, 'cut-8');
    expect((await detailOf('cut-8'))['keys']).to.deep.equal(['null\uFFFD']);
  });

  it('a text of many letters is told by its beginning, its length and its SHA-256', async () => {
    const text = 'd'.repeat(1500);
    const archs = [{ url: 'https://example.com/p', sha: 'a'.repeat(64), os: 'linux', arch: 'amd64' }];
    const attributes = { version: '1.2.3', archs, deprecated: true, 'deprecated-reason': text };
    const type = 'policy-engine-versions';
    await post(`/api/v2/admin/${type}`, { data: { type, attributes } }, 'cut-9');
    const changed = (await detailOf('cut-9'))['changed'] as Record<string, unknown>;
    expect(changed['deprecatedReason']).to.deep.equal({
      old: null,
      new: { begins: 'd'.repeat(1000), letters: 1500, sha256: sha256(text) },
    });
  });

  it('the credentials within a URL are masked', async () => {
    await post('/v1/sys/mounts/described', { type: 'kv', options: { version: '2' } }, 'cut-10');
    await post(
      '/v1/sys/mounts/described/tune',
      { description: 'see https://u:CaNaRy@idp.example/x' },
      'cut-12',
    );
    const text = JSON.stringify(await detailOf('cut-12'));
    expect(text).to.include('https://*****@idp.example/x').and.not.include('CaNaRy');
  });
});
