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

  const reach = async (folder: string, token: string) => {
    const address = `/v1/sys/search/reachable?mount=secret&folder=${encodeURIComponent(folder)}`;
    const answer = await sealift.client.get(address, { token });
    expect(answer.status, answer.text).to.equal(200);
    return answer.body.data;
  };

  it('whoever may not list a folder learns where his own rules lead in it, and nothing else', async () => {
    const team = await tokenWith('reach-team', {
      'secret/metadata/app/*': { capabilities: ['read', 'list'] },
      'secret/data/app/*': { capabilities: ['read'] },
      'secret/data/deep/er/pay': { capabilities: ['read'] },
      'secret/data/future/*': { capabilities: ['create'] },
      'secret/data/forbidden/*': { capabilities: ['deny'] },
      'secret/data/+/hidden': { capabilities: ['read'] },
    });
    expect((await sealift.client.get('/v1/secret/metadata?list=true', { token: team })).status).to.equal(403);
    const root = ['app/', 'deep/', 'future/'];
    expect(await reach('', team)).to.deep.equal({ keys: root, is_complete: true });
    expect((await reach('deep', team)).keys).to.deep.equal(['er/']);
    expect((await reach('deep/er', team)).keys).to.deep.equal(['pay']);
    expect((await reach('app', team)).keys).to.deep.equal(['Payments', 'db']);
    expect((await reach('other', team)).keys).to.deep.equal([]);
    await sealift.client.post('/v1/secret/data/other/hidden', { data: { a: '1' } });
    expect((await reach('other', team)).keys).to.deep.equal(['hidden']);
    const begins = await tokenWith('reach-begins', {
      'secret/data/de*': { capabilities: ['read'] },
      'secret/data/app/Pay*': { capabilities: ['read'] },
      'secret/data/app/db*': { capabilities: ['read'] },
    });
    expect((await reach('', begins)).keys).to.deep.equal(['app/', 'deep/']);
    expect((await reach('deep', begins)).keys).to.deep.equal(['er/']);
    expect((await reach('app', begins)).keys).to.deep.equal(['Payments', 'db']);
    const elsewhere = { token: begins, namespace: 'team' };
    const refused = await sealift.client.get('/v1/sys/search/reachable?mount=secret&folder=', elsewhere);
    expect(refused.status).to.equal(403);
    const nobody = await tokenWith('reach-nobody', { 'sys/health': { capabilities: ['read'] } });
    for (const folder of ['', 'app', 'deep/er', '../x', 'app%'])
      expect((await reach(folder, nobody)).keys, folder).to.deep.equal([]);
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

  it('a search below finds what the caller may see in each namespace, and says where it is', async () => {
    await sealift.client.post(`${PATH}/team-pay`, cloud1Settings(), { namespace: 'team' });
    const below = async (options = {}) => {
      const { body } = await sealift.client.get('/v1/sys/search?q=team-pay&namespaces=below', options);
      return { secrets: body.data.secrets, destinations: body.data.destinations };
    };
    expect(await below()).to.deep.equal({
      secrets: [{ mount: 'secret', secret_name: 'team-pay', namespace: 'team' }],
      destinations: [{ type: 'cloud1-sm', name: 'team-pay', namespace: 'team' }],
    });
    const here = await tokenWith('here', { 'secret/data/*': { capabilities: ['read'] } });
    expect(await below({ token: here })).to.deep.equal({ secrets: [], destinations: [] });
    const there = await tokenWith('there', { 'team/secret/data/*': { capabilities: ['read'] } });
    expect((await below({ token: there })).secrets).to.have.length(1);
  });

  it('an answer that leaves something out says so', async () => {
    const answer = await sealift.client.get('/v1/sys/search?q=pay&limit=2');
    expect(answer.body.data.secrets).to.have.length(2);
    expect(answer.body.data.is_complete).to.equal(false);
    expect((await sealift.client.get('/v1/sys/search?q=')).status).to.equal(400);
    expect((await sealift.client.get('/v1/sys/search?q=pay&limit=101')).status).to.equal(400);
  });

  it('a search below with details tells of each secret what its folder would tell', async () => {
    const { client } = sealift;
    await client.post('/v1/sys/sync/destinations/cloud1-sm/payroll/associations/set', {
      mount: 'secret',
      secret_name: 'deep/er/pay',
    });
    const find = async (query: string, options = {}) =>
      client.get(`/v1/sys/search?q=pay&details=true${query}`, options);
    const { body } = await find('&below=secret&limit=100');
    const found = Object.fromEntries(
      body.data.secrets.map((one: { secret_name: string; info: object }) => [one.secret_name, one.info]),
    );
    for (const [folder, key] of [
      ['app', 'Payments'],
      ['deep/er', 'pay'],
    ] as const) {
      const listed = await client.list(`/v1/secret/metadata/${folder}?details=true`);
      expect(found[`${folder}/${key}`], key).to.deep.equal(listed.body.data.key_info[key]);
    }
    expect(found['deep/er/pay'].links).to.deep.equal({ PENDING: 1 });
    const token = await tokenWith('names-only', {
      'secret/metadata/deep/er/': { capabilities: ['list'] },
      'secret/metadata/app/*': { capabilities: ['read'] },
    });
    const seen = (await find('&below=secret', { token })).body.data.secrets;
    expect(seen).to.have.length(2);
    expect(seen[0].info).to.deep.include({ current_version: 1, links: null, paused_links: null });
    expect(seen[1]).to.deep.equal({ mount: 'secret', secret_name: 'deep/er/pay' });
    const nowhere = await find('');
    expect(nowhere.status).to.equal(400);
    expect(nowhere.text).to.contain('details needs below');
  });

  it('a search finds every secret, and goes on from any page', async () => {
    const { db } = sealift.context;
    const { id } = await db('mounts').where({ path: 'secret', namespace_id: 'root' }).first('id');
    const count = 120_000;
    await db.raw(
      `INSERT INTO secrets (mount_id, path, current_version)
       SELECT ?, 'bulk/' || lpad(n::text, 6, '0'), 1 FROM generate_series(1, ?) n`,
      [id, count],
    );
    await sealift.client.post('/v1/sys/mounts/last', { type: 'kv-v2' });
    await sealift.client.post('/v1/secret/data/zz/needle', { data: { user: 'x' } });
    await sealift.client.post('/v1/last/data/bulk/needle', { data: { user: 'x' } });
    const all = async (
      q: string,
      limit: number,
      options = {},
    ): Promise<{ names: string[]; pages: number }> => {
      const names: string[] = [];
      let after: string | null = '';
      let pages = 0;
      while (after !== null && pages < 50) {
        const query: string = new URLSearchParams({ q, limit: String(limit), after }).toString();
        const { body } = await sealift.client.get(`/v1/sys/search?${query}`, options);
        names.push(...body.data.secrets.map((one: { secret_name: string }) => one.secret_name));
        expect(body.data.is_complete).to.equal(body.data.next_after === null);
        after = body.data.next_after;
        expect(Buffer.from(after ?? '', 'base64url').toString()).not.to.contain('bulk');
        expect(after ?? '').not.to.contain('bulk');
        pages += 1;
      }
      return { names, pages };
    };
    const needles = await all('needle', 20);
    expect(needles.names).to.deep.equal(['zz/needle', 'bulk/needle']);
    expect(needles.pages).to.equal(3);

    const some = await all('bulk/00004', 4);
    expect(some.names).to.deep.equal(Array.from({ length: 10 }, (_, index) => `bulk/00004${index}`));
    // The place to continue from is a secret that this token must not know of.
    const one = await tokenWith('last-one', { 'secret/data/bulk/119999': { capabilities: ['read'] } });
    expect((await all('bulk/11999', 20, { token: one })).names).to.deep.equal(['bulk/119999']);
    expect((await sealift.client.get('/v1/sys/search?q=pay&after=nowhere')).status).to.equal(400);
  });

  it('a search below a mount or folder finds secrets there, by their names within it', async () => {
    const below = async (q: string, folder: string) => {
      const { body } = await sealift.client.get(`/v1/sys/search?q=${q}&below=${folder}&limit=1`);
      const found = [...body.data.secrets];
      for (let after = body.data.next_after; after;) {
        const more = await sealift.client.get(`/v1/sys/search?q=${q}&below=${folder}&limit=1&after=${after}`);
        found.push(...more.body.data.secrets);
        after = more.body.data.next_after;
      }
      expect(body.data.destinations).to.deep.equal([]);
      return found.map((one: { secret_name: string }) => one.secret_name);
    };
    expect(await below('pay', 'secret')).to.deep.equal(['app/Payments', 'deep/er/pay', 'other/pay']);
    expect(await below('pay', 'secret/deep/')).to.deep.equal(['deep/er/pay']);
    expect(await below('deep', 'secret/deep')).to.deep.equal([]);
    expect(await below('secret', 'secret')).to.deep.equal([]);
    expect(await below('pay', 'secret/dee')).to.deep.equal([]);
    expect(await below('pay', 'nowhere')).to.deep.equal([]);
  });

  it('a pattern finds the secrets of one mount, as far as the caller may see them', async () => {
    const { client } = sealift;
    const paths = ['glob/a/db', 'glob/b/db', 'glob/b/mail', 'glob_x/db', '100%/db'];
    for (const path of paths)
      expect(
        (await client.post(`/v1/secret/data/${path.replace('%', '%25')}`, { data: { a: '1' } })).status,
      ).to.equal(200);
    // Each answer covers only a part of very many secrets.
    const find = async (pattern: string, options = {}): Promise<string[]> => {
      const names: string[] = [];
      let after: string | null = '';
      while (after !== null) {
        const query: string = new URLSearchParams({ mount: 'secret', pattern, after }).toString();
        const answer = await client.get(`/v1/sys/search/secrets?${query}`, options);
        expect(answer.status, answer.text).to.equal(200);
        names.push(...answer.body.data.secrets.map((one: { secret_name: string }) => one.secret_name));
        after = answer.body.data.next_after;
      }
      return names;
    };
    expect(await find('glob/*')).to.deep.equal(['glob/a/db', 'glob/b/db', 'glob/b/mail']);
    expect(await find('glob/*/db')).to.deep.equal(['glob/a/db', 'glob/b/db']);
    expect(await find('glob_*')).to.deep.equal(['glob_x/db']);
    expect(await find('100%*')).to.deep.equal(['100%/db']);
    expect(await find('GLOB/*')).to.deep.equal([]);
    const token = await tokenWith('one-glob', { 'secret/data/glob/b/db': { capabilities: ['read'] } });
    expect(await find('glob*', { token })).to.deep.equal(['glob/b/db']);
    const nowhere = await client.get('/v1/sys/search/secrets?mount=nowhere');
    expect(nowhere.body.data).to.deep.equal({ secrets: [], next_after: null });
  });
});
