import { expect } from 'chai';
import { entriesWith } from '../audit/support.ts';
import type { Sealift } from '../../support/sealift.ts';
import { startIssuer, type Issuer } from './issuer.ts';
import { done, from, refusal, startWithMethods } from './support.ts';

const CONFIG = '/v1/auth/jwt/config';
const ROLE = '/v1/auth/jwt/role';
const LOG_IN = '/v1/auth/jwt/login';

describe('JWT', () => {
  let sealift: Sealift;
  let issuer: Issuer;
  before(async () => {
    issuer = await startIssuer();
    sealift = await startWithMethods('jwt');
    await done(sealift.client.post(CONFIG, { oidc_discovery_url: issuer.url }));
    await done(sealift.client.post('/v1/secret/data/app', { data: { a: '1' } }));
  });
  after(async () => {
    await sealift.stop();
    await issuer.stop();
  });

  const writeRole = (name: string, role: object) =>
    sealift.client.post(`${ROLE}/${name}`, { user_claim: 'sub', token_policies: 'app', ...role });
  const logIn = (role: string, jwt: string, address = '198.51.100.20') =>
    sealift.client.post(LOG_IN, { role, jwt }, from(address));

  it('a role is written in part, read with what clients know, listed and deleted', async () => {
    const { client } = sealift;
    await done(writeRole('first', { bound_subject: 'me', bound_claims: '{"a":["b","c"]}' }));
    await done(
      client.post(`${ROLE}/first`, {
        claim_mappings: { email: 'mail' },
        bound_claims_type: 'glob',
        expiration_leeway: 120,
        not_before_leeway: '1m',
        alias_metadata: { team: 'web' },
      }),
    );
    expect((await client.get(`${ROLE}/first`)).body.data).to.deep.equal({
      role_type: 'jwt',
      user_claim: 'sub',
      user_claim_json_pointer: false,
      bound_audiences: [],
      bound_subject: 'me',
      bound_claims: { a: ['b', 'c'] },
      bound_claims_type: 'glob',
      claim_mappings: { email: 'mail' },
      clock_skew_leeway: 0,
      expiration_leeway: 120,
      not_before_leeway: 60,
      groups_claim: '',
      verbose_oidc_logging: false,
      token_policies: ['app'],
      token_ttl: 0,
      token_max_ttl: 0,
      token_explicit_max_ttl: 0,
      token_no_default_policy: false,
      token_bound_cidrs: [],
      alias_metadata: { team: 'web' },
      token_period: 0,
      token_num_uses: 0,
      token_type: 'default',
    });
    expect((await client.list(ROLE)).body.data.keys).to.deep.equal(['first']);
    await done(client.delete(`${ROLE}/first`));
    expect((await client.get(`${ROLE}/first`)).status).to.equal(404);
  });

  it('a list that a client sends as null is empty', async () => {
    const { client } = sealift;
    await done(writeRole('nulls', { bound_audiences: ['a'], bound_subject: 'me' }));
    await done(writeRole('nulls', { bound_audiences: null, token_policies: null }));
    expect((await client.get(`${ROLE}/nulls`)).body.data).to.deep.include({
      bound_audiences: [],
      token_policies: [],
    });
    await done(client.delete(`${ROLE}/nulls`));
  });

  it('a role that would let anybody in, or asks for what there is not, is refused', async () => {
    for (const [role, text] of [
      [{ user_claim: '', bound_subject: 'me' }, 'a user claim must be defined on the role'],
      [{}, 'must have at least one bound constraint when creating/updating a role'],
      [{ role_type: 'oidc', bound_subject: 'me' }, '"oidc" is not supported'],
      [{ groups_claim: 'groups', bound_subject: 'me' }, 'groups_claim is not supported'],
      [{ bound_subject: 'me', claim_mappings: { a: 'role' } }, 'metadata key "role" is reserved'],
      [{ bound_claims: { a: { b: 'c' } } }, 'bound_claims: the value of "a"'],
      [{ bound_claims: { a: 'a'.repeat(2001) } }, 'must be a text of up to 2000 letters'],
      [{ bound_claims: { a: [] } }, 'bound_claims: the value of "a"'],
      [{ bound_claims: 'text' }, 'bound_claims must be an object'],
      [{ bound_claims: '{"id":9007199254740993}' }, 'write the number of "id" as a text'],
      [{ bound_claims: '{"id":["1",1.5]}' }, 'write the number of "id" as a text'],
      [{ bound_subject: 'me', clock_skew_leeway: '61m' }, 'clock_skew_leeway must be at most an hour'],
      [{ bound_subject: 'me', bound_claims_type: 'regex' }, "invalid 'bound_claims_type'"],
    ] as [object, string][]) {
      const [status, said] = await refusal(writeRole('refused', role));
      expect([status, said.includes(text)], said).to.deep.equal([400, true]);
    }
    await done(writeRole('by-address', { token_bound_cidrs: '10.0.0.0/8' }));
  });

  it('a token of the issuer logs in, and its claims become metadata', async () => {
    const mapped = { claim_mappings: { email: 'mail', '/build/number': 'build', none: 'none' } };
    await done(writeRole('mapped', { bound_subject: 'me', token_ttl: '5m', ...mapped }));
    const jwt = await issuer.sign({
      sub: 'me',
      email: 'a@b.example',
      build: { number: 9007199254740993n.toString() },
    });
    const { auth } = (await done(logIn('mapped', jwt))).body;
    expect(auth).to.deep.include({
      policies: ['app', 'default'],
      metadata: { mail: 'a@b.example', build: '9007199254740993', role: 'mapped' },
      lease_duration: 300,
      orphan: true,
    });
    const read = await sealift.client.get('/v1/secret/data/app', { token: auth.client_token });
    expect(read.body.data.data).to.deep.equal({ a: '1' });
    const own = await sealift.client.get('/v1/auth/token/lookup-self', { token: auth.client_token });
    expect(own.body.data).to.include({ display_name: 'jwt-me', path: 'auth/jwt/login' });
  });

  it('a role that the log-in does not name is the default one', async () => {
    const { client } = sealift;
    await done(client.post(CONFIG, { oidc_discovery_url: issuer.url, default_role: 'usual' }));
    expect((await client.get(CONFIG)).body.data.namespace_in_state).to.equal(true);
    await done(writeRole('usual', { bound_subject: 'me' }));
    const { auth } = (await done(logIn('', await issuer.sign({ sub: 'me' })))).body;
    expect(auth.metadata).to.deep.equal({ role: 'usual' });
    await done(client.post(CONFIG, { oidc_discovery_url: issuer.url }));
    expect(await refusal(logIn('', 'x.y.z'))).to.deep.equal([400, 'missing role']);
    expect(await refusal(logIn('usual', ''))).to.deep.equal([400, 'missing token']);
  });

  it('claims must be as the role binds them: by text, list, number, pattern and pointer', async () => {
    const claims = {
      sub: 'me',
      ref: 'refs/heads/main',
      groups: ['a', 'b'],
      id: 42,
      flag: true,
      'https://sts.amazonaws.com/': { aws_account: '123456789012' },
    };
    const outcomes: [object, boolean][] = [
      [{ bound_subject: 'me' }, true],
      [{ bound_subject: 'you' }, false],
      [{ bound_claims: { ref: 'refs/heads/main' } }, true],
      [{ bound_claims: { ref: ['refs/heads/x', 'refs/heads/main'], groups: 'b' } }, true],
      [{ bound_claims: { ref: 'refs/heads/*' } }, false],
      [{ bound_claims: { ref: 'refs/*/main' }, bound_claims_type: 'glob' }, true],
      [{ bound_claims: { ref: 'refs/*/x' }, bound_claims_type: 'glob' }, false],
      [{ bound_claims: { groups: ['c', 'd'] } }, false],
      [{ bound_claims: { id: '42', flag: true } }, true],
      [{ bound_claims: { id: 43 } }, false],
      [{ bound_claims: { none: '' } }, false],
      [{ bound_claims: { '/https:~1~1sts.amazonaws.com~1/aws_account': '123456789012' } }, true],
      [{ bound_claims: { '/https:~1~1sts.amazonaws.com~1/aws_account': '1' } }, false],
      [{ bound_claims: { '/groups/1': 'b' } }, true],
      [{ bound_claims: { '/constructor/name': 'Object' } }, false],
    ];
    const jwt = await issuer.sign(claims);
    for (const [index, [role, isAllowed]] of outcomes.entries()) {
      await done(writeRole(`bound-${index}`, role));
      const { status, text } = await logIn(`bound-${index}`, jwt, `198.51.100.${50 + index}`);
      expect(status, `${JSON.stringify(role)} ${text}`).to.equal(isAllowed ? 200 : 400);
    }
  });

  it('a token for an audience needs a role that names it', async () => {
    await done(writeRole('open', { bound_subject: 'me' }));
    await done(writeRole('aud', { bound_audiences: 'sealift,other' }));
    const named = await issuer.sign({ sub: 'me', aud: 'sealift' });
    const several = await issuer.sign({ sub: 'me', aud: ['x', 'other'] });
    const foreign = await issuer.sign({ sub: 'me', aud: ['x'] });
    const none = await issuer.sign({ sub: 'me' });
    await done(logIn('aud', named));
    await done(logIn('aud', several));
    await done(logIn('open', none));
    const mismatch = 'error validating claims: aud claim does not match any bound audience';
    for (const jwt of [foreign, none]) expect((await refusal(logIn('aud', jwt)))[1]).to.equal(mismatch);
    expect((await refusal(logIn('open', named)))[1]).to.equal(
      'error validating claims: audience claim found in JWT but no audiences bound to the role',
    );
  });

  it('a token counts only in its time, with a minute for the clocks', async () => {
    await done(writeRole('timed', { bound_subject: 'me' }));
    await done(writeRole('strict', { bound_subject: 'me', clock_skew_leeway: 1 }));
    const now = Math.floor(Date.now() / 1000);
    const sign = (claims: object, expiresIn = 600) => issuer.sign({ sub: 'me', ...claims }, { expiresIn });
    await done(logIn('timed', await sign({}, -30)));
    const address = '198.51.100.21';
    for (const [jwt, role, text] of [
      [await sign({}, -30), 'strict', 'the token has expired'],
      [await sign({}, -90), 'timed', 'the token has expired'],
      [await sign({ nbf: now + 300 }), 'timed', 'the token is not valid yet (nbf)'],
      [await sign({ iat: now + 300 }), 'timed', 'the token was issued in the future (iat)'],
      [await sign({ exp: undefined }), 'timed', 'the token has no expiration time (exp)'],
      [await sign({ iss: 'https://other.example' }), 'timed', 'the token is of another issuer (iss)'],
    ] as const)
      expect(await refusal(logIn(role, jwt, address))).to.deep.equal([
        400,
        `error validating token: ${text}`,
      ]);
  });

  it('the role and the reason are told only to holders of a token that the issuer signed', async () => {
    const address = '198.51.100.22';
    const signed = await issuer.sign({ sub: 'me' });
    const forged = `${signed.slice(0, -8)}AAAAAAAA`;
    const unsigned = /^error validating token: no key of the issuer verifies the signature$/;
    for (const role of ['none', '-', 'by-address'])
      expect((await refusal(logIn(role, forged, address)))[1]).to.match(unsigned);
    expect(await refusal(logIn('none', signed, address))).to.deep.equal([
      400,
      'role "none" could not be found',
    ]);
    expect((await refusal(logIn('-', signed, address)))[1]).to.equal('invalid role name "-"');
    expect(await refusal(logIn('by-address', signed, address))).to.deep.equal([403, 'permission denied']);
  });

  it('the audit trail has who logged in by which role, why others failed, and never a token', async () => {
    await done(writeRole('audited', { bound_subject: 'me' }));
    const jwt = await issuer.sign({ sub: 'me' });
    await done(logIn('audited', jwt, '198.51.100.23'));
    const [entry] = await entriesWith(sealift, { address: '198.51.100.23' });
    expect(entry).to.deep.include({
      actor: 'jwt-me',
      'auth-method': 'jwt',
      action: 'POST /auth/jwt/login',
      detail: { mount: 'jwt', role: 'audited', user: 'me', ttl_seconds: 3600 },
    });
    await refusal(logIn('audited', await issuer.sign({ sub: 'you' }), '198.51.100.24'));
    const [refused] = await entriesWith(sealift, { address: '198.51.100.24' });
    expect(refused?.detail).to.deep.equal({
      kind: 'log_in_failed',
      count: 1,
      mount: 'jwt',
      role: 'audited',
      reason: 'sub claim does not match bound subject',
    });
    const all = JSON.stringify(await sealift.context.db('audit_events').select());
    expect(all).to.not.include(jwt.slice(0, 40));
  });
});
