import { expect } from 'chai';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { documentOf, newVersion, SHA, VERSIONS, type Resource } from './support.ts';

describe('lists of policy-engine versions', () => {
  let sealift: Sealift;
  const newestFirst = [
    '9223372036854775807.0.0',
    '10.0.0',
    '9.9.10',
    '9.9.9',
    '9.9.9-beta10',
    '9.9.9-beta9',
    '9.9.9-alpha',
    '0.10.0',
    '0.9.0',
    '0.0.9007199254740993',
    '0.0.9007199254740992',
  ];
  before(async () => {
    sealift = await startSealift();
    for (const version of [...newestFirst.slice(5), ...newestFirst.slice(0, 5)]) {
      const answer = await sealift.client.post(VERSIONS, documentOf(newVersion(version)));
      expect(answer.status, answer.text).to.equal(201);
    }
  });
  after(() => sealift.stop());

  const list = async (query = '') => {
    const answer = await sealift.client.get(`${VERSIONS}${query}`);
    expect(answer.status, answer.text).to.equal(200);
    return answer.body;
  };
  const namesOf = (body: { data: Resource[] }) => body.data.map((item) => item.attributes['version']);

  it('the newest version comes first, numbers beyond 2^53 and suffixes included', async () => {
    expect(namesOf(await list())).to.deep.equal(newestFirst);
  });

  it('a filter matches exactly and wins over a search', async () => {
    expect(namesOf(await list('?filter%5Bversion%5D=9.9.9'))).to.deep.equal(['9.9.9']);
    expect(namesOf(await list('?filter%5Bversion%5D=9.9'))).to.deep.equal([]);
    expect(namesOf(await list('?filter%5Bversion%5D=9.9.9&search%5Bversion%5D=alpha'))).to.deep.equal([
      '9.9.9',
    ]);
    expect(namesOf(await list('?filter[version]=9.9.9'))).to.deep.equal(['9.9.9']);
  });

  it('a search matches a part, and nothing in it is a pattern', async () => {
    expect(namesOf(await list('?search%5Bversion%5D=9.9-'))).to.deep.equal(newestFirst.slice(4, 7));
    expect(namesOf(await list('?search%5Bversion%5D=BETA'))).to.deep.equal(newestFirst.slice(4, 6));
    expect(namesOf(await list('?search%5Bversion%5D=%25'))).to.deep.equal([]);
    expect(namesOf(await list('?search%5Bversion%5D=_'))).to.deep.equal([]);
  });

  it('pages carry numbers and links that lead from one to the next', async () => {
    const first = await list('?page%5Bsize%5D=4&search%5Bversion%5D=0');
    expect(first.meta.pagination).to.deep.equal({
      'current-page': 1,
      'page-size': 4,
      'prev-page': null,
      'next-page': 2,
      'total-pages': 2,
      'total-count': 8,
    });
    expect(first.links.prev).to.equal(null);
    expect(first.links.next).to.match(/page%5Bnumber%5D=2/);
    const seen = namesOf(first);
    for (let next = first.links.next; next !== null;) {
      const { body } = await sealift.client.get(next);
      seen.push(...namesOf(body));
      next = body.links.next;
    }
    expect(seen).to.deep.equal(newestFirst.filter((version) => version.includes('0')));
    const last = await sealift.client.get(first.links.last);
    expect(last.body.meta.pagination).to.include({ 'current-page': 2, 'prev-page': 1, 'next-page': null });
    expect(last.body.links.self).to.equal(first.links.last);
  });

  it('a page past the end is empty and says its number', async () => {
    const body = await list('?page%5Bnumber%5D=999');
    expect(body.data).to.deep.equal([]);
    expect(body.meta.pagination).to.include({ 'current-page': 999, 'next-page': null, 'total-count': 11 });
    for (const number of [99_999_999_999_999, Number.MAX_SAFE_INTEGER]) {
      const far = await list(`?page%5Bnumber%5D=${number}&page%5Bsize%5D=100`);
      expect(far.data).to.deep.equal([]);
      expect(far.meta.pagination).to.include({ 'current-page': number, 'prev-page': 1, 'next-page': null });
      expect(far.links.self).to.contain(`page%5Bnumber%5D=${number}&`);
    }
  });

  it('a size above 100 counts as 100, an empty number as not given', async () => {
    const body = await list('?page%5Bsize%5D=5000&page%5Bnumber%5D=');
    expect(body.meta.pagination).to.include({ 'page-size': 100, 'current-page': 1 });
  });

  for (const query of [
    'page%5Bnumber%5D=0',
    'page%5Bsize%5D=-1',
    'page%5Bsize%5D=ten',
    'page%5Bnumber%5D=1.5',
  ]) {
    it(`the query ${query} is refused`, async () => {
      expect((await sealift.client.get(`${VERSIONS}?${query}`)).status).to.equal(422);
    });
  }

  it('every page of 10,000 versions is right, and read from the index without a sort', async () => {
    const { db } = sealift.context;
    await db.raw(
      `INSERT INTO policy_engine_versions
         (id, version, major, minor, patch, suffix_order, archs, deprecated, official, enabled, beta)
       SELECT 'tool-' || lpad(n::text, 16, '0'), '1000.0.' || n, 1000, 0, n, '~',
         jsonb_build_array(jsonb_build_object('url', 'https://x.test', 'sha', ?::text, 'os', 'linux', 'arch', 'amd64')),
         false, false, true, false
       FROM generate_series(1, 10000) AS n`,
      [SHA],
    );
    await db.raw('VACUUM ANALYZE policy_engine_versions');
    const body = await list('?page%5Bsize%5D=100&page%5Bnumber%5D=101');
    expect(body.meta.pagination).to.include({ 'total-count': 10_011, 'total-pages': 101 });
    expect(namesOf(body)).to.deep.equal(['1000.0.1', ...newestFirst.slice(1)]);
    for (const page of [2, 50, 51, 99]) {
      const names = namesOf(await list(`?page%5Bsize%5D=100&page%5Bnumber%5D=${page}`));
      const first = 10_002 - (page - 1) * 100;
      expect(names).to.deep.equal(Array.from({ length: 100 }, (_, index) => `1000.0.${first - index - 1}`));
    }
    for (const direction of ['DESC', 'ASC']) {
      const order = ['major', 'minor', 'patch', 'suffix_order', 'id'].map(
        (column) => `${column} ${direction}`,
      );
      const { rows } = await db.raw(
        `EXPLAIN SELECT id FROM policy_engine_versions WHERE collection = 'policy-engine-versions'
         ORDER BY ${order.join(', ')} LIMIT 100 OFFSET 5000`,
      );
      const plan = rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n');
      expect(plan).to.match(/Index Only Scan (Backward )?using policy_engine_versions_order/);
      expect(plan).to.not.match(/Sort/);
    }
  });
});
