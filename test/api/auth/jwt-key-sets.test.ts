import { expect } from 'chai';
import { startKeyMaintenance } from '../../../services/key-maintenance/start.ts';
import { runNow, startMaintenance } from '../../key-maintenance/support.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { startIssuer, type Issuer } from './issuer.ts';
import { done, from, refusal, startWithMethods } from './support.ts';

const CONFIG = '/v1/auth/jwt/config';
const LOG_IN = '/v1/auth/jwt/login';

describe('key sets of issuers', () => {
  let sealift: Sealift;
  let issuer: Issuer;
  beforeEach(async () => {
    issuer = await startIssuer();
    sealift = await startWithMethods('jwt');
    await done(sealift.client.post(CONFIG, { oidc_discovery_url: issuer.url }));
    const role = { user_claim: 'sub', bound_subject: 'me', token_policies: 'app' };
    await done(sealift.client.post('/v1/auth/jwt/role/me', role));
  });
  afterEach(async () => {
    await sealift.stop();
    await issuer.stop();
  });

  const logIn = async () =>
    sealift.client.post(LOG_IN, { role: 'me', jwt: await issuer.sign({ sub: 'me' }) }, from('10.9.1.1'));
  // As if the last try was some time ago.
  const age = (columns: object) => sealift.context.db('auth_key_sets').update(columns);
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

  it('a log-in asks the issuer nothing, and a new key once in half a minute', async () => {
    const calls = issuer.state.asked;
    await done(logIn());
    expect(issuer.state.asked).to.equal(calls);
    await issuer.rotate();
    expect((await logIn()).status).to.equal(400);
    expect(issuer.state.asked).to.equal(calls);
    await age({ tried_at: minutesAgo(1) });
    const answers = await Promise.all([logIn(), logIn(), logIn()]);
    expect(answers.filter(({ status }) => status === 200).length).to.be.greaterThan(0);
    // The discovery document and the key set.
    expect(issuer.state.asked).to.equal(calls + 2);
    await done(logIn());
  });

  it('the job fetches changed keys, and those of an issuer that is away serve for a day', async () => {
    const services = await startMaintenance(sealift);
    await issuer.rotate();
    expect(await runNow(services, 'fetch-key-sets')).to.deep.equal({ sources: 1, changed: 1, problems: 0 });
    expect(await runNow(services, 'fetch-key-sets')).to.deep.equal({ sources: 1, changed: 0, problems: 0 });
    await done(logIn());
    issuer.state.down = 500;
    const found: Record<string, unknown>[] = [];
    expect(await runNow(services, 'fetch-key-sets', { found })).to.include({ problems: 1 });
    expect(found[0]).to.deep.include({ fault: 'the issuer answered with status 500' });
    expect((await sealift.client.get(CONFIG)).body.data.keys_fault).to.equal(
      'the issuer answered with status 500',
    );
    await age({ fetched_at: minutesAgo(23 * 60), tried_at: minutesAgo(1) });
    await done(logIn());
    await age({ fetched_at: minutesAgo(25 * 60), tried_at: minutesAgo(1) });
    const answer = await logIn();
    expect([answer.status, answer.headers['retry-after']]).to.deep.equal([503, '30']);
    issuer.state.down = 0;
    await age({ tried_at: minutesAgo(1) });
    await done(logIn());
  });

  it('an issuer that cannot be used is refused when it is configured, and the former one stays', async () => {
    const { client } = sealift;
    const wrong = 'error checking oidc discovery URL: ';
    const write = (config: object) => refusal(client.post(CONFIG, config));
    issuer.state.named = 'https://other.example';
    expect(await write({ oidc_discovery_url: issuer.url })).to.deep.equal([
      400,
      `${wrong}the discovery document names another issuer than the URL`,
    ]);
    issuer.state.named = issuer.url;
    issuer.state.jwksUri = 'http://169.254.169.254/keys';
    expect((await write({ oidc_discovery_url: issuer.url }))[1]).to.include('the issuer was not called');
    issuer.state.jwksUri = issuer.keysUrl;
    issuer.state.down = 302;
    expect((await write({ oidc_discovery_url: issuer.url }))[1]).to.include(
      'a redirect, which is not followed',
    );
    issuer.state.down = 0;
    expect((await write({ jwks_url: 'http://10.0.0.1/keys' }))[1]).to.include('error checking jwks URL');
    expect((await write({ jwks_url: `${issuer.url}/none` }))[1]).to.include('status 404');
    issuer.keys[0] = { kty: 'RSA', n: Buffer.alloc(128, 255).toString('base64url'), e: 'AQAB' };
    expect((await write({ jwks_url: issuer.keysUrl }))[1]).to.include('RSA keys have 2048 to 4096 bits');
    const { n } = issuer.key.jwk as { n: string };
    for (const key of [
      { kty: 'RSA', n, e: n },
      { kty: 'RSA', n: Buffer.alloc(1024, 255).toString('base64url'), e: 'AQAB' },
      { kty: 'RSA', n, e: 'AQAB', key_ops: ['encrypt'] },
    ]) {
      issuer.keys[0] = key;
      expect((await write({ jwks_url: issuer.keysUrl }))[1]).to.include('no key that verifies signatures');
    }
    issuer.keys[0] = { kty: 'oct', k: 'c2VjcmV0' };
    expect((await write({ jwks_url: issuer.keysUrl }))[1]).to.include('no key that verifies signatures');
    await done(logIn());
  });

  it('a key set without discovery serves as well, and warns without an issuer', async () => {
    const answer = await done(sealift.client.post(CONFIG, { jwks_url: issuer.keysUrl }));
    expect(String(answer.body?.warnings ?? '')).to.include('bound_issuer');
    await done(logIn());
  });

  it('a configuration that needs a fetch gets 503 while no worker runs', async () => {
    const lonely = await startSealift({ environment: { EGRESS_ALLOW: '127.0.0.1' } });
    try {
      await done(lonely.client.post('/v1/sys/auth/jwt', { type: 'jwt' }));
      expect((await lonely.client.post(CONFIG, { oidc_discovery_url: issuer.url })).status).to.equal(503);
      await lonely.start('key-maintenance', startKeyMaintenance);
      await done(lonely.client.post(CONFIG, { oidc_discovery_url: issuer.url }));
    } finally {
      await lonely.stop();
    }
  });
});
