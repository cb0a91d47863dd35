import { expect } from 'chai';
import { LIMITS } from '../../services/api/limits.ts';
import type { Answer, CallOptions } from '../support/client.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

const HEADERS = { 'x-vault-wrap-ttl': '768h' };

describe('how much a token can wrap', () => {
  let sealift: Sealift;
  let own: CallOptions;
  let id: number;
  before(async () => {
    sealift = await startSealift();
  });
  beforeEach(async () => {
    const made = await sealift.client.post('/v1/auth/token/create', { policies: ['default'] });
    own = { token: made.body.auth.client_token as string, headers: HEADERS };
    const row = await sealift.context.db('tokens').where({ accessor: made.body.auth.accessor }).first('id');
    id = row.id;
  });
  after(() => sealift.stop());

  const wrap = (body: object = { a: 1 }): Promise<Answer> =>
    sealift.client.post('/v1/sys/wrapping/wrap', body, own);

  // As many answers of the token as it may have, less some.
  async function fill(less: number, expiresAt: Date): Promise<void> {
    await sealift.context.db.raw(
      `WITH made AS (
         INSERT INTO tokens (hash, accessor, namespace_id, display_name, policies, renewable, ttl_seconds,
           explicit_max_ttl_seconds, expires_at)
         SELECT convert_to('filler ' || :id || ' ' || i, 'UTF8'), 'filler-' || :id || '-' || i, 'root', 'filler', '{}', false,
           60, 60, :expiresAt FROM generate_series(1, :count) i RETURNING accessor)
       INSERT INTO wrapped_responses (token_accessor, creation_path, wrapped_accessor, sealed, owner_id)
       SELECT accessor, 'x', '', 'x', :id FROM made`,
      { id, expiresAt, count: LIMITS.wrappedAnswers.value - less },
    );
  }

  it('a token has no more wrapped answers waiting than the limit, also if they come at once', async () => {
    await fill(2, new Date(Date.now() + 3_600_000));
    const answers = await Promise.all([wrap(), wrap(), wrap(), wrap(), wrap()]);
    expect(answers.map(({ status }) => status)).to.have.members([200, 200, 400, 400, 400]);
    const refused = await sealift.client.get('/v1/auth/token/lookup-self', own);
    expect([refused.status, refused.body.errors]).to.deep.equal([
      400,
      ['wrapped answers of a token that wait to be fetched: 5001 are too many, at most 5000 are allowed'],
    ]);
    const plain = await sealift.client.get('/v1/auth/token/lookup-self', { ...own, headers: {} });
    expect(plain.status).to.equal(200);
    const fetched = answers.find(({ status }) => status === 200)?.body.wrap_info.token as string;
    await sealift.client.post('/v1/sys/wrapping/unwrap', { token: fetched });
    expect((await wrap()).status).to.equal(200);
  });

  it('a call that cannot be wrapped any more changes nothing', async () => {
    const { client } = sealift;
    await client.post('/v1/sys/policies/acl/maker', {
      policy:
        'path "auth/token/create" { capabilities = ["update"] } path "sys/wrapping/*" { capabilities = ["update"] }',
    });
    const made = await client.post('/v1/auth/token/create', { policies: ['maker'] });
    own = { token: made.body.auth.client_token as string, headers: HEADERS };
    ({ id } = await sealift.context.db('tokens').where({ accessor: made.body.auth.accessor }).first('id'));
    await fill(0, new Date(Date.now() + 3_600_000));
    const before = await sealift.context.db('tokens').count('id as count').first();
    expect((await client.post('/v1/auth/token/create', {}, own)).status).to.equal(400);
    expect(await sealift.context.db('tokens').count('id as count').first()).to.deep.equal(before);
  });

  it('expired answers are deleted where their token has no room left for another', async () => {
    await fill(0, new Date(Date.now() - 1000));
    expect((await wrap()).status).to.equal(200);
    expect(await sealift.context.db('wrapped_responses').where({ owner_id: id })).to.have.length(1);
  });

  it('the bytes of the waiting answers are limited too', async () => {
    const large = { text: 'x'.repeat(1_000_000) };
    const statuses: number[] = [];
    for (let count = 0; count < 18; count += 1) statuses.push((await wrap(large)).status);
    expect(statuses.filter((status) => status === 200)).to.have.length(16);
    expect((await wrap(large)).text).to.contain(LIMITS.wrappedBytes.subject);
  });

  it('an exchanged answer still counts for the token that wrapped it', async () => {
    const { token } = (await wrap()).body.wrap_info;
    const again = await sealift.client.post('/v1/sys/wrapping/rewrap', { token });
    expect(again.status).to.equal(200);
    const owned = await sealift.context.db('wrapped_responses').where({ owner_id: id });
    expect(owned).to.have.length(1);
    await sealift.client.post('/v1/auth/token/revoke-self', {}, { ...own, headers: {} });
    const kept = again.body.wrap_info.token as string;
    const fetched = await sealift.client.post('/v1/sys/wrapping/unwrap', { token: kept });
    expect(fetched.body.data).to.deep.equal({ a: 1 });
  });
});
