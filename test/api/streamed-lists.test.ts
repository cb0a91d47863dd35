import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { startSealift, type Sealift } from '../support/sealift.ts';

// Much more than the buffers between the API and a client that does not read.
const MANY = 150_000;
const FOLDER = '/v1/secret/metadata/long?list=true';
const LINKED = '/v1/sys/sync/associations?list=true';

const nameOf = (index: number): string => `${'n'.repeat(100)}${String(index).padStart(7, '0')}`;

describe('lists without a limit', () => {
  let sealift: Sealift;

  before(async () => {
    sealift = await startSealift();
    const { db } = sealift.context;
    await db.raw(
      `INSERT INTO secrets (mount_id, path, current_version, oldest_version)
       SELECT m.id, 'long/' || repeat('n', 100) || lpad(n::text, 7, '0'), 1, 1
       FROM (SELECT id FROM mounts WHERE path = 'secret') m, generate_series(0, ? - 1) n`,
      [MANY],
    );
    await db.raw(
      `WITH bulk AS (
         INSERT INTO destinations (namespace_id, type, name, settings, container, granularity, secret_name_template)
         SELECT 'root', 'cloud1-sm', 'bulk-' || n, '{}', 'container-' || n, 'secret-path', '{{ .SecretPath }}'
         FROM generate_series(1, 2) n RETURNING id
       ), made AS (
         INSERT INTO associations (namespace_id, destination_id, mount_id, secret_path, generation, synced_generation)
         SELECT 'root', bulk.id, s.mount_id, s.path, 1, 1 FROM secrets s, bulk WHERE s.path < 'long/' || repeat('n', 100) || '0005000'
         RETURNING id, destination_id, mount_id, secret_path
       )
       INSERT INTO association_keys (association_id, destination_id, mount_id, secret_path) SELECT * FROM made`,
    );
  });
  after(() => sealift.stop());

  // Neither of its sides has a limit of its own for what it keeps.
  const begin = async (path: string): Promise<IncomingMessage> => {
    const request = get(`${sealift.url}${path}`, { headers: { 'x-vault-token': sealift.token } });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    return answer;
  };
  const textOf = async (answer: IncomingMessage): Promise<string> => {
    const parts: Buffer[] = [];
    for await (const part of answer) parts.push(part as Buffer);
    return Buffer.concat(parts).toString();
  };

  it('a folder of any size is listed whole and in order', async () => {
    const answer = await begin(FOLDER);
    expect(answer.headers).to.include({ 'content-type': 'application/json', 'transfer-encoding': 'chunked' });
    const { data, request_id: id, warnings } = JSON.parse(await textOf(answer));
    expect(data.keys).to.have.length(MANY);
    expect([data.keys[0], data.keys[MANY - 1]]).to.deep.equal([nameOf(0), nameOf(MANY - 1)]);
    expect(id).to.be.a('string');
    expect(warnings).to.equal(null);
  });

  it('a list is read no faster than its reader takes it', async () => {
    const answer = await begin(FOLDER);
    answer.pause();
    const { db } = sealift.context;
    const last = `long/${nameOf(MANY - 1)}`;
    await db('secrets')
      .where({ path: last })
      .update({ path: `${last}-renamed` });
    const { data } = JSON.parse(await textOf(answer));
    expect(data.keys.at(-1)).to.equal(`${nameOf(MANY - 1)}-renamed`);
  });

  it('the linked secrets are listed whole, with their totals, and page by page', async () => {
    const { data } = JSON.parse(await textOf(await begin(LINKED)));
    expect(data).to.include({ total_associations: 10_000, total_secrets: 5000 });
    expect(data.keys).to.have.length(5000);
    expect(Object.keys(data.key_info)).to.deep.equal(data.keys);
    const first: string = data.keys[0];
    expect(data.key_info[first]).to.deep.equal([{ mount: 'secret/', secret_path: `long/${nameOf(0)}` }]);
    const paged: string[] = [];
    for (let after = ''; ; after = paged.at(-1) ?? '') {
      const query = new URLSearchParams({ limit: '1500', ...(after && { after }) });
      const page = await sealift.client.call('LIST', `/v1/sys/sync/associations?${query.toString()}`);
      if (page.status === 404) break;
      expect(page.body.data.total_secrets).to.equal(page.body.data.keys.length);
      paged.push(...page.body.data.keys);
    }
    expect(paged).to.deep.equal(data.keys);
    const wrong = await sealift.client.call('LIST', '/v1/sys/sync/associations?after=nowhere/a');
    expect([wrong.status, wrong.body.errors]).to.deep.equal([
      400,
      ['after must be the last key of an earlier page'],
    ]);
  });

  it('a list can be wrapped', async () => {
    const headers = { 'x-vault-wrap-ttl': '60' };
    const wrapped = await sealift.client.call('LIST', '/v1/sys/sync/associations', undefined, { headers });
    const { token } = wrapped.body.wrap_info;
    const answer = await sealift.client.post('/v1/sys/wrapping/unwrap', {}, { token });
    expect(answer.body.data.keys).to.have.length(5000);
    expect(answer.body.data).to.include({ total_associations: 10_000, total_secrets: 5000 });
  });

  it('the associations of a destination are the same, whole or page by page', async () => {
    const path = '/v1/sys/sync/destinations/cloud1-sm/bulk-1/associations';
    const { data } = (await sealift.client.get(path)).body;
    expect(Object.keys(data.associated_secrets)).to.have.length(5000);
    expect(data).to.not.have.property('next_after');
    const paged = {};
    for (let after: string | null = ''; after !== null;) {
      const query = new URLSearchParams({ limit: '1200', after });
      const page = (await sealift.client.get(`${path}?${query.toString()}`)).body.data;
      Object.assign(paged, page.associated_secrets);
      after = page.next_after;
    }
    expect(paged).to.deep.equal(data.associated_secrets);
  });

  it('the accessors of all tokens are listed', async () => {
    const { db } = sealift.context;
    await db.raw(
      `INSERT INTO tokens (hash, accessor, namespace_id, display_name, policies, ttl_seconds, expires_at)
       SELECT sha256(n::text::bytea), 'bulk-' || n, 'root', 'token', '{default}', 3600, now() + interval '30 days'
       FROM generate_series(1, 2500) n`,
    );
    const listed = await sealift.client.call('LIST', '/v1/auth/token/accessors');
    const keys: string[] = listed.body.data.keys;
    expect(keys.filter((key) => key.startsWith('bulk-'))).to.have.length(2500);
    expect(new Set(keys).size).to.equal(keys.length);
  });

  it('a list that breaks off is cut, and never looks complete', async () => {
    const answer = await begin(FOLDER);
    answer.pause();
    await sealift.context.db.raw('ALTER TABLE secrets RENAME TO secrets_elsewhere');
    try {
      const failure = await textOf(answer).then(
        () => undefined,
        (error: Error) => error.message,
      );
      expect(failure).to.match(/aborted|hang up|reset/);
    } finally {
      await sealift.context.db.raw('ALTER TABLE secrets_elsewhere RENAME TO secrets');
    }
  });
});
