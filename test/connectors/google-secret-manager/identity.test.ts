import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import type { DestinationIdentity } from '../../../libs/connector/identity/destination-identity.ts';
import { makeSigningKey } from '../../../libs/crypto/signing-key.ts';
import {
  type Cloud3SmSettings,
  destination,
} from '../../../services/connectors/google-secret-manager/destination.ts';
import { type Cloud3SmFake, startCloud3SmFake } from '../../sandbox/google-secret-manager/fake.ts';
import { startTokenIssuer, type TokenIssuer } from '../../support/token-issuer.ts';
import { calm, entry, failureOf, openSession } from './support.ts';
import { faultsOfSettings } from '../../support/faults-of-settings.ts';

const SUBJECT = 'secrets-sync:root:gcp-sm:prod';
const NAME =
  '//iam.googleapis.com/projects/123456789/locations/global/workloadIdentityPools/sealift/providers/sealift';
const AUDIENCE = `https:${NAME}`;
const EMAIL = 'sealift@sealift-test.iam.gserviceaccount.com';
const BY_ACCOUNT = { identity_token_audience: AUDIENCE, service_account_email: EMAIL };
const DIRECT = { identity_token_audience: AUDIENCE, direct_access: true, project_id: 'sealift-test' };

describe('cloud3-sm: identity without a stored key', () => {
  let fake: Cloud3SmFake;
  let issuer: TokenIssuer;
  const open: Session[] = [];

  before(async () => {
    fake = await startCloud3SmFake();
    issuer = await startTokenIssuer();
  });
  beforeEach(() => fake.reset());
  afterEach(async () => {
    for (const session of open.splice(0)) await session.close?.();
  });
  after(async () => {
    await fake.close();
    issuer.close();
  });

  const usual = (): DestinationIdentity => issuer.identityOf(SUBJECT, AUDIENCE);
  async function openByToken(
    settings: Partial<Cloud3SmSettings> = BY_ACCOUNT,
    identity = usual(),
  ): Promise<Session> {
    const session = await openSession(
      fake,
      { credentials: undefined, ...settings },
      { identity, callTimeoutMs: 1000 },
    );
    open.push(session);
    return session;
  }
  function trust(): void {
    fake.federation.setProvider({ name: NAME, issuer: issuer.issuer, audience: AUDIENCE });
    fake.federation.allow(EMAIL, SUBJECT);
  }
  const signIns = (): string[] =>
    fake.calls().flatMap(({ operation }) => (operation.endsWith('Token') ? [operation] : []));

  it('identity tokens lead to a service account, and one sign-in serves many calls', async () => {
    trust();
    const session = await openByToken();
    await Promise.all(['a', 'b', 'c'].map((name) => session.put(entry({ name }), calm())));
    await session.check(calm(), 'sealift-check');
    expect(fake.entries()).to.have.length(3);
    expect(signIns()).to.deep.equal(['ExchangeToken', 'GenerateAccessToken']);
  });

  it('direct access needs no service account', async () => {
    fake.federation.setProvider({ name: NAME, issuer: issuer.issuer, audience: AUDIENCE });
    fake.federation.allowDirectly(SUBJECT, 'sealift-test');
    await (await openByToken(DIRECT)).put(entry(), calm());
    expect(fake.entries()).to.have.length(1);
    expect(signIns()).to.deep.equal(['ExchangeToken']);
  });

  it('direct access without rights names the principal that must have them', async () => {
    fake.federation.setProvider({ name: NAME, issuer: issuer.issuer, audience: AUDIENCE });
    const failure = await failureOf((await openByToken(DIRECT)).check(calm(), 'x'));
    expect([failure.kind, failure.code]).to.deep.equal(['client', 'permission_missing']);
    const pool = NAME.replace(/\/providers\/.*/, '');
    expect(failure.message)
      .to.match(/^principal:/)
      .and.include(`principal:${pool}/subject/${SUBJECT} lacks`);
    expect(failure.message).to.include('secretmanager.secrets.create');
    const write = await failureOf((await openByToken(DIRECT)).put(entry(), calm()));
    expect(write.message).to.include(`principal:${pool}/subject/${SUBJECT} lacks a permission`);
    expect(write.message).to.not.match(/service account|key/);
  });

  it('a provider may take another audience than its own name', async () => {
    fake.federation.setProvider({ name: NAME, issuer: issuer.issuer, audience: 'sealift' });
    fake.federation.allow(EMAIL, SUBJECT);
    const settings = { ...BY_ACCOUNT, identity_token_audience: 'sealift', workload_identity_provider: NAME };
    await (await openByToken(settings, issuer.identityOf(SUBJECT, 'sealift'))).put(entry(), calm());
    expect(fake.entries()).to.have.length(1);
  });

  it('access that ends within a second fails no write', async () => {
    trust();
    fake.federation.setTokenLife(1000);
    const session = await openByToken();
    const end = Date.now() + 2500;
    for (let round = 0; Date.now() < end; round += 1)
      await session.put(entry({ name: `n-${round}` }), calm());
    expect(signIns().length).to.be.above(4);
  });

  it('a refused token is replaced once', async () => {
    trust();
    fake.addFault({ kind: 'error', operation: 'ExchangeToken', code: 'invalid_grant', times: 1 });
    const before = issuer.made();
    await (await openByToken()).put(entry(), calm());
    expect(issuer.made() - before).to.equal(2);
  });

  const trustless: [what: string, identity: () => Promise<DestinationIdentity>][] = [
    ['subject', async () => issuer.identityOf('secrets-sync:root:gcp-sm:other', AUDIENCE)],
    ['audience', async () => issuer.identityOf(SUBJECT, 'sts.amazonaws.com')],
    [
      'issuer',
      async () => issuer.identityOf(SUBJECT, AUDIENCE, { claims: { iss: 'https://other.example' } }),
    ],
    ['key', async () => issuer.identityOf(SUBJECT, AUDIENCE, { key: await makeSigningKey() })],
  ];
  for (const [what, identity] of trustless)
    it(`a pool does not trust another ${what}`, async () => {
      trust();
      const failure = await failureOf((await openByToken(BY_ACCOUNT, await identity())).check(calm(), 'x'));
      expect([failure.kind, failure.code, failure.scope]).to.deep.equal([
        'client',
        'trust_refused',
        'destination',
      ]);
      expect(failure.message).to.not.match(/eyJ|ya29|Vendor/);
    });

  it('a provider whose issuer is changed refuses the tokens of the issuer before', async () => {
    const given = { holder: EMAIL, subject: SUBJECT, audience: AUDIENCE };
    fake.trust?.({ ...given, issuer: issuer.issuer });
    await (await openByToken()).put(entry(), calm());
    fake.trust?.({ ...given, issuer: 'https://other.example' });
    const failure = await failureOf((await openByToken()).check(calm(), 'x'));
    expect([failure.code, failure.step]).to.deep.equal(['trust_refused', 'exchange']);
  });

  it('a trust that Google does not know yet is waited for', async () => {
    const identity = issuer.identityOf(SUBJECT, AUDIENCE, { isSettling: (part) => part === 'trust' });
    const session = await openByToken(BY_ACCOUNT, identity);
    for (const step of ['pool', 'account']) {
      const failure = await failureOf(session.check(calm(), 'x'));
      expect([failure.kind, failure.code, failure.unsent], step).to.deep.equal([
        'external',
        'trust_unsettled',
        true,
      ]);
      if (step === 'pool')
        fake.federation.setProvider({ name: NAME, issuer: issuer.issuer, audience: AUDIENCE });
    }
    fake.federation.allow(EMAIL, SUBJECT);
    await session.put(entry(), calm());
  });

  it('an issuer whose documents Google cannot fetch is told as that', async () => {
    const claims = { iss: 'http://127.0.0.1:9/v1/identity/oidc/secrets-sync' };
    fake.federation.setProvider({ name: NAME, issuer: claims.iss, audience: AUDIENCE });
    const session = await openByToken(BY_ACCOUNT, issuer.identityOf(SUBJECT, AUDIENCE, { claims }));
    const { kind, code, step } = await failureOf(session.check(calm(), 'x'));
    expect([kind, code, step]).to.deep.equal(['external', 'issuer_unreachable', 'token']);
  });

  const refusals: [fault: { kind: string; status?: number; code?: string }, kind: string, code: string][] = [
    [{ kind: 'error', code: 'invalid_target' }, 'client', 'trust_refused'],
    [{ kind: 'error', code: 'unauthorized_client', status: 401 }, 'client', 'trust_refused'],
    [{ kind: 'error', code: 'invalid_request' }, 'client', 'configuration_invalid'],
    [{ kind: 'error', status: 500 }, 'external', 'store_failed'],
    [{ kind: 'redirect' }, 'external', 'redirected'],
    [{ kind: 'garbage' }, 'external', 'unexpected_answer'],
    [{ kind: 'hang' }, 'external', 'timed_out'],
    [{ kind: 'cut' }, 'external', 'connection_lost'],
  ];
  for (const [fault, kind, code] of refusals)
    it(`a sign-in at Google that meets ${fault.code ?? fault.kind} fails as ${kind} ${code}`, async () => {
      trust();
      fake.addFault({ ...fault, operation: 'ExchangeToken' });
      const failure = await failureOf((await openByToken()).check(calm(), 'x'));
      expect([failure.kind, failure.code, failure.scope]).to.deep.equal([kind, code, 'destination']);
    });

  it('a worker without a file of credentials asks the metadata server who it is', async () => {
    const metadata = createServer((request, response) => {
      response.setHeader('Metadata-Flavor', 'Google');
      response.setHeader('content-type', 'application/json');
      if (request.headers['metadata-flavor'] !== 'Google') return void response.writeHead(403).end();
      const access_token = fake.federation.giveTo({ email: EMAIL, project: 'sealift-test' });
      response.end(JSON.stringify({ access_token, expires_in: 3600, token_type: 'Bearer' }));
    });
    await new Promise<void>((resolve) => metadata.listen(0, '127.0.0.1', resolve));
    process.env['GCE_METADATA_HOST'] = `127.0.0.1:${(metadata.address() as AddressInfo).port}`;
    try {
      await (await openByToken({ project_id: 'sealift-test' })).put(entry(), calm());
      expect(fake.entries()).to.have.length(1);
    } finally {
      delete process.env['GCE_METADATA_HOST'];
      metadata.close();
      metadata.closeAllConnections();
    }
  });

  it('a file of credentials that the worker does not have is named', async () => {
    const variable = 'GOOGLE_APPLICATION_CREDENTIALS';
    process.env[variable] = '/nonexistent/key.json';
    const session = await openSession(
      fake,
      { credentials: undefined, project_id: 'sealift-test' },
      { variables: { [variable]: '/nonexistent/key.json' } },
    );
    const failure = await failureOf(session.check(calm(), 'x'));
    delete process.env[variable];
    expect([failure.kind, failure.code]).to.deep.equal(['client', 'credentials_missing']);
    expect(failure.message).to.contain('GOOGLE_APPLICATION_CREDENTIALS');
  });

  it('settings that lead nowhere are refused in the words that clients look for', () => {
    const faultsOf = (settings: Partial<Cloud3SmSettings>): string =>
      faultsOfSettings(destination, settings, { environment: () => undefined, egressAllow: [] }).join();
    expect(faultsOf(BY_ACCOUNT)).to.equal('');
    expect(faultsOf(DIRECT)).to.equal('');
    const both = 'requires both identity_token_audience and service_account_email';
    expect(faultsOf({ identity_token_audience: AUDIENCE })).to.contain(both);
    expect(faultsOf({ service_account_email: EMAIL })).to.contain(both);
    for (const email of ['me@example.com', 'a@b.iam.gserviceaccount.com', `${EMAIL}/x`])
      expect(faultsOf({ ...BY_ACCOUNT, service_account_email: email })).to.contain('invalid service account');
    expect(faultsOf({ ...BY_ACCOUNT, direct_access: true })).to.contain('exclude each other');
    expect(faultsOf({ ...DIRECT, project_id: undefined } as object)).to.contain('project_id');
    expect(faultsOf({ direct_access: true })).to.contain('identity_token_audience');
    expect(faultsOf({ ...BY_ACCOUNT, identity_token_audience: 'mine' })).to.contain('workload_identity');
    expect(faultsOf({})).to.contain('project_id is required');
  });
});
