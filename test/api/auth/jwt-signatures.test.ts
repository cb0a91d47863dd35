import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import type { Sealift } from '../../support/sealift.ts';
import { makeKey, startIssuer, type Issuer } from './issuer.ts';
import { done, from, refusal, startWithMethods } from './support.ts';

const CONFIG = '/v1/auth/jwt/config';
const LOG_IN = '/v1/auth/jwt/login';

describe('signatures of tokens that log in', () => {
  let sealift: Sealift;
  let issuer: Issuer;
  before(async () => {
    issuer = await startIssuer();
    sealift = await startWithMethods('jwt');
    await configure({ jwt_validation_pubkeys: [await issuer.pem()] });
    const role = { user_claim: 'sub', bound_subject: 'me', token_policies: 'app' };
    await done(sealift.client.post('/v1/auth/jwt/role/me', role));
  });
  after(async () => {
    await sealift.stop();
    await issuer.stop();
  });

  const configure = (config: object) => done(sealift.client.post(CONFIG, config));
  let last = 0;
  const logIn = (jwt: string) =>
    sealift.client.post(LOG_IN, { role: 'me', jwt }, from(`10.9.0.${(last += 1)}`));

  it('keys that are given need no issuer that answers', async () => {
    await configure({ jwt_validation_pubkeys: [await issuer.pem()], bound_issuer: issuer.url });
    const calls = issuer.state.asked;
    await done(logIn(await issuer.sign({ sub: 'me' })));
    await done(logIn(await issuer.sign({ sub: 'me' }, { kid: 'any' })));
    await done(logIn(await issuer.sign({ sub: 'me' }, { kid: null })));
    expect((await logIn(await issuer.sign({ sub: 'me', iss: 'x' }))).status).to.equal(400);
    expect(issuer.state.asked).to.equal(calls);
    await sealift.context.db('auth_key_sets').update({ fetched_at: new Date(0) });
    await done(logIn(await issuer.sign({ sub: 'me' })));
    const { data } = (await sealift.client.get(CONFIG)).body;
    expect(data).to.deep.include({
      keys: 1,
      bound_issuer: issuer.url,
      keys_fault: null,
      oidc_discovery_url: '',
    });
  });

  it('a signature of another key, of none, or with a shared secret does not count', async () => {
    const pem = await issuer.pem();
    const signed = await issuer.sign({ sub: 'me' });
    const [header = '', payload = '', signature = ''] = signed.split('.');
    const withHeader = (changes: object): string => {
      const given = JSON.parse(Buffer.from(header, 'base64url').toString()) as object;
      return Buffer.from(JSON.stringify({ ...given, ...changes })).toString('base64url');
    };
    const hmac = (input: string) => createHmac('sha256', pem).update(input).digest('base64url');
    const symmetric = `${withHeader({ alg: 'HS256' })}.${payload}`;
    const stranger = await makeKey('RS256', issuer.key.kid);
    const other = Buffer.from(JSON.stringify({ sub: 'me', exp: 9e9 })).toString('base64url');
    for (const jwt of [
      `${withHeader({ alg: 'none' })}.${payload}.`,
      `${withHeader({ alg: 'None' })}.${payload}.${signature}`,
      `${symmetric}.${hmac(symmetric)}`,
      `${withHeader({ crit: ['exp'] })}.${payload}.${signature}`,
      `${withHeader({ b64: false, crit: ['b64'] })}.${payload}.${signature}`,
      `${withHeader({ alg: 'PS256' })}.${payload}.${signature}`,
      `${withHeader({ jwk: stranger.jwk })}.${payload}.${signature}`,
      `${header}.${other}.${signature}`,
      `${header}.${payload}.`,
      `${header}.${payload}`,
      signed.replaceAll('.', '..'),
      'no token',
      await issuer.sign({ sub: 'me' }, { key: stranger }),
    ]) {
      const [status, text] = await refusal(logIn(jwt));
      expect([status, text.startsWith('error validating token: ')], jwt).to.deep.equal([400, true]);
    }
  });

  it('each kind of public key verifies its signatures, and only the accepted algorithms', async () => {
    for (const alg of ['PS256', 'ES256', 'ES384', 'ES512', 'EdDSA']) {
      const one = await startIssuer({ alg });
      try {
        await configure({
          jwt_validation_pubkeys: [await issuer.pem(), await one.pem()],
          bound_issuer: one.url,
        });
        await done(logIn(await one.sign({ sub: 'me' })));
        await configure({ jwt_validation_pubkeys: [await one.pem()], jwt_supported_algs: ['RS512'] });
        expect((await refusal(logIn(await one.sign({ sub: 'me' }))))[1], alg).to.include('algorithm');
      } finally {
        await one.stop();
      }
    }
  });

  it('a configuration with no or two sources, a private or weak key, or OIDC clients is refused', async () => {
    const { client } = sealift;
    const pem = await issuer.pem();
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const secret = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
    const { n } = issuer.key.jwk as { n: string };
    const costly = createPublicKey({ key: { kty: 'RSA', n, e: n }, format: 'jwk' });
    const exactlyOne = 'exactly one of';
    for (const [config, text] of [
      [{}, exactlyOne],
      [{ jwks_url: issuer.keysUrl, oidc_discovery_url: issuer.url }, exactlyOne],
      [{ jwks_url: issuer.keysUrl, jwt_validation_pubkeys: [pem] }, exactlyOne],
      [{ jwt_validation_pubkeys: ['text'] }, 'error parsing public key'],
      [{ jwt_validation_pubkeys: [secret] }, 'a private key was sent'],
      [
        { jwt_validation_pubkeys: [weak.publicKey.export({ type: 'spki', format: 'pem' })] },
        'have 2048 to 4096 bits',
      ],
      [
        { jwt_validation_pubkeys: [costly.export({ type: 'spki', format: 'pem' })] },
        'an exponent of at most',
      ],
      [{ jwt_validation_pubkeys: [pem], jwt_supported_algs: ['HS256'] }, '"HS256" is none of'],
      [{ jwt_validation_pubkeys: [pem], oidc_client_id: 'x' }, 'oidc_client_id is not supported'],
      [{ jwt_validation_pubkeys: [pem], provider_config: { a: 'b' } }, 'provider_config is not supported'],
      [{ jwks_pairs: [{ jwks_url: issuer.keysUrl }] }, 'jwks_pairs is not supported'],
    ] as [object, string][]) {
      const [status, said] = await refusal(client.post(CONFIG, config));
      expect([status, said.includes(text)], said).to.deep.equal([400, true]);
    }
    const warned = await client.post(CONFIG, { jwt_validation_pubkeys: [pem], provider_config: {} });
    expect(warned.status, warned.text).to.be.lessThan(300);
  });
});
