import { expect } from 'chai';
import type { Answer, CallOptions } from '../support/client.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };

/** What a page of the console gets at sign-in. */
type SignedIn = { cookie: string; csrf: string; answer: Answer };

describe('sessions of browsers', () => {
  let sealift: Sealift;

  before(async () => {
    sealift = await startSealift();
    await sealift.client.post('/v1/secret/data/app/db', { data: { password: 'a-value' } });
  });

  after(() => sealift.stop());

  const signIn = async (options: CallOptions = {}): Promise<SignedIn> => {
    const answer = await sealift.client.post('/v1/auth/session', undefined, {
      ...options,
      headers: { ...OWN_PAGE, ...options.headers },
    });
    const [cookie = ''] = [answer.headers['set-cookie'] ?? ''].flat();
    return { cookie: cookie.split(';', 1)[0] ?? '', csrf: answer.body?.data?.csrf ?? '', answer };
  };

  const asPage = ({ cookie, csrf }: SignedIn, headers: Record<string, string> = {}): CallOptions => ({
    token: null,
    headers: { cookie, 'x-sealift-csrf': csrf, ...headers },
  });

  const makeToken = async (body: object): Promise<string> => {
    const made = await sealift.client.post('/v1/auth/token/create', body);
    return made.body.auth.client_token;
  };

  it('a session acts for its token, and its cookie is no token', async () => {
    const page = await signIn();
    expect(page.answer.status).to.equal(200);
    expect(page.answer.headers['set-cookie']).to.match(
      /^sealift-[0-9a-f]{8}=sls\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect(page.answer.text).to.not.include(sealift.token);
    const mounts = await sealift.client.get('/v1/sys/mounts', asPage(page));
    expect(mounts.status).to.equal(200);
    const secret = page.cookie.split('=')[1] ?? '';
    expect((await sealift.client.get('/v1/sys/mounts', { token: secret })).status).to.equal(403);
    const [stored] = await sealift.context.db('sessions').select('hash');
    expect(stored.hash.toString('latin1')).to.not.include(secret);
  });

  it('a cookie says nothing without the header that only pages of the console send', async () => {
    const page = await signIn();
    const bare = { token: null, headers: { cookie: page.cookie } };
    expect((await sealift.client.get('/v1/sys/mounts', bare)).status).to.equal(403);
    const wrong = asPage({ ...page, csrf: 'A'.repeat(43) });
    expect((await sealift.client.get('/v1/sys/mounts', wrong)).status).to.equal(403);
    const other = await signIn();
    const crossed = asPage({ ...page, csrf: other.csrf });
    expect((await sealift.client.get('/v1/sys/mounts', crossed)).status).to.equal(403);
  });

  it('a write of another site is refused, with cookie and header too', async () => {
    const page = await signIn();
    const write = (headers: Record<string, string>): Promise<Answer> =>
      sealift.client.post('/v1/secret/data/app/x', { data: {} }, asPage(page, headers));
    const host = new URL(sealift.url).host;
    expect((await write({ 'sec-fetch-site': 'cross-site' })).status).to.equal(403);
    expect((await write({ 'sec-fetch-site': 'same-site' })).status).to.equal(403);
    expect((await write({ origin: 'http://evil.example' })).status).to.equal(403);
    expect((await write({})).status).to.equal(403);
    expect((await write({ origin: `http://${host}` })).status).to.equal(200);
    expect((await write(OWN_PAGE)).status).to.equal(200);
    expect((await signIn({ headers: { 'sec-fetch-site': 'cross-site' } })).answer.status).to.equal(403);
  });

  it('a token in a header wins over the cookie', async () => {
    const page = await signIn();
    const token = await makeToken({ policies: ['default'], no_parent: true });
    const both = { token, headers: { cookie: page.cookie, 'x-sealift-csrf': page.csrf } };
    expect((await sealift.client.get('/v1/sys/mounts', both)).status).to.equal(403);
  });

  it('the page learns who is signed in by the cookie alone, and nothing where nobody is', async () => {
    const page = await signIn();
    const again = await sealift.client.get('/v1/auth/session', {
      token: null,
      headers: { cookie: page.cookie },
    });
    expect(again.status).to.equal(200);
    expect(again.body.data).to.include({ csrf: page.csrf, idle_seconds: 1800, namespace_path: '' });
    expect(again.body.data.policies).to.deep.equal(['root']);
    expect((await sealift.client.get('/v1/auth/session', { token: null })).status).to.equal(204);
  });

  it('signing out ends the session and takes the cookie away, and the token lives on', async () => {
    const page = await signIn();
    const ended = await sealift.client.delete('/v1/auth/session', asPage(page, OWN_PAGE));
    expect(ended.status).to.equal(204);
    expect(ended.headers['set-cookie']).to.match(/=; .*Max-Age=0$/);
    expect((await sealift.client.get('/v1/sys/mounts', asPage(page))).status).to.equal(403);
    expect((await sealift.client.get('/v1/sys/mounts')).status).to.equal(200);
  });

  it('a session ends with its token', async () => {
    const token = await makeToken({ policies: ['root'] });
    const page = await signIn({ token });
    expect((await sealift.client.get('/v1/sys/mounts', asPage(page))).status).to.equal(200);
    await sealift.client.post('/v1/auth/token/revoke', { token });
    expect((await sealift.client.get('/v1/sys/mounts', asPage(page))).status).to.equal(403);
  });

  it('a session ends when it is idle for 30 minutes or 12 hours old; polls do not keep it alive', async () => {
    const age = async (column: string, minutes: number): Promise<SignedIn> => {
      const page = await signIn();
      const { db } = sealift.context;
      const past = db.raw(`now() - ? * interval '1 minute'`, [minutes]);
      const [{ id }] = await db('sessions').orderBy('id', 'desc').limit(1).select('id');
      await db('sessions')
        .where({ id })
        .update({ [column]: past });
      return page;
    };
    const isLive = async (page: SignedIn): Promise<boolean> =>
      (await sealift.client.get('/v1/sys/mounts', asPage(page))).status === 200;
    expect(await isLive(await age('last_used_at', 31))).to.equal(false);
    expect(await isLive(await age('last_used_at', 29))).to.equal(true);
    expect(await isLive(await age('created_at', 12 * 60 + 1))).to.equal(false);
    const lastUse = async (): Promise<Date> =>
      (await sealift.context.db('sessions').orderBy('id', 'desc').first('last_used_at')).last_used_at;
    const polled = await age('last_used_at', 20);
    const before = await lastUse();
    await sealift.client.get('/v1/sys/mounts', asPage(polled, { 'sealift-background': '1' }));
    expect(await lastUse()).to.deep.equal(before);
    await sealift.client.get('/v1/sys/mounts', asPage(polled));
    expect((await lastUse()).getTime()).to.be.greaterThan(before.getTime());
  });

  it('a session does not read values where a token may', async () => {
    const page = await signIn();
    const read = await sealift.client.get('/v1/secret/data/app/db', asPage(page));
    expect(read.status).to.equal(403);
    expect(read.text).to.include('sys/reveal').and.not.include('a-value');
    expect((await sealift.client.get('/v1/secret/subkeys/app/db', asPage(page))).status).to.equal(200);
  });

  it('a token with a number of uses gets no session', async () => {
    const token = await makeToken({ policies: ['root'], num_uses: 5 });
    expect((await signIn({ token })).answer.status).to.equal(400);
  });

  it('a wrapping token gets no session', async () => {
    const wrapped = await sealift.client.post(
      '/v1/sys/wrapping/wrap',
      { a: 1 },
      { headers: { 'x-vault-wrap-ttl': '60' } },
    );
    const { answer } = await signIn({ token: wrapped.body.wrap_info.token });
    expect([answer.status, answer.text.includes('wrapping token')]).to.deep.equal([400, true]);
  });

  it('a token keeps the 50 sessions that were used last', async () => {
    const token = await makeToken({ policies: ['default'] });
    const first = await signIn({ token });
    for (let count = 0; count < 50; count += 1) expect((await signIn({ token })).answer.status).to.equal(200);
    const last = await signIn({ token });
    expect((await sealift.client.get('/v1/auth/session', asPage(first))).status).to.equal(204);
    const { keys } = (await sealift.client.list('/v1/auth/session', asPage(last))).body.data;
    expect(keys).to.have.length(50);
  });

  it('beginning and ending a session leave entries in the audit trail', async () => {
    const page = await signIn();
    await sealift.client.delete('/v1/auth/session', asPage(page, OWN_PAGE));
    const { body } = await sealift.client.get('/api/v2/admin/audit-events?filter[path]=auth/session');
    const actions = body.data.map(({ attributes }: { attributes: { action: string } }) => attributes.action);
    expect(actions.slice(0, 2)).to.deep.equal(['DELETE /auth/session', 'POST /auth/session']);
  });

  it('everybody sees the sessions of his own token, and with the right to it those of all', async () => {
    const token = await makeToken({ policies: ['default'], display_name: 'ana' });
    const page = await signIn({ token });
    const own = await sealift.client.list('/v1/auth/session', asPage(page));
    const [key] = own.body.data.keys;
    expect(own.body.data.keys).to.have.length(1);
    const shown = own.body.data.key_info[key];
    expect(shown).to.include({ is_own: true, is_current: true, display_name: 'token-ana' });
    expect(Date.parse(shown.expire_time)).to.be.greaterThan(Date.now());
    expect(own.text).to.not.include(page.cookie.split('=')[1]);

    const all = await sealift.client.list('/v1/auth/session');
    expect(all.body.data.keys.length).to.be.greaterThan(1);
    expect(all.body.data.key_info[key]).to.include({ is_own: false, is_current: false });
    const elsewhere = await sealift.client.post('/v1/sys/namespaces/team');
    expect(elsewhere.status).to.equal(200);
    expect((await sealift.client.list('/v1/auth/session', { namespace: 'team' })).status).to.equal(404);
  });

  it('a session tells its browser and system in words, and nothing else of its User-Agent', async () => {
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 secretly';
    const token = await makeToken({ policies: ['default'] });
    const page = await signIn({ token, headers: { ...OWN_PAGE, 'user-agent': agent } });
    const origin = { browser: 'Firefox', system: 'Linux', address: '127.0.0.1' };
    const { body } = await sealift.client.list('/v1/auth/session', { token });
    expect(body.data.key_info[body.data.keys[0]]).to.include(origin);
    expect((await sealift.client.get('/v1/auth/session', asPage(page))).body.data).to.include(origin);
    const { db } = sealift.context;
    expect(JSON.stringify(await db('sessions').select())).to.not.include('secretly');
    await db('sessions').update({ browser: null, system: null, address: null });
    const old = (await sealift.client.get('/v1/auth/session', asPage(page))).body.data;
    expect(old).to.include({ browser: null, system: null, address: null });
  });

  it('a session is ended by its own token or with the right to it, and by nobody else', async () => {
    const keyOf = async (token: string): Promise<string> =>
      (await sealift.client.list('/v1/auth/session', { token })).body.data.keys[0];
    const [ana, ben] = await Promise.all([
      makeToken({ policies: ['default'] }),
      makeToken({ policies: ['default'] }),
    ]);
    const page = await signIn({ token: ana });
    const isLive = async (): Promise<boolean> =>
      (await sealift.client.list('/v1/auth/session', asPage(page))).status === 200;
    const key = await keyOf(ana);
    const end = async (token: string): Promise<number> =>
      (await sealift.client.delete(`/v1/auth/session/${key}`, { token })).status;
    expect(await end(ben)).to.equal(204);
    expect(await isLive()).to.equal(true);
    expect(await end(ana)).to.equal(204);
    expect(await isLive()).to.equal(false);
    expect((await sealift.client.list('/v1/auth/session', { token: ana })).status).to.equal(404);

    const again = await signIn({ token: ben });
    const other = await keyOf(ben);
    expect((await sealift.client.delete(`/v1/auth/session/${other}`)).status).to.equal(204);
    expect((await sealift.client.list('/v1/auth/session', asPage(again))).status).to.equal(403);
  });

  it('plain http from another machine gets no session unless the operator allows it', async () => {
    const elsewhere = { headers: { host: 'sealift.example.com', ...OWN_PAGE } };
    const { answer } = await signIn(elsewhere);
    expect(answer.status).to.equal(403);
    expect(answer.text).to.include('CONSOLE_ALLOW_HTTP');
  });
});

describe('sessions of browsers by configuration', () => {
  const begin = async (
    environment: Record<string, string>,
    headers: Record<string, string>,
  ): Promise<Answer> => {
    const sealift = await startSealift({ environment });
    try {
      return await sealift.client.post('/v1/auth/session', undefined, {
        headers: { ...OWN_PAGE, ...headers },
      });
    } finally {
      await sealift.stop();
    }
  };

  it('https has a cookie that no other host can set and no plain connection carries', async () => {
    const answer = await begin(
      { PUBLIC_URL: 'https://sealift.example.com' },
      { host: 'sealift.example.com' },
    );
    expect(answer.headers['set-cookie']).to.match(/^__Host-sealift-\w{8}=sls\.[\w-]+; .*Secure$/);
  });

  it('an operator can allow plain http, and switch the console off', async () => {
    const host = { host: 'sealift.example.com' };
    expect((await begin({ CONSOLE_ALLOW_HTTP: 'true' }, host)).status).to.equal(200);
    expect((await begin({ CONSOLE: 'off' }, {})).status).to.equal(400);
  });

  it('nothing is served at /ui/ where the console is switched off', async () => {
    const sealift = await startSealift({ environment: { CONSOLE: 'off' } });
    const page = { headers: { accept: 'text/html' } };
    const answers = await Promise.all(['/', '/ui/'].map((path) => sealift.client.get(path, page)));
    await sealift.stop();
    for (const { status, text } of answers) {
      expect(status).to.equal(404);
      expect(text).to.not.include('<!doctype');
    }
  });
});
