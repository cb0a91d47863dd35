import { expect } from 'chai';
import { startSealift, type Sealift } from '../support/sealift.ts';

const ALL = 'capabilities = ["create", "read", "update", "patch", "delete", "list", "sudo"]';

describe('policy rules about parameters and wrapping', () => {
  let sealift: Sealift;
  let count = 0;
  before(async () => {
    sealift = await startSealift();
    await sealift.client.post('/v1/secret/data/app', { data: { a: 1 } });
  });
  after(() => sealift.stop());

  async function tokenWith(...policies: string[]): Promise<string> {
    const names: string[] = [];
    for (const policy of policies) {
      count += 1;
      const answer = await sealift.client.post(`/v1/sys/policies/acl/q${count}`, { policy });
      expect(answer.status, answer.text).to.equal(204);
      names.push(`q${count}`);
    }
    return (await sealift.client.post('/v1/auth/token/create', { policies: names })).body.auth.client_token;
  }

  async function isAllowed(token: string, method: string, path: string, body?: unknown): Promise<boolean> {
    return (await sealift.client.call(method, `/v1/${path}`, body, { token })).status !== 403;
  }

  /** Whether a rule for the creation of tokens accepts each of the bodies. */
  async function passing(rules: string, bodies: Record<string, unknown>[]): Promise<boolean[]> {
    const token = await tokenWith(`path "auth/token/create" { ${ALL}\n${rules} }`);
    const answers: boolean[] = [];
    for (const body of bodies) answers.push(await isAllowed(token, 'POST', 'auth/token/create', body));
    return answers;
  }

  it('only allowed parameters pass, with the values listed, and no list of values is every value', async () => {
    const rules = 'allowed_parameters = { "display_name" = ["web", "db-*", "*-x", "*mid*"] "TTL" = [] }';
    const bodies = [
      { display_name: 'web' },
      { display_name: 'db-1' },
      { display_name: 'a-x' },
      { display_name: 'amidst' },
      { display_name: 'webb', ttl: '1h' },
      { ttl: '1h' },
      {},
      { display_name: 'web', renewable: true },
      { meta: { a: 'b' } },
      { display_name: 'web', nothing: 1 },
    ];
    expect(await passing(rules, bodies)).to.deep.equal([
      true,
      true,
      true,
      true,
      false,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('a `*` among allowed parameters allows the others, whatever their values', async () => {
    const rules = 'allowed_parameters { "display_name" = ["web"] "*" = [] }';
    const bodies = [{ display_name: 'web', ttl: 5 }, { ttl: 5 }, { display_name: 'x' }];
    expect(await passing(rules, bodies)).to.deep.equal([true, true, false]);
  });

  it('numbers and truth values match however they are written', async () => {
    const rules = 'allowed_parameters = { "ttl" = [60, "2h"] "renewable" = [false] }';
    const bodies = [
      { ttl: 60 },
      { ttl: '60' },
      { ttl: '2h' },
      { ttl: 61 },
      { renewable: false },
      { renewable: 'false' },
      { renewable: true },
    ];
    expect(await passing(rules, bodies)).to.deep.equal([true, true, true, false, true, true, false]);
  });

  it('a list is allowed by its members, and is denied by one of them however it is written', async () => {
    const allowed = 'allowed_parameters = { "policies" = ["a", "b", ["c", "d"]] }';
    const bodies = [
      { policies: ['a', 'b'] },
      { policies: ['a', 'z'] },
      { policies: ['c', 'd'] },
      { policies: ['c'] },
      { policies: [] },
      { policies: 'a,z' },
    ];
    expect(await passing(allowed, bodies)).to.deep.equal([true, false, true, false, false, false]);
    const denied = 'denied_parameters = { "policies" = ["z"] }';
    const written = [
      { policies: ['a'] },
      { policies: ['a', 'z'] },
      { policies: 'z' },
      { policies: 'a, z' },
      { policies: '["a","z"]' },
      { Policies: ['z'] },
    ];
    expect(await passing(denied, written)).to.deep.equal([true, false, false, false, false, false]);
  });

  it('denied parameters are refused before any is allowed, and * denies every one', async () => {
    const both = 'denied_parameters = { "ttl" = ["1h"] "meta" = [] } allowed_parameters = { "*" = [] }';
    const bodies = [{ ttl: '2h' }, { ttl: '1h' }, { meta: { a: 'b' } }, {}];
    expect(await passing(both, bodies)).to.deep.equal([true, false, false, true]);
    expect(await passing('denied_parameters = { "*" = [] }', bodies)).to.deep.equal([
      false,
      false,
      false,
      true,
    ]);
  });

  it('required parameters must be there, whatever their values', async () => {
    const bodies = [{ ttl: '1h', display_name: '' }, { ttl: '1h' }, {}];
    expect(await passing('required_parameters = ["TTL", "display_name"]', bodies)).to.deep.equal([
      true,
      false,
      false,
    ]);
  });

  it('the keys at the top of the body count for a secret, and those of the query for a read', async () => {
    const token = await tokenWith(
      `path "secret/data/*" { ${ALL}\n allowed_parameters = { "data" = [] "version" = ["1"] } }`,
    );
    expect(await isAllowed(token, 'POST', 'secret/data/app', { data: { options: 1 } })).to.equal(true);
    expect(await isAllowed(token, 'POST', 'secret/data/app', { data: {}, options: { cas: 2 } })).to.equal(
      false,
    );
    expect(await isAllowed(token, 'PATCH', 'secret/data/app', { data: {} })).to.equal(true);
    expect(await isAllowed(token, 'PATCH', 'secret/data/app', { options: {} })).to.equal(false);
    expect(await isAllowed(token, 'GET', 'secret/data/app?version=1')).to.equal(true);
    expect(await isAllowed(token, 'GET', 'secret/data/app?version=2')).to.equal(false);
    expect(await isAllowed(token, 'GET', 'secret/data/app')).to.equal(true);
  });

  it('a body that only its endpoint understands is held against the rules as it was sent', async () => {
    const token = await tokenWith(
      `path "sys/sync/destinations/*" { ${ALL}\n denied_parameters = { region = ["us-*"] } }`,
    );
    const path = 'sys/sync/destinations/aws-sm/denied';
    expect(await isAllowed(token, 'POST', path, { region: 'us-east-1' })).to.equal(false);
    expect(await isAllowed(token, 'POST', path, { region: 'eu-west-1' })).to.equal(true);
  });

  it('a deletion needs no parameter that a write requires, and may not send a denied one', async () => {
    const token = await tokenWith(
      `path "sys/sync/destinations/*" { ${ALL}\n required_parameters = ["region"] denied_parameters = { purge = [] } }`,
    );
    const path = 'sys/sync/destinations/aws-sm/none';
    expect(await isAllowed(token, 'DELETE', path)).to.equal(true);
    expect(await isAllowed(token, 'DELETE', `${path}?purge=true`)).to.equal(false);
    expect(await isAllowed(token, 'DELETE', path, { purge: true })).to.equal(false);
  });

  it('a refused call does nothing', async () => {
    const token = await tokenWith(`path "secret/data/*" { ${ALL}\n denied_parameters = { "data" = [] } }`);
    const path = '/v1/secret/data/untouched';
    expect((await sealift.client.post(path, { data: {} }, { token })).status).to.equal(403);
    expect((await sealift.client.get(path)).status).to.equal(404);
  });

  it('rules of several policies and blocks for one path add up', async () => {
    const path = 'auth/token/create';
    const token = await tokenWith(
      `path "${path}" { ${ALL}\n allowed_parameters = { "ttl" = ["1h"] } required_parameters = ["ttl"] }
       path "${path}" { allowed_parameters = { "ttl" = ["2h"] } capabilities = [] }`,
      `path "${path}" { policy = "write" allowed_parameters = { "display_name" = [] } }`,
    );
    const answers: boolean[] = [];
    for (const body of [
      { ttl: '1h' },
      { ttl: '2h', display_name: 'x' },
      { ttl: '3h' },
      { display_name: 'x' },
    ]) {
      answers.push(await isAllowed(token, 'POST', path, body));
    }
    expect(answers).to.deep.equal([true, true, false, false]);
  });

  it('the same rules are taken in JSON', async () => {
    const rule = { capabilities: ['update'], denied_parameters: { ttl: ['1h'] }, max_wrapping_ttl: '1h' };
    const name = '/v1/sys/policies/acl/json';
    expect((await sealift.client.post(name, { path: { 'auth/token/create': rule } })).status).to.equal(204);
    const token = (await sealift.client.post('/v1/auth/token/create', { policies: ['json'] })).body.auth
      .client_token;
    const wrapped = { token, headers: { 'x-vault-wrap-ttl': '60' } };
    const { client } = sealift;
    expect((await client.post('/v1/auth/token/create', { ttl: '2h' }, { token })).status).to.equal(403);
    expect((await client.post('/v1/auth/token/create', { ttl: '1h' }, wrapped)).status).to.equal(403);
    expect((await client.post('/v1/auth/token/create', { ttl: '2h' }, wrapped)).status).to.equal(200);
  });

  it('a limit of the wrapping time requires a wrapped answer, for a time within the limits', async () => {
    const statuses = async (rules: string): Promise<number[]> => {
      const token = await tokenWith(`path "secret/data/*" { ${ALL}\n ${rules} }`);
      const answers: number[] = [];
      for (const wish of [undefined, '10', '1m', '120s', '1h', 'soon', '-60']) {
        const headers: Record<string, string> = wish === undefined ? {} : { 'x-vault-wrap-ttl': wish };
        answers.push((await sealift.client.get('/v1/secret/data/app', { token, headers })).status);
      }
      return answers;
    };
    expect(await statuses('min_wrapping_ttl = "1m" max_wrapping_ttl = 120')).to.deep.equal([
      403, 403, 200, 200, 403, 400, 400,
    ]);
    expect(await statuses('min_wrapping_ttl = 60')).to.deep.equal([403, 403, 200, 200, 200, 400, 400]);
    expect(await statuses('max_wrapping_ttl = "1m"')).to.deep.equal([403, 200, 200, 403, 403, 400, 400]);
  });
});
