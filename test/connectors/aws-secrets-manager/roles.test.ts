import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import type { DestinationIdentity } from '../../../libs/connector/identity/destination-identity.ts';
import { makeSigningKey } from '../../../libs/crypto/signing-key.ts';
import { roleSessionName } from '../../../services/connectors/aws-secrets-manager/sign-in/role-session-name.ts';
import { type Cloud1SmFake, startCloud1SmFake } from '../../sandbox/aws-secrets-manager/fake.ts';
import { startTokenIssuer, type TokenIssuer } from '../../support/token-issuer.ts';
import { calm, entry, failureOf, openSession } from './support.ts';

const ROLE = 'arn:aws:iam::123456789012:role/sealift';
const SUBJECT = 'secrets-sync:root:aws-sm:prod';
const AUDIENCE = 'sts.amazonaws.com';
const BY_TOKEN = 'AssumeRoleWithWebIdentity';

describe('cloud1-sm: roles', () => {
  let fake: Cloud1SmFake;
  let issuer: TokenIssuer;

  before(async () => {
    fake = await startCloud1SmFake();
    issuer = await startTokenIssuer();
  });
  beforeEach(() => fake.reset());
  after(async () => {
    await fake.close();
    issuer.close();
  });

  const bare = { access_key_id: undefined, secret_access_key: undefined };
  const trust = () => ({ issuer: issuer.issuer, audience: AUDIENCE, subject: SUBJECT });
  const openByToken = (identity: DestinationIdentity, limitMs = 5000): Promise<Session> =>
    openSession(
      fake,
      { ...bare, role_arn: ROLE, identity_token_audience: AUDIENCE },
      { identity, callTimeoutMs: limitMs },
    );
  const usual = (): DestinationIdentity => issuer.identityOf(SUBJECT, AUDIENCE);
  const openByKey = (external_id?: string): Promise<Session> =>
    openSession(fake, { role_arn: ROLE, external_id }, { identity: usual() });

  it('identity tokens lead into a role without any key, and one sign-in serves many calls', async () => {
    fake.addRole({ arn: ROLE, trust: trust() });
    const session = await openByToken(usual());
    await session.put(entry(), calm());
    await Promise.all(Array.from({ length: 20 }, () => session.check(calm(), 'sealift-check')));
    expect(fake.entries()).to.have.length(1);
    expect(fake.callsOf(BY_TOKEN)).to.have.length(1);
    expect(fake.sessionNames()).to.deep.equal([roleSessionName(SUBJECT)]);
  });

  it('an access key assumes a role with its external ID', async () => {
    fake.addRole({ arn: ROLE, trust: { externalId: 'sealift-1', sessionName: roleSessionName(SUBJECT) } });
    await (await openByKey('sealift-1')).put(entry(), calm());
    expect(fake.entries()).to.have.length(1);
    expect(fake.callsOf('AssumeRole')).to.have.length(1);
    for (const other of ['sealift-2', undefined])
      expect((await failureOf((await openByKey(other)).put(entry(), calm()))).code).to.equal('trust_refused');
  });

  it('an access key that is revoked assumes no role', async () => {
    fake.addRole({ arn: ROLE, trust: {} });
    fake.revoke('AKIATEST');
    const failure = await failureOf((await openByKey()).check(calm(), 'x'));
    expect([failure.kind, failure.code]).to.deep.equal(['client', 'credentials_refused']);
  });

  it('sessions that end within a second fail no write', async () => {
    fake.addRole({ arn: ROLE, trust: trust(), sessionMs: 1000 });
    const session = await openByToken(usual());
    const end = Date.now() + 2500;
    for (let round = 0; Date.now() < end; round += 1)
      await Promise.all(
        [1, 2, 3].map((number) => session.put(entry({ name: `sealift/${round}/${number}` }), calm())),
      );
    expect(fake.sessionNames().length).to.be.above(2);
  });

  it('a refused token is replaced once', async () => {
    fake.addRole({ arn: ROLE, trust: trust() });
    fake.addFault({
      kind: 'error',
      operation: BY_TOKEN,
      status: 400,
      code: 'InvalidIdentityToken',
      times: 1,
    });
    const before = issuer.made();
    await (await openByToken(usual())).put(entry(), calm());
    expect(issuer.made() - before).to.equal(2);
  });

  const trustless: [what: string, identity: () => Promise<DestinationIdentity>][] = [
    ['subject', async () => issuer.identityOf('secrets-sync:root:aws-sm:other', AUDIENCE)],
    ['audience', async () => issuer.identityOf(SUBJECT, 'vault.azure.net')],
    [
      'issuer',
      async () => issuer.identityOf(SUBJECT, AUDIENCE, { claims: { iss: 'https://other.example' } }),
    ],
    ['key', async () => issuer.identityOf(SUBJECT, AUDIENCE, { key: await makeSigningKey() })],
  ];
  for (const [what, identity] of trustless)
    it(`a role does not trust another ${what}`, async () => {
      fake.addRole({ arn: ROLE, trust: trust() });
      const failure = await failureOf((await openByToken(await identity())).check(calm(), 'x'));
      expect([failure.kind, failure.code, failure.scope]).to.deep.equal([
        'client',
        'trust_refused',
        'destination',
      ]);
      expect(failure.message).to.contain('role_arn').and.not.contain('eyJ');
    });

  it('a role that a new trust does not open yet is tried again by the engine', async () => {
    const identity = issuer.identityOf(SUBJECT, AUDIENCE, { isSettling: (part) => part === 'trust' });
    const failure = await failureOf((await openByToken(identity)).check(calm(), 'x'));
    expect([failure.kind, failure.code, failure.unsent]).to.deep.equal(['external', 'trust_unsettled', true]);
  });

  it('a new key is waited for only where the key may be unknown', async () => {
    fake.addRole({ arn: ROLE, trust: trust() });
    const isSettling: DestinationIdentity['isSettling'] = (part) => part === 'key';
    const changes = { isSettling, key: await makeSigningKey() };
    const unknown = await openByToken(issuer.identityOf(SUBJECT, AUDIENCE, changes));
    expect((await failureOf(unknown.check(calm(), 'x'))).code).to.equal('trust_unsettled');
    const other = await openByToken(issuer.identityOf('other', AUDIENCE, { isSettling }));
    expect((await failureOf(other.check(calm(), 'x'))).code).to.equal('trust_refused');
  });

  const refusals: [fault: { kind: string; status?: number; code?: string }, kind: string, code: string][] = [
    [{ kind: 'error', status: 400, code: 'IDPCommunicationError' }, 'external', 'issuer_unreachable'],
    [{ kind: 'error', status: 403, code: 'IDPRejectedClaim' }, 'client', 'trust_refused'],
    [{ kind: 'error', status: 403, code: 'RegionDisabledException' }, 'client', 'account_inactive'],
    [{ kind: 'error', status: 400, code: 'ValidationError' }, 'client', 'configuration_invalid'],
    [{ kind: 'error', status: 400, code: 'ExpiredTokenException' }, 'external', 'store_failed'],
    [{ kind: 'error', status: 400, code: 'Throttling' }, 'throttled', 'rate_limited'],
    [{ kind: 'error', status: 503, code: 'ServiceUnavailable' }, 'external', 'store_unavailable'],
    [{ kind: 'error' }, 'external', 'store_failed'],
    [{ kind: 'redirect' }, 'external', 'redirected'],
    [{ kind: 'garbage' }, 'external', 'unexpected_answer'],
    [{ kind: 'hang' }, 'external', 'timed_out'],
    [{ kind: 'cut' }, 'external', 'connection_lost'],
  ];
  for (const [fault, kind, code] of refusals)
    it(`a sign-in that meets ${fault.code ?? fault.kind} fails as ${kind} ${code}`, async () => {
      fake.addRole({ arn: ROLE, trust: trust() });
      fake.addFault({ ...fault, operation: BY_TOKEN });
      const failure = await failureOf((await openByToken(usual(), 500)).check(calm(), 'x'));
      expect([failure.kind, failure.code, failure.scope]).to.deep.equal([kind, code, 'destination']);
      expect(failure.message).to.not.match(/eyJ|Detail|portal/);
    });

  it('the addresses that the destination allows hold for the sign-in too', async () => {
    fake.addRole({ arn: ROLE, trust: trust() });
    const session = await openSession(
      fake,
      { ...bare, role_arn: ROLE, identity_token_audience: AUDIENCE },
      { identity: usual(), networkLimits: { addresses: ['192.0.2.0/24'], ports: [] } },
    );
    expect((await failureOf(session.check(calm(), 'x'))).code).to.equal('egress_limited');
    expect(fake.calls()).to.have.length(0);
  });
});
