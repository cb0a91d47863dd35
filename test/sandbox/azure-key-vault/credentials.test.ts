import { readFileSync } from 'node:fs';
import { ClientSecretCredential } from '@azure/identity';
import { SecretClient } from '@azure/keyvault-secrets';
import { expect } from 'chai';
import { OTHER_TENANT, TENANT } from '../given-out.ts';
import { type Cloud2KvFake, startCloud2KvFake } from './fake.ts';
import { asHttps, plainHttp } from './plain-vault.ts';

describe('credentials at the fake of Azure', () => {
  let fake: Cloud2KvFake;

  before(async () => {
    fake = await startCloud2KvFake();
    fake.plant({ name: 'entry', value: 'mine' });
  });
  after(() => fake.close());

  const credential = (tenant: string, client: string, secret: string): ClientSecretCredential =>
    new ClientSecretCredential(tenant, client, secret, {
      authorityHost: fake.details.authority,
      disableInstanceDiscovery: true,
      tlsOptions: { ca: readFileSync(fake.details.ca, 'utf8') },
      retryOptions: { maxRetries: 0 },
    });

  async function readBySdk(tenant: string, client: string, secret: string): Promise<string> {
    const vault = new SecretClient(asHttps(fake.url), credential(tenant, client, secret), {
      httpClient: plainHttp(),
      disableChallengeResourceVerification: true,
      retryOptions: { maxRetries: 0 },
    });
    try {
      return (await vault.getSecret('entry')).value ?? '';
    } catch (error) {
      return /AADSTS\d+|AKV\d+/.exec(String(error))?.[0] ?? String(error);
    }
  }

  async function readWith(token: string | null): Promise<Response> {
    const headers = token === null ? {} : { authorization: `Bearer ${token}` };
    return fetch(`${fake.url}/secrets/entry?api-version=7.6`, { headers });
  }

  async function refusalOf(token: string | null): Promise<string> {
    const answer = await readWith(token);
    if (answer.status === 200) return 'taken';
    expect(answer.status).to.equal(401);
    expect(answer.headers.get('www-authenticate')).to.match(
      /^Bearer authorization="https:\/\/[^"]+", resource="https:\/\/vault\.azure\.net"$/,
    );
    const { error } = (await answer.json()) as { error: { code: string; message: string } };
    expect(error.code).to.equal('Unauthorized');
    return /AKV\d+|TokenExpired/.exec(error.message)?.[0] ?? error.message;
  }

  it("the SDK is let in with the application's secret, in its own tenant, only", async () => {
    expect(await readBySdk(TENANT, 'application', 'a-client-secret')).to.equal('mine');
    expect(await readBySdk('acme.onmicrosoft.com', 'application', 'a-client-secret')).to.equal('mine');
    expect(await readBySdk(TENANT, 'application', 'never-given')).to.equal('AADSTS7000215');
    expect(await readBySdk(TENANT, 'no-application', 'a-client-secret')).to.equal('AADSTS700016');
    expect(await readBySdk(OTHER_TENANT, 'application', 'a-client-secret')).to.equal('AADSTS700016');
    const nobodys = '00000000-2222-4333-8444-555555555555';
    expect(await readBySdk(nobodys, 'application', 'a-client-secret')).to.match(
      /AADSTS90002|endpoints_resol/,
    );
    expect(await readBySdk(OTHER_TENANT, 'application-elsewhere', 'secret-elsewhere')).to.equal('AKV10032');
  });

  it('a token is taken where it was given out, has not ended and is meant for vaults', async () => {
    const signIn = (scope: string) =>
      credential(TENANT, 'application', 'a-client-secret')
        .getToken(scope)
        .then(({ token }) => token);
    const token = await signIn('https://vault.azure.net/.default');
    expect(await refusalOf(token)).to.equal('taken');
    expect(await refusalOf(null)).to.equal('AKV10000');
    expect(await refusalOf(`${token}x`)).to.equal('AKV10046');
    expect(await refusalOf(await signIn('https://management.azure.com/.default'))).to.equal('AKV10022');
    const claims = { audience: 'https://vault.azure.net', tenant: TENANT, expiresAt: Date.now() - 1 };
    expect(await refusalOf(fake.authority.tokens.give(claims))).to.equal('TokenExpired');
    const unknown = await signIn('https://vault.azure.net.example/.default').catch(String);
    expect(unknown).to.contain('AADSTS500011');
  });

  it('a secret can be taken later only', async () => {
    fake.acceptAfter('another-client-secret', 200);
    expect(await readBySdk(TENANT, 'application', 'another-client-secret')).to.equal('AADSTS7000215');
    expect(await readBySdk(TENANT, 'application', 'a-client-secret')).to.equal('mine');
    fake.authority.reset();
    expect(await readBySdk(TENANT, 'application', 'another-client-secret')).to.equal('mine');
  });
});
