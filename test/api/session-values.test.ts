import { expect } from 'chai';
import type { Answer, CallOptions } from '../support/client.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };
const NONE = /a browser session makes no token that may read values of secrets/;

describe('values and sessions of browsers', () => {
  let sealift: Sealift;
  let page: CallOptions;
  before(async () => {
    sealift = await startSealift();
    const { client } = sealift;
    await client.post('/v1/secret/data/app', { data: { password: 'a-canary' } });
    await client.post('/v1/sys/mounts/plain', { type: 'kv' });
    await client.post('/v1/plain/app', { password: 'a-canary' });
    await client.post('/v1/sys/namespaces/team');
    await client.post('/v1/sys/mounts/kv', { type: 'kv-v2' }, { namespace: 'team' });
    await write('reader', 'path "secret/data/app" { capabilities = ["read"] }');
    await write('lister', 'path "secret/metadata/*" { capabilities = ["read", "list"] }');
    page = await signIn({ token: sealift.token });
  });
  after(() => sealift.stop());

  const write = (name: string, policy: string): Promise<Answer> =>
    sealift.client.post(`/v1/sys/policies/acl/${name}`, { policy });

  async function signIn(options: CallOptions): Promise<CallOptions> {
    const answer = await sealift.client.post('/v1/auth/session', undefined, {
      ...options,
      headers: OWN_PAGE,
    });
    const cookie = String([answer.headers['set-cookie']].flat()[0]).split(';', 1)[0] ?? '';
    const headers = { ...OWN_PAGE, cookie, 'x-sealift-csrf': answer.body.data.csrf as string };
    return { token: null, headers };
  }

  const make = (body: object, options = page): Promise<Answer> =>
    sealift.client.post('/v1/auth/token/create', body, options);

  it('a session makes no token that would read values, by whichever policy', async () => {
    await write('everything', 'path "*" { capabilities = ["read"] }');
    await write('one-segment', 'path "+/data/app" { capabilities = ["read"] }');
    await write('plain', 'path "plain/app" { capabilities = ["read", "list"] }');
    await write('team', 'path "team/kv/data/+" { capabilities = ["read"] }');
    for (const policies of [
      ['reader'],
      ['lister', 'reader'],
      ['everything'],
      ['one-segment'],
      ['plain'],
      ['team'],
      ['root'],
      [],
    ]) {
      const answer = await make({ policies });
      expect([answer.status, policies], answer.text).to.deep.equal([403, policies]);
      expect(answer.text).to.match(NONE);
    }
    await sealift.client.post('/v1/auth/token/roles/reads', { allowed_policies: ['reader'] });
    for (const path of ['create-orphan', 'create/reads'])
      expect(
        (await sealift.client.post(`/v1/auth/token/${path}`, { policies: ['reader'] }, page)).text,
        path,
      ).to.match(NONE);
  });

  it('a session makes other tokens, and these read nothing if their policies are widened later', async () => {
    const { client } = sealift;
    const made = await make({ policies: ['lister', 'later'] });
    expect(made.status, made.text).to.equal(200);
    const own = { token: made.body.auth.client_token as string };
    expect((await client.list('/v1/secret/metadata', own)).body.data.keys).to.deep.equal(['app']);
    await write(
      'later',
      'path "secret/data/*" { capabilities = ["read"] } path "auth/token/create" { capabilities = ["update", "sudo"] } path "plain/*" { capabilities = ["read"] }',
    );
    for (const path of ['secret/data/app', 'plain/app', 'cubbyhole/x']) {
      const read = await client.get(`/v1/${path}`, own);
      expect(read.status, path).to.equal(403);
      expect(read.text).to.contain('a session does not read values');
    }
    expect((await make({ policies: ['reader'] }, own)).text).to.match(NONE);
    const child = await make({ policies: ['lister'] }, own);
    const { db } = sealift.context;
    const row = await db('tokens').where({ accessor: child.body.auth.accessor }).first('reads_values');
    expect(row).to.deep.equal({ reads_values: false });
    const wrapped = await client.post(
      '/v1/sys/wrapping/wrap',
      { a: 1 },
      { ...own, headers: { 'x-vault-wrap-ttl': '60' } },
    );
    expect(wrapped.status).to.equal(403);
  });

  it('a session wraps nothing, so no value leaves it for somebody else', async () => {
    const { client } = sealift;
    const headers = { ...page.headers, 'x-vault-wrap-ttl': '60' };
    for (const path of ['sys/reveal/secret/app', 'sys/wrapping/wrap', 'auth/token/create']) {
      const answer = await client.post(`/v1/${path}`, { policies: ['lister'] }, { token: null, headers });
      expect(answer.status, path).to.equal(403);
      expect(answer.text).to.contain('a session reads no values, and so wraps none');
    }
    const shown = await client.post('/v1/sys/reveal/secret/app', {}, page);
    expect(shown.body.data.values.password.text).to.equal('a-canary');
  });

  it('a token that was made with a token reads what its policies say', async () => {
    const made = await make({ policies: ['reader'] }, {});
    const token = made.body.auth.client_token as string;
    expect((await sealift.client.get('/v1/secret/data/app', { token })).status).to.equal(200);
  });
});
