import { expect } from 'chai';
import { startSealift, type Sealift } from '../../support/sealift.ts';

describe('lists of KV version 2', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
    const paths = ['a', 'a/b', 'a/c/d', 'a-x', 'a!', 'b/1', 'b/2', 'b0', 'é', 'z/y/x/w', 'Z'];
    for (const path of paths) {
      await sealift.client.post(`/v1/secret/data/${encodeURI(path)}`, { data: { path } });
    }
  });
  after(() => sealift.stop());

  const keys = async (folder: string, query = '') =>
    (await sealift.client.list(`/v1/secret/metadata/${folder}${query}`)).body.data?.keys;

  it('a list shows only the direct children, in order of their bytes, folders with a slash', async () => {
    expect(await keys('')).to.deep.equal(['Z', 'a', 'a!', 'a-x', 'a/', 'b/', 'b0', 'z/', 'é']);
    expect(await keys('a/')).to.deep.equal(['b', 'c/']);
    expect(await keys('a')).to.deep.equal(['b', 'c/']);
    expect(await keys('z/y')).to.deep.equal(['x/']);
  });

  it('GET with list=true or list=1 is the same call as LIST', async () => {
    for (const query of ['list=true', 'list=1']) {
      const answer = await sealift.client.get(`/v1/secret/metadata/b?${query}`);
      expect(answer.body.data).to.deep.equal({ keys: ['1', '2'] });
    }
  });

  it('a list of nothing is a 404', async () => {
    for (const folder of ['nothing', 'b0', 'a/b']) {
      const answer = await sealift.client.list(`/v1/secret/metadata/${folder}`);
      expect(answer.status).to.equal(404);
      expect(answer.body).to.deep.equal({ errors: [] });
    }
  });

  it('pages of a list are together the whole', async () => {
    const seen: string[] = [];
    for (let page = 0; page < 20; page += 1) {
      const after = seen.length > 0 ? `&after=${encodeURIComponent(seen.at(-1) ?? '')}` : '';
      const answer = await sealift.client.list(`/v1/secret/metadata/?limit=2${after}`);
      if (answer.status === 404) break;
      expect(answer.body.data.keys.length).to.be.within(1, 2);
      seen.push(...answer.body.data.keys);
    }
    expect(seen).to.deep.equal(await keys(''));
    expect(await keys('', '?after=a.&limit=1')).to.deep.equal(['a/']);
    expect(await keys('', '?limit=-1')).to.have.length(9);
    expect((await sealift.client.list('/v1/secret/metadata/?limit=x')).status).to.equal(400);
  });

  it('a list can leave out secrets whose current version is deleted', async () => {
    await sealift.client.delete('/v1/secret/data/b/1');
    await sealift.client.post('/v1/secret/destroy/Z', { versions: [1] });
    await sealift.client.post('/v1/secret/metadata/bare', { max_versions: 1 });
    expect(await keys('b')).to.deep.equal(['1', '2']);
    expect(await keys('b', '?exclude_deleted=true')).to.deep.equal(['2']);
    expect(await keys('', '?exclude_deleted=true')).to.deep.equal([
      'a',
      'a!',
      'a-x',
      'a/',
      'b/',
      'b0',
      'z/',
      'é',
    ]);
  });

  it('a list looks into no sub-folder: one with thousands of secrets costs as much as one', async () => {
    await sealift.client.post('/v1/sys/mounts/big', { type: 'kv-v2' });
    await sealift.context.db.raw(
      `INSERT INTO secrets (mount_id, path)
       SELECT (SELECT id FROM mounts WHERE path = 'big'), 'folder' || (n % 5) || '/s' || n FROM generate_series(1, 20000) n`,
    );
    await sealift.context.db.raw('ANALYZE secrets');
    const answer = await sealift.client.list('/v1/big/metadata');
    expect(answer.body.data.keys).to.deep.equal(['folder0/', 'folder1/', 'folder2/', 'folder3/', 'folder4/']);
    expect((await sealift.client.list('/v1/big/metadata/folder3')).body.data.keys).to.have.length(4000);
  });

  it('a list shows each of thousands of secrets and folders once, in whole and in pages', async () => {
    await sealift.client.post('/v1/sys/mounts/wide', { type: 'kv-v2' });
    await sealift.context.db.raw(
      `INSERT INTO secrets (mount_id, path)
       SELECT (SELECT id FROM mounts WHERE path = 'wide'), path
       FROM generate_series(1, 15000) n, LATERAL (VALUES ('s' || n), ('s' || n || '/x'), ('s' || n || '/y')) paths (path)
       WHERE path NOT LIKE '%/%' OR n % 40 = 0 OR n BETWEEN 6000 AND 7000`,
    );
    const names = Array.from({ length: 15_000 }, (_, index) => index + 1).flatMap((n) =>
      n % 40 === 0 || (n >= 6000 && n <= 7000) ? [`s${n}`, `s${n}/`] : [`s${n}`],
    );
    const expected = names.toSorted((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
    expect((await sealift.client.list('/v1/wide/metadata')).body.data.keys).to.deep.equal(expected);
    const paged: string[] = [];
    for (;;) {
      const after = encodeURIComponent(paged.at(-1) ?? '');
      const answer = await sealift.client.list(`/v1/wide/metadata?limit=2500&after=${after}`);
      if (answer.status === 404) break;
      paged.push(...answer.body.data.keys);
    }
    expect(paged).to.deep.equal(expected);
  });

  it('details tell version, change, state and links of each secret that the caller may read', async () => {
    const { client } = sealift;
    for (const path of ['d/live', 'd/live', 'd/deleted', 'd/destroyed', 'd/f/x'])
      await client.post(`/v1/secret/data/${path}`, { data: { path } });
    await client.delete('/v1/secret/data/d/deleted');
    await client.post('/v1/secret/destroy/d/destroyed', { versions: [1] });
    await client.post('/v1/secret/metadata/d/empty', { max_versions: 2 });
    const token = 'x';
    const settings = { access_token: token, repository_owner: 'o', repository_name: 'r' };
    await client.post('/v1/sys/sync/destinations/repo-host/d', settings);
    const link = { mount: 'secret', secret_name: 'd/live' };
    await client.post('/v1/sys/sync/destinations/repo-host/d/associations/set', link);
    const { keys: names, key_info: info } = (await client.list('/v1/secret/metadata/d?details=true')).body
      .data;
    expect(names).to.deep.equal(['deleted', 'destroyed', 'empty', 'f/', 'live']);
    expect(info).to.have.all.keys('deleted', 'destroyed', 'empty', 'live');
    expect(info.live).to.deep.include({
      current_version: 2,
      updated_by: 'root',
      state: 'live',
      links: { PENDING: 1 },
      paused_links: 0,
    });
    await client.post('/v1/sys/sync/destinations/repo-host/d/pause');
    const paused = await client.list('/v1/secret/metadata/d?details=true');
    expect(paused.body.data.key_info.live).to.deep.include({ links: { PENDING: 1 }, paused_links: 1 });
    await client.post('/v1/sys/sync/destinations/repo-host/d/resume');
    const states = ['deleted', 'destroyed', 'empty'].map((name) => [info[name].state, info[name].links]);
    expect(states).to.deep.equal([
      ['deleted', {}],
      ['destroyed', {}],
      ['empty', {}],
    ]);
    const page = await client.list('/v1/secret/metadata/d?details=true&limit=2&after=destroyed');
    expect(page.body.data.keys).to.deep.equal(['empty', 'f/']);
    expect((await client.list('/v1/secret/metadata/d?details=true&limit=501')).status).to.equal(400);
    const policy = `path "secret/metadata/d/" { capabilities = ["list"] }
      path "secret/metadata/d/live" { capabilities = ["read"] }`;
    await client.post('/v1/sys/policies/acl/lists', { policy });
    const made = await client.post('/v1/auth/token/create', { policies: ['lists'] });
    const seen = await client.list('/v1/secret/metadata/d?details=true', {
      token: made.body.auth.client_token,
    });
    expect(seen.body.data.keys).to.have.length(5);
    expect(Object.keys(seen.body.data.key_info)).to.deep.equal(['live']);
    expect(seen.body.data.key_info.live).to.deep.include({ links: null, paused_links: null });
  });
});
