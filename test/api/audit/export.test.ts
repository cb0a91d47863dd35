import { expect } from 'chai';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { AUDIT, entriesWith, entryOf, named, type Entry } from './support.ts';

// As a spreadsheet program reads it.
function parseCsv(text: string): string[][] {
  const cells = [...text.matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/g)];
  const rows: string[][] = [[]];
  for (const [, cell = '', end] of cells) {
    rows.at(-1)?.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

describe('finding entries of the audit trail', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
    // More than a page of an export, and more than the first look of a search.
    await sealift.context.db.raw(
      `INSERT INTO audit_events (at, actor, username, address, namespace, action, path, secret, outcome, status)
       SELECT now() - (30000 - n) * interval '1 minute', 'seeded', 'person-' || n % 3, '192.0.2.' || n % 200, '', 'act ' || n % 5,
         'some/path/' || n, CASE WHEN n = 7 THEN 'secret/rare' END,
         CASE WHEN n = 9 THEN 'failed' ELSE 'succeeded' END, 200
       FROM generate_series(1, 30000) n`,
    );
    await sealift.context.db.raw('ANALYZE audit_events');
  });
  after(() => sealift.stop());

  const walk = async (query: string): Promise<{ entries: Entry[]; pages: number }> => {
    const entries: Entry[] = [];
    let pages = 0;
    for (let path: string | null = `${AUDIT}?page[size]=100&${query}`; path; pages += 1) {
      const answer: Awaited<ReturnType<typeof sealift.client.get>> = await sealift.client.get(path);
      expect(answer.status, answer.text).to.equal(200);
      entries.push(...answer.body.data.map((event: { attributes: Entry }) => event.attributes));
      path = answer.body.links.next;
    }
    return { entries, pages };
  };
  const exported = (query: string) => sealift.client.get(`${AUDIT}?${query}`);

  it('a rare entry is found far back, by each of its properties', async () => {
    for (const filters of [
      { secret: 'secret/rare' },
      {
        path: 'some/path/7',
        user: 'person-1',
        action: 'act 2',
        until: new Date(Date.now() - 29_990 * 60_000).toISOString(),
      },
    ] as Record<string, string>[]) {
      const found = await entriesWith(sealift, filters);
      expect(found.map(({ path }) => path)).to.include('some/path/7');
      expect(found).to.have.length(1);
    }
    const { entries } = await walk('filter[outcome]=failed');
    expect(entries.map(({ path }) => path)).to.deep.equal(['some/path/9']);
  });

  it('filters by person, address and action match the whole value, and all must match', async () => {
    const found = await entriesWith(sealift, { user: 'person-2', address: '192.0.2.11', actor: 'seeded' });
    expect(found.length).to.be.above(10);
    for (const entry of found) expect(entry).to.include({ user: 'person-2', address: '192.0.2.11' });
    expect(await entriesWith(sealift, { user: 'person' })).to.deep.equal([]);
  });

  it('a span of time leaves exactly its entries', async () => {
    const hour = (ago: number) => new Date(Date.now() - ago * 60_000 - 30_000).toISOString();
    const since = hour(20_060);
    const until = hour(20_000);
    const { entries } = await walk(`filter[actor]=seeded&filter[since]=${since}&filter[until]=${until}`);
    expect(entries).to.have.length(60);
    for (const { at } of entries) expect(at >= since && at < until, at).to.equal(true);
  });

  it('pages follow each other without a gap or a repetition while entries are added', async () => {
    const first = await sealift.client.get(`${AUDIT}?filter[actor]=seeded&page[size]=3`);
    await sealift.client.post('/v1/secret/data/meanwhile', { data: { a: 1 } });
    const second = await sealift.client.get(first.body.links.next);
    const ids = [...first.body.data, ...second.body.data].map(({ id }: { id: string }) => Number(id));
    expect(ids).to.deep.equal([0, 1, 2, 3, 4, 5].map((index) => (ids[0] ?? 0) - index));
  });

  it('parameters that do not exist, times that are none and outcomes that are none are refused', async () => {
    const statusOf = async (query: string) => (await sealift.client.get(`${AUDIT}?${query}`)).status;
    expect(await statusOf('filter[person]=ada')).to.equal(400);
    expect(await statusOf('page[number]=2')).to.equal(400);
    expect(await statusOf('filter[since]=yesterday')).to.equal(422);
    expect(await statusOf('filter[outcome]=good')).to.equal(422);
    expect(await statusOf('format=xml')).to.equal(422);
    expect(await statusOf('format=csv&page[size]=5')).to.equal(422);
    expect(await statusOf('page[after]=abc')).to.equal(422);
    for (const filter of [
      'user',
      'actor',
      'address',
      'action',
      'path',
      'secret',
      'outcome',
      'request-id',
      'since',
    ])
      expect(await statusOf(`filter[${filter}]=`), filter).to.equal(422);
    for (const query of [
      'filter[address]=nonsense',
      'filter[address]=127.0.0.0/8',
      'filter[secret]=app',
      'page[after]=',
    ])
      expect(await statusOf(query), query).to.equal(422);
  });

  it('filters find an address, a secret, an action and the root namespace in any spelling', async () => {
    const row = { actor: 'spelling', path: '', action: 'POST /spelt', outcome: 'succeeded' };
    await sealift.context.db('audit_events').insert([
      { ...row, namespace: '', address: '2001:db8::1', secret: 'secret/spelt' },
      { ...row, namespace: 'elsewhere', address: '1.2.3.4' },
    ]);
    const found = async (filters: Record<string, string>) =>
      (await entriesWith(sealift, { actor: 'spelling', ...filters })).map(({ address }) => address);
    for (const filters of [
      { address: '2001:DB8:0:0::1' },
      { secret: '/secret/spelt' },
      { namespace: '' },
      { namespace: '/' },
    ])
      expect(await found(filters)).to.deep.equal(['2001:db8::1']);
    expect(await found({ address: '::ffff:102:304' })).to.deep.equal(['1.2.3.4']);
    expect(await found({ action: 'post /spelt' })).to.have.length(2);
    const end = await sealift.client.get(`${AUDIT}?page[after]=0`);
    expect([end.body.data, end.body.links.next]).to.deep.equal([[], null]);
  });

  it('an export leaves an entry with its filters, and common readers read its lines', async () => {
    const odd = 'a\u2028b\u2029c\u0085d\u00e9';
    await sealift.context.db('audit_events').insert({ actor: odd, namespace: '', action: 'x', path: '' });
    const query = `filter[actor]=${encodeURIComponent(odd)}`;
    const lines = await sealift.client.get(`${AUDIT}?format=jsonl&${query}`, named('export-1'));
    expect(lines.text).to.not.match(/[\u0085\u2028\u2029]/);
    expect(JSON.parse(lines.text).actor).to.equal(odd);
    const entry = await entryOf(sealift, 'export-1');
    expect(entry.detail).to.deep.equal({ format: 'jsonl', after: null, filters: { actor: odd } });
  });

  it('an export as CSV has a line for each entry, and a spreadsheet takes no cell for a formula', async () => {
    await sealift.context.db('audit_events').insert({
      actor: '=HYPERLINK("http://evil.example")',
      username: '@person, "quoted"',
      namespace: '',
      action: '+1',
      path: '-2\r\nnext',
      detail: JSON.stringify({ a: 'x,y' }),
    });
    const answer = await exported('format=csv');
    expect(answer.status).to.equal(200);
    expect(answer.headers['content-type']).to.match(/^text\/csv/);
    expect(answer.headers['content-disposition']).to.equal('attachment; filename="audit-events.csv"');
    const [head = [], ...rows] = parseCsv(answer.text.replace(/^\ufeff/, ''));
    expect(rows.length).to.be.above(30_000);
    for (const row of rows) expect(row).to.have.length(head.length);
    const hostile = rows.map((row) => Object.fromEntries(row.map((cell, index) => [head[index], cell])));
    const entry = hostile.find((row) => row['actor']?.includes('HYPERLINK'));
    expect(entry).to.deep.include({
      actor: '\'=HYPERLINK("http://evil.example")',
      user: '\'@person, "quoted"',
      action: "'+1",
      path: "'-2\r\nnext",
      detail: '{"a":"x,y"}',
    });
  });

  it('an export as JSON lines takes filters, and continues after the last id', async () => {
    const answer = await exported('format=jsonl&filter[user]=person-1');
    expect(answer.headers['content-type']).to.match(/^application\/jsonl/);
    const lines = answer.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).to.have.length(10_000);
    expect(lines[0]).to.include({ user: 'person-1', action: 'act 3' });
    const rest = await exported(`format=jsonl&filter[user]=person-1&page[after]=${lines[9899].id}`);
    expect(
      rest.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).to.deep.equal(lines.slice(9900));
  });

  it('an export tells each entry in a sentence, as the console does, and its time in UTC', async () => {
    await sealift.context.db('audit_events').insert({
      actor: 'teller',
      namespace: '',
      action: 'POST /sys/sync/destinations/:type/:name/pause',
      path: 'sys/sync/destinations/cloud1-sm/prod/pause',
      outcome: 'succeeded',
      detail: JSON.stringify({ reason: 'maintenance' }),
    });
    const sentence = 'Paused the destination prod (AWS Secrets Manager) (“maintenance”)';
    const [head = [], row = []] = parseCsv(
      (await exported('format=csv&filter[actor]=teller')).text.replace(/^\ufeff/, ''),
    );
    expect(row[head.indexOf('sentence')]).to.equal(sentence);
    expect(row[head.indexOf('at')]).to.match(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(JSON.parse((await exported('format=jsonl&filter[actor]=teller')).text).sentence).to.equal(
      sentence,
    );
  });

  it('an export without a match is a head, or nothing', async () => {
    expect((await exported('format=jsonl&filter[user]=nobody')).text).to.equal('');
    expect((await exported('format=csv&filter[user]=nobody')).text).to.match(
      /^\ufeffat,user,[a-z,-]+,id\r\n$/,
    );
  });

  it('an export ends with an error, instead of looking complete, when the database breaks off', async () => {
    const { db } = sealift.context;
    const answer = await fetch(`${sealift.url}${AUDIT}?format=jsonl`, {
      headers: { authorization: `Bearer ${sealift.token}` },
    });
    const reader = answer.body?.getReader();
    await reader?.read();
    await db.raw('ALTER TABLE audit_events RENAME TO hidden');
    try {
      const rest = async () => {
        for (;;) if ((await reader?.read())?.done !== false) return 'complete';
      };
      expect(await rest().catch(() => 'broken off')).to.equal('broken off');
    } finally {
      await db.raw('ALTER TABLE hidden RENAME TO audit_events');
    }
  });
});
