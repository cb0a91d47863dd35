import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import type { DestinationIdentity } from '../../../libs/connector/identity/destination-identity.ts';
import { makeSigningKey } from '../../../libs/crypto/signing-key.ts';
import { type Cloud2KvFake, startCloud2KvFake } from '../../sandbox/azure-key-vault/fake.ts';
import { VAULT_AUDIENCE } from '../../sandbox/azure-key-vault/tokens.ts';
import { startTokenIssuer, type TokenIssuer } from '../../support/token-issuer.ts';
import { calm, entry, environmentOf, failureOf, openSession, TENANT } from './support.ts';

const SUBJECT = 'secrets-sync:root:azure-kv:prod';
const AUDIENCE = 'api://AzureADTokenExchange';
const IMDS = 'AZURE_POD_IDENTITY_AUTHORITY_HOST';

describe('cloud2-kv: identity without a stored secret', () => {
  let fake: Cloud2KvFake;
  let issuer: TokenIssuer;
  let folder: string;
  const open: Session[] = [];

  before(async () => {
    fake = await startCloud2KvFake();
    issuer = await startTokenIssuer();
    folder = await mkdtemp(join(tmpdir(), 'sealift-identity-'));
  });
  beforeEach(() => {
    fake.reset();
    fake.authority.reset();
  });
  afterEach(async () => {
    for (const session of open.splice(0)) await session.close?.();
  });
  after(async () => {
    await fake.close();
    issuer.close();
    await rm(folder, { recursive: true });
  });

  const keep = async (opening: Promise<Session>): Promise<Session> => {
    const session = await opening;
    open.push(session);
    return session;
  };
  const usual = (): DestinationIdentity => issuer.identityOf(SUBJECT, AUDIENCE);
  const openByToken = (identity: DestinationIdentity): Promise<Session> =>
    keep(openSession(fake, { client_secret: undefined, identity_token_audience: AUDIENCE }, { identity }));
  // The worker has a token of an account in a file.
  const openByFile = async (account: string): Promise<Session> => {
    const file = join(folder, 'token');
    await writeFile(file, await issuer.identityOf(account, AUDIENCE).token());
    const usualIn = environmentOf(fake);
    const environment = (name: string) => (name === 'AZURE_FEDERATED_TOKEN_FILE' ? file : usualIn(name));
    return keep(openSession(fake, { client_secret: undefined }, { environment }));
  };
  const trust = (subject = SUBJECT): void =>
    fake.authority.addCredential({
      clientId: 'application',
      issuer: issuer.issuer,
      subject,
      audience: AUDIENCE,
    });
  const signIns = (): number[] => fake.authority.callsOf('Token').map(({ status }) => status);

  it('identity tokens lead into a vault without any secret, and one sign-in serves many calls', async () => {
    trust();
    const session = await openByToken(usual());
    await session.put(entry(), calm());
    await Promise.all(Array.from({ length: 10 }, () => session.check(calm(), 'sealift-check')));
    expect(fake.entries()).to.have.length(1);
    expect(signIns()).to.deep.equal([200]);
  });

  it('access that ends within seconds fails no write', async () => {
    trust();
    fake.authority.setTokenLife(2);
    const session = await openByToken(usual());
    const end = Date.now() + 3000;
    for (let round = 0; Date.now() < end; round += 1)
      await session.put(entry({ name: `n-${round}` }), calm());
    expect(signIns().length).to.be.above(1);
  });

  it('a refused token is replaced once', async () => {
    trust();
    fake.authority.addFault({ kind: 'error', operation: 'Token', status: 401, code: '700027', times: 1 });
    const before = issuer.made();
    await (await openByToken(usual())).put(entry(), calm());
    expect(issuer.made() - before).to.equal(2);
  });

  const trustless: [what: string, identity: () => Promise<DestinationIdentity>][] = [
    ['subject', async () => issuer.identityOf('secrets-sync:root:azure-kv:other', AUDIENCE)],
    ['audience', async () => issuer.identityOf(SUBJECT, 'sts.amazonaws.com')],
    [
      'issuer',
      async () => issuer.identityOf(SUBJECT, AUDIENCE, { claims: { iss: 'https://other.example' } }),
    ],
    ['key', async () => issuer.identityOf(SUBJECT, AUDIENCE, { key: await makeSigningKey() })],
  ];
  for (const [what, identity] of trustless)
    it(`an application does not trust another ${what}`, async () => {
      trust();
      const failure = await failureOf((await openByToken(await identity())).check(calm(), 'x'));
      expect([failure.kind, failure.code, failure.scope]).to.deep.equal([
        'client',
        'trust_refused',
        'destination',
      ]);
      expect(failure.message).to.contain(what).and.not.contain('eyJ');
    });

  it('a federated credential that the directory does not know yet is waited for', async () => {
    const identity = issuer.identityOf(SUBJECT, AUDIENCE, { isSettling: (part) => part === 'trust' });
    const session = await openByToken(identity);
    const failure = await failureOf(session.check(calm(), 'x'));
    expect([failure.kind, failure.code, failure.unsent]).to.deep.equal(['external', 'trust_unsettled', true]);
    trust();
    await session.put(entry(), calm());
  });

  const refusals: [code: string, kind: string, code: string][] = [
    ['50166', 'external', 'issuer_unreachable'],
    ['700024', 'external', 'store_failed'],
    ['700016', 'client', 'trust_refused'],
    ['70021', 'client', 'trust_refused'],
    ['70025', 'client', 'trust_refused'],
    ['90002', 'client', 'credentials_refused'],
    ['90033', 'external', 'store_unavailable'],
  ];
  for (const [number, kind, code] of refusals)
    it(`a sign-in that meets AADSTS${number} fails as ${kind} ${code}`, async () => {
      trust();
      fake.authority.addFault({ kind: 'error', operation: 'Token', status: 400, code: number });
      const failure = await failureOf((await openByToken(usual())).check(calm(), 'x'));
      expect([failure.kind, failure.code]).to.deep.equal([kind, code]);
    });

  it('a worker with a token in a file signs in with that', async () => {
    trust('system:serviceaccount:sealift:worker');
    const session = await openByFile('system:serviceaccount:sealift:worker');
    await session.put(entry(), calm());
    expect(signIns()).to.deep.equal([200]);
  });

  it('a refused token of the worker itself is told as that, and no audience of the destination', async () => {
    const session = await openByFile('system:serviceaccount:sealift:other');
    const { code, step, message } = await failureOf(session.check(calm(), 'x'));
    expect([code, step]).to.deep.equal(['credentials_refused', 'credentials']);
    expect(message).to.include('AZURE_FEDERATED_TOKEN_FILE').and.not.include('identity_token_audience');
  });

  it('a worker without such a file signs in as the managed identity with the client ID', async () => {
    const requests: { url: string; headers: IncomingHttpHeaders }[] = [];
    const metadata = createServer(({ url = '', headers }, response) => {
      requests.push({ url, headers });
      const token = fake.authority.tokens.give({
        audience: VAULT_AUDIENCE,
        tenant: TENANT,
        expiresAt: Date.now() + 3_600_000,
      });
      response.setHeader('content-type', 'application/json');
      const expiresOn = String(Math.floor(Date.now() / 1000) + 3600);
      response.end(JSON.stringify({ access_token: token, expires_on: expiresOn, token_type: 'Bearer' }));
    });
    await new Promise<void>((resolve) => metadata.listen(0, '127.0.0.1', resolve));
    process.env[IMDS] = `http://127.0.0.1:${(metadata.address() as AddressInfo).port}`;
    try {
      const session = await keep(openSession(fake, { client_secret: undefined }));
      await session.put(entry(), calm());
      expect(requests).to.have.length(1);
      expect(requests[0]?.url)
        .to.contain('/metadata/identity/oauth2/token')
        .and.contain('client_id=application');
      expect(requests[0]?.headers['metadata']).to.equal('true');
      expect(signIns()).to.deep.equal([]);
    } finally {
      metadata.close();
      metadata.closeAllConnections();
      process.env[IMDS] = 'http://127.0.0.1:9';
    }
    const alone = await keep(openSession(fake, { client_secret: undefined, client_id: 'other' }));
    const failure = await failureOf(alone.check(calm(), 'x'));
    delete process.env[IMDS];
    expect([failure.kind, failure.code]).to.deep.equal(['client', 'credentials_missing']);
  });
});
