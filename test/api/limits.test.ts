import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { LIMITS, type Limit } from '../../services/api/limits.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `name-${index}`);
const rules = (count: number, from = 0): string =>
  JSON.stringify({
    path: Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`p/${from + index}`, { policy: 'read' }]),
    ),
  });

const namedBy = (names: string[]): object => Object.fromEntries(names.map((name) => [name, 1]));

describe('limits of a request', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
    await sealift.client.post('/v1/sys/mounts/secret', { type: 'kv-v2' });
  });
  after(() => sealift.stop());

  it('the guide has a row for every limit, and no other', async () => {
    const guide = await readFile('docs/api.md', 'utf8');
    const section = guide.split('\n## Limits\n')[1]?.split('\n## ')[0] ?? '';
    const rows = section
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .slice(2)
      .map((line) => line.split('|').map((cell) => cell.trim()));
    const listed = Object.values<Limit>(LIMITS).map((limit) => [
      '',
      limit.subject,
      limit.value.toLocaleString('en'),
      String(limit.status),
      '',
    ]);
    expect(rows).to.deep.equal(listed);
  });

  it('a list written as a text has no more values than a body', async () => {
    for (const paths of ['a,'.repeat(10_001), `["${'a","'.repeat(10_000)}a"]`]) {
      const answer = await sealift.client.post('/v1/sys/capabilities-self', { paths });
      expect(answer.status).to.equal(400);
      expect(answer.body.errors[0]).to.match(/^a list in a text has \d+ values, at most 10000 are allowed$/);
    }
    const allowed = await sealift.client.post('/v1/sys/capabilities-self', { paths: 'sys/a, sys/b' });
    expect(allowed.status).to.equal(200);
  });

  it('a request beyond a limit is refused with the limit and what was sent', async () => {
    const { client } = sealift;
    const value = (count: number): object => ({ paths: many(count) });
    const policy = { policy: 'path "a" { policy = "read" }' };
    const parameters = `path "a" { policy = "read" allowed_parameters = { a = [${'1,'.repeat(20_000)}] } }`;
    const cases: [limit: Limit, given: number, method: string, path: string, body?: object][] = [
      [LIMITS.policyRules, 5001, 'POST', '/v1/sys/policies/preview', { ...value(1), policy: rules(5001) }],
      [LIMITS.policyRules, 5001, 'POST', '/v1/sys/policies/acl/x', { policy: rules(5001) }],
      [LIMITS.policyBytes, 524_289, 'POST', '/v1/sys/policies/acl/x', { policy: '#'.repeat(524_289) }],
      [LIMITS.policyParameters, 20_001, 'POST', '/v1/sys/policies/acl/x', { policy: parameters }],
      [LIMITS.askedPaths, 201, 'POST', '/v1/sys/capabilities-self', value(201)],
      [LIMITS.askedPaths, 201, 'POST', '/v1/sys/policies/preview', { ...value(201), ...policy }],
      [LIMITS.askedPolicies, 21, 'LIST', `/v1/sys/policies/acl?reading=${'a,'.repeat(20)}a`],
      [LIMITS.askedPathBytes, 4097, 'POST', '/v1/sys/capabilities-below', { paths: ['a'.repeat(4097)] }],
      [LIMITS.tokenPolicies, 501, 'POST', '/v1/auth/token/create', { policies: many(501) }],
      [LIMITS.tokenPolicies, 501, 'POST', '/v1/auth/token/roles/x', { allowed_policies_glob: many(501) }],
      [
        LIMITS.globLetters,
        257,
        'POST',
        '/v1/auth/token/roles/x',
        { allowed_policies_glob: ['*'.repeat(257)] },
      ],
      [LIMITS.roleCidrs, 501, 'POST', '/v1/auth/token/roles/x', { bound_cidrs: many(501) }],
      [LIMITS.pathSegments, 601, 'GET', `/v1/secret/data${'/a'.repeat(598)}`],
      [LIMITS.queryParameters, 1001, 'GET', `/v1/secret/data/a?${'a&'.repeat(1000)}`],
      [LIMITS.bodyParameters, 1001, 'POST', '/v1/sys/capabilities-self', namedBy(many(1001))],
      [LIMITS.bodyParameters, 1001, 'POST', '/v1/sys/sync/destinations/repo-host/x', namedBy(many(1001))],
      [LIMITS.bodyValues, 10_002, 'POST', '/v1/sys/capabilities-self', { paths: many(10_000) }],
    ];
    for (const [limit, given, method, path, body] of cases) {
      const answer = await client.call(method, path, body);
      expect(answer.status, `${path}: ${answer.text.slice(0, 200)}`).to.equal(limit.status);
      expect(answer.body.errors[0]).to.equal(
        `${limit.subject}: ${given} are too many, at most ${limit.value} are allowed`,
      );
    }
  });

  it('a large policy and a secret of 9,500 keys are taken', async () => {
    const { client } = sealift;
    expect((await client.post('/v1/sys/policies/acl/large', { policy: rules(5000) })).status).to.equal(204);
    const data = Object.fromEntries(Array.from({ length: 9500 }, (_, index) => [`k${index}`, 1]));
    expect((await client.post('/v1/secret/data/wide', { data })).status).to.equal(200);
    expect((await client.get('/v1/secret/data/wide')).body.data.data).to.deep.equal(data);
  });

  it('a token whose policies have too many rules together is refused', async () => {
    const { client } = sealift;
    for (let part = 0; part < 11; part += 1)
      await client.post(`/v1/sys/policies/acl/part-${part}`, { policy: rules(5000, part * 5000) });
    const tokenWith = async (count: number): Promise<string> => {
      const policies = Array.from({ length: count }, (_, part) => `part-${part}`);
      const made = await client.post('/v1/auth/token/create', { policies, no_default_policy: true });
      return String(made.body.auth.client_token);
    };
    const question = { paths: ['p/49999'] };
    const within = await client.post('/v1/sys/capabilities-self', question, { token: await tokenWith(10) });
    expect(within.body.data.capabilities).to.deep.equal(['read', 'list']);
    const beyond = await client.post('/v1/sys/capabilities-self', question, { token: await tokenWith(11) });
    expect(beyond.status).to.equal(403);
    expect(beyond.body.errors[0]).to.include('more than 50000 rules');
  });

  it('a policy may have rights of other servers, which bring a warning', async () => {
    const { client } = sealift;
    const policy = `path "a" { capabilities = ["read", "recover", "scan"]
  comment = "why" }
path "b" {}`;
    const written = await client.post('/v1/sys/policies/acl/others', { policy });
    expect(written.status).to.equal(200);
    expect(written.body.warnings).to.deep.equal([
      'line 1, column 36: the capability recover of "a" has no effect here',
      'line 1, column 47: the capability scan of "a" has no effect here',
      'line 2, column 3: comment of "a" has no effect here',
    ]);
    expect((await client.get('/v1/sys/policies/acl/others')).body.data.policy).to.equal(policy);
    const preview = await client.post('/v1/sys/policies/preview', { policy, paths: ['a', 'b'] });
    expect(preview.body.data).to.deep.equal({ a: ['read'], b: ['deny'] });
    expect(preview.body.warnings).to.have.length(3);
    const refused = await client.post('/v1/sys/policies/acl/others', {
      policy: 'path "a" { pagination_limit = 5 }',
    });
    expect(refused.status).to.equal(400);
  });
});
