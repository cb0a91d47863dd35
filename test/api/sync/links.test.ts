import { expect } from 'chai';
import type { LinkAnswer } from '../../../services/api/contract/associations.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';

const SETTINGS = {
  access_key_id: 'AKIAIOSFODNN7EXAMPLE',
  secret_access_key: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};

describe('the list of links', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
    const { client } = sealift;
    await client.post('/v1/sys/namespaces/team', {});
    const mount = { type: 'kv', options: { version: '2' } };
    await client.post('/v1/sys/mounts/secret', mount, { namespace: 'team' });
    for (const [namespace, store, names] of [
      ['', 'prod', ['app/a', 'app/b', 'web/c']],
      ['', 'spare', ['app/a']],
      ['team', 'prod', ['app/own']],
    ] as const) {
      const options = { namespace };
      const path = `/v1/sys/sync/destinations/cloud1-sm/${store}`;
      // Two destinations of one place may not have the same entry.
      const region = store === 'spare' ? 'eu-west-1' : 'eu-central-1';
      const made = await client.post(path, { ...SETTINGS, region }, options);
      expect(made.status, made.text).to.equal(200);
      for (const name of names) {
        await client.post(`/v1/secret/data/${name}`, { data: { a: 1 } }, options);
        await client.post(`${path}/associations/set`, { mount: 'secret', secret_name: name }, options);
      }
    }
  });
  after(() => sealift.stop());

  const ask = async (query: string, token?: string) =>
    sealift.client.get(`/v1/sys/sync/links?${query}`, token === undefined ? {} : { token });
  const linksOf = async (query = ''): Promise<string[]> =>
    (await ask(query)).body.data.links.map(
      ({ namespace, destination, mount, secret_name: name }: LinkAnswer) =>
        `${namespace}|${destination}|${mount}/${name}`,
    );

  it('links name the store, destination by destination, and page by page without a gap', async () => {
    const all = await linksOf();
    expect(all).to.deep.equal([
      '|prod|secret/app/a',
      '|prod|secret/app/b',
      '|prod|secret/web/c',
      '|spare|secret/app/a',
    ]);
    const { body } = await ask('limit=3');
    expect(body.data.links[0]).to.deep.include({ store: 'AWS Secrets Manager', type: 'cloud1-sm' });
    expect(await linksOf(`after=${body.data.next_after}`)).to.deep.equal(all.slice(3));
    expect((await ask('after=x')).status).to.equal(400);
  });

  it('links ordered by secret bring together where each secret goes, page by page without a gap', async () => {
    const all = await linksOf('sort=secret');
    expect(all).to.deep.equal([
      '|prod|secret/app/a',
      '|spare|secret/app/a',
      '|prod|secret/app/b',
      '|prod|secret/web/c',
    ]);
    const { body } = await ask('sort=secret&limit=1');
    expect(await linksOf(`sort=secret&after=${body.data.next_after}`)).to.deep.equal(all.slice(1));
    expect((await ask(`after=${body.data.next_after}`)).status, 'a place in another order').to.equal(400);
  });

  it('links tell whether they are in sync, why not, and since when', async () => {
    await sealift.client.post('/v1/sys/sync/destinations/cloud1-sm/spare/pause', {});
    const paused = (await ask('q=spare')).body.data.links[0];
    expect(paused).to.deep.include({ sync_status: 'PENDING' });
    expect(paused.cause.code).to.equal('paused');
    expect(Date.parse(paused.since)).to.be.closeTo(Date.now(), 60_000);
    expect(paused.external_names).to.deep.equal([]);
  });

  it('links are filtered by status and by the type of the store', async () => {
    expect(await linksOf('status=PENDING')).to.have.length(4);
    for (const sort of ['destination', 'secret']) {
      const found: string[] = [];
      for (let after: string | null = ''; after !== null && found.length < 9;) {
        const page: string = `status=PENDING&sort=${sort}&limit=1&after=${after}`;
        found.push(...(await linksOf(page)));
        after = (await ask(page)).body.data.next_after;
      }
      expect(found, sort).to.deep.equal(await linksOf(`sort=${sort}`));
    }
    expect(await linksOf('status=SYNCED')).to.deep.equal([]);
    expect(await linksOf('type=cloud1-sm')).to.have.length(4);
    expect(await linksOf('type=cloud2-kv')).to.deep.equal([]);
    expect((await ask('type=cloud9')).status).to.equal(400);
  });

  it('links are found by a part of the secret or of the destination', async () => {
    expect(await linksOf('q=APP/A')).to.have.members(['|prod|secret/app/a', '|spare|secret/app/a']);
    expect(await linksOf('q=spare')).to.deep.equal(['|spare|secret/app/a']);
  });

  it('a search looks at 20,000 links a page, and goes on until it has looked at all', async () => {
    const { db } = sealift.context;
    const [spare] = await db('destinations').where({ name: 'spare' });
    // In the order of the mount, before and behind what is found.
    await db.raw(
      `WITH made AS (
         INSERT INTO associations (namespace_id, destination_id, mount_id, secret_path, due_at)
         SELECT 'root', ?, m.id, 'bulk/' || lpad(n::text, 6, '0'), NULL
         FROM (SELECT id FROM mounts WHERE path = 'secret' AND namespace_id = 'root') m, generate_series(1, 25000) n
         RETURNING id, destination_id, mount_id, secret_path)
       INSERT INTO association_keys (association_id, destination_id, mount_id, secret_path)
       SELECT id, destination_id, mount_id, secret_path FROM made`,
      [spare.id],
    );
    for (const sort of ['destination', 'secret'])
      for (const [q, limit, wanted] of [
        ['app/', 1, ['app/a', 'app/a', 'app/b']],
        ['bulk/025', 1, ['bulk/025000']],
        ['bulk/00000', 4, Array.from({ length: 9 }, (_, index) => `bulk/00000${index + 1}`)],
      ] as const) {
        const found: string[] = [];
        let pages = 0;
        for (let after: string | null = ''; after !== null && pages < 20; pages += 1) {
          const { body } = await ask(`sort=${sort}&q=${q}&limit=${limit}&after=${after}`);
          found.push(...body.data.links.map((link: LinkAnswer) => link.secret_name));
          after = body.data.next_after;
        }
        expect(found.toSorted(), `${q} by ${sort}`).to.deep.equal(wanted);
      }
    const first = await ask('sort=secret&q=bulk/025');
    expect(first.body.data.links).to.deep.equal([]);
    expect(first.body.data.next_after).to.be.a('string');
  });

  it('links of namespaces below are told to who may list them there', async () => {
    expect(await linksOf('namespaces=below')).to.include('team|prod|secret/app/own');
    const policy = 'path "sys/sync/links" { capabilities = ["read"] }';
    await sealift.client.post('/v1/sys/policies/acl/here', { policy });
    const made = await sealift.client.post('/v1/auth/token/create', { policies: ['here'] });
    const { client_token: token } = made.body.auth;
    const seen = (await ask('namespaces=below', token)).body.data.links;
    expect(seen.map(({ namespace }: LinkAnswer) => namespace)).to.not.include('team');
  });
});
