import { expect } from 'chai';
import { AUTH_TYPES } from '../../../libs/store/auth/mounts.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { entriesWith, entryOf, named } from './support.ts';

const idOf = (path: string): string => path.replaceAll('/', '-');

describe('what the audit trail tells of an attempt to get more rights', () => {
  let sealift: Sealift;
  let token: string;
  before(async () => {
    sealift = await startSealift();
    const made = await sealift.client.post('/v1/auth/token/create', { policies: ['default'] });
    token = made.body.auth.client_token;
    for (const type of AUTH_TYPES) await sealift.client.post(`/v1/sys/auth/${type}`, { type });
  });
  after(() => sealift.stop());

  const ATTEMPTS: [string, string, Record<string, unknown>, unknown][] = [
    ['a token', 'auth/token/create', { policies: ['root'], ttl: '9h' }, { policies: ['root'], ttl: '9h' }],
    [
      'a token without a parent',
      'auth/token/create-orphan',
      { policies: ['root'], no_parent: true },
      { policies: ['root'], no_parent: true },
    ],
    [
      'a token of a role',
      'auth/token/create/wide',
      { policies: ['admin'] },
      { policies: ['admin'], role: 'wide' },
    ],
    [
      'a token role',
      'auth/token/roles/wide',
      { allowed_policies: ['root'], orphan: true },
      { allowed_policies: ['root'], orphan: true },
    ],
    ['a team', 'sys/teams/everybody', { policies: ['admin'] }, { policies: ['admin'] }],
    ['an AppRole', 'auth/approle/role/ci', { token_policies: ['admin'] }, { token_policies: ['admin'] }],
    ['a role of workloads', 'auth/jwt/role/ci', { policies: ['admin'] }, { policies: ['admin'] }],
  ];

  for (const [what, path, body, expected] of ATTEMPTS)
    it(`${what} that somebody may not make is told with what was asked`, async () => {
      const answer = await sealift.client.post(`/v1/${path}`, body, { token, ...named(idOf(path)) });
      expect(answer.status).to.equal(403);
      const entry = await entryOf(sealift, idOf(path));
      expect(entry).to.deep.include({ outcome: 'refused', status: 403, detail: { asked: expected } });
    });

  it('a policy that somebody may not write is told by its rules, without values of parameters', async () => {
    const policy =
      'path "*" { capabilities = ["sudo"] } path "a" { capabilities = ["update"] allowed_parameters = { "p" = ["CaNaRy"] } }';
    for (const path of ['sys/policies/acl/mine', 'sys/policy/mine']) {
      const answer = await sealift.client.post(`/v1/${path}`, { policy }, { token, ...named(idOf(path)) });
      expect(answer.status).to.equal(403);
      const { detail } = await entryOf(sealift, idOf(path));
      const { added, sha256 } = (detail as { asked: { added: Record<string, string>; sha256: string } })
        .asked;
      expect(added['*']).to.equal('sudo');
      expect(added['a']).to.match(/^update, with allowed_parameters \(fingerprint:[0-9a-f]{16}\)$/);
      expect(sha256).to.match(/^[0-9a-f]{64}$/);
      expect(JSON.stringify(detail)).to.not.include('CaNaRy');
    }
  });

  it('an attempt whose body cannot be read is refused like any other', async () => {
    for (const [id, raw] of [
      ['broken', '{"policies":'],
      ['wrong', '{"policies":{"a":1}}'],
      ['large', JSON.stringify({ display_name: 'x'.repeat(2 ** 20) })],
    ] as const) {
      const options = { token, raw, ...named(id) };
      const answer = await sealift.client.post('/v1/auth/token/create', undefined, options);
      expect(answer.status, id).to.equal(403);
      expect(await entryOf(sealift, id)).to.include({ outcome: 'refused', status: 403, detail: null });
    }
  });

  it('a question about own rights leaves no entry, and about those of others one', async () => {
    const paths = ['secret/data/a'];
    for (const path of ['sys/capabilities-self', 'sys/capabilities-below']) {
      expect((await sealift.client.post(`/v1/${path}`, { paths }, named(idOf(path)))).status).to.equal(200);
    }
    const policy = 'path "a" { capabilities = ["read"] }';
    await sealift.client.post('/v1/sys/policies/preview', { policy, paths }, named('preview'));
    await sealift.client.post('/v1/sys/capabilities', { token, paths }, named('others'));
    expect(await entriesWith(sealift, { 'request-id': 'others' })).to.have.length(1);
    for (const id of ['sys-capabilities-self', 'sys-capabilities-below', 'preview'])
      expect(await entriesWith(sealift, { 'request-id': id }), id).to.deep.equal([]);
  });

  it('a question about own rights with a bad token is counted', async () => {
    const options = { token: 'slt.unknown', ...named('bad') };
    const body = { paths: ['secret/data/a'] };
    expect((await sealift.client.post('/v1/sys/capabilities-self', body, options)).status).to.equal(403);
    expect((await entryOf(sealift, 'bad')).detail).to.include({ kind: 'bad_token' });
  });
});
