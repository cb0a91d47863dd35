import { generateKeyPair } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Connector, Destination } from '../../../libs/connector/contract.ts';
import { startConnectorWorker } from '../../../libs/sync/worker.ts';
import { connector as azure } from '../../../services/connectors/azure-key-vault/connector.ts';
import { destination as azureType } from '../../../services/connectors/azure-key-vault/destination.ts';
import { connector as google } from '../../../services/connectors/google-secret-manager/connector.ts';
import { destination as googleType } from '../../../services/connectors/google-secret-manager/destination.ts';
import { choosePort } from '../../../deploy/local/ports.ts';
import { type Cloud1SmFake, startCloud1SmFake } from '../../sandbox/aws-secrets-manager/fake.ts';
import { type Cloud2KvFake, startCloud2KvFake } from '../../sandbox/azure-key-vault/fake.ts';
import { TENANT } from '../../sandbox/given-out.ts';
import { type Cloud3SmFake, startCloud3SmFake } from '../../sandbox/google-secret-manager/fake.ts';
import { type RepoHostFake, startRepoHostFake } from '../../sandbox/github-secrets/fake.ts';
import { githubWorker } from '../../support/github-worker.ts';
import { cloud1Worker } from '../../support/sandboxed.ts';
import { startSealift, type Sealift, type Starter } from '../../support/sealift.ts';
import { blocksOf, runBlock } from './identity-manual.ts';

const createKeyPair = promisify(generateKeyPair);

describe('the manual of identity without stored keys', () => {
  let sealift: Sealift;
  let aws: Cloud1SmFake;
  let vault: Cloud2KvFake;
  let manager: Cloud3SmFake;
  let host: RepoHostFake;

  before(async () => {
    const port = await choosePort(undefined);
    [aws, vault, manager, host] = await Promise.all([
      startCloud1SmFake(),
      startCloud2KvFake(),
      startCloud3SmFake(),
      startRepoHostFake(),
    ]);
    const azureWorker = workerOf(azureType, azure, {
      SEALIFT_AZURE_AUTHORITY_HOST: vault.details.authority,
      NODE_EXTRA_CA_CERTS: vault.details.ca,
    });
    const googleWorker = workerOf(googleType, google, {
      CLOUD3_SM_API_URL: manager.url,
      GOOGLE_STS_URL: manager.url,
      GOOGLE_IAMCREDENTIALS_URL: manager.url,
    });
    sealift = await startSealift({
      environment: {
        PORT: String(port),
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        EGRESS_ALLOW: '127.0.0.0/8',
      },
      workers: {
        'cloud1-sm': cloud1Worker(aws),
        'cloud2-kv': azureWorker,
        'cloud3-sm': googleWorker,
        'repo-host': githubWorker(host),
      },
    });
  });
  after(async () => {
    await sealift.stop();
    await Promise.all([aws, vault, manager, host].map((fake) => fake.close()));
  });

  const check = async (store: string, environment: Record<string, string> = {}): Promise<unknown> => {
    const [commands = ''] = blocksOf('sh', store);
    const own = { SEALIFT_URL: sealift.url, SEALIFT_TOKEN: sealift.token };
    return JSON.parse(await runBlock(commands, { ...own, ...environment })).data;
  };
  const here = (text: string): string =>
    text.replace(/(?:https:\/\/)?sealift\.example\.com/, sealift.config.PUBLIC_URL);

  it('the set-up of AWS works as written', async () => {
    const [policy = ''] = blocksOf('json', 'aws');
    const conditions: Record<string, string> = JSON.parse(policy).Statement[0].Condition.StringEquals;
    const valueOf = (claim: string): [key: string, value: string] =>
      Object.entries(conditions).find(([key]) => key.endsWith(`:${claim}`)) ?? ['', ''];
    const [key, audience] = valueOf('aud');
    aws.addRole({
      arn: 'arn:aws:iam::123456789012:role/sealift',
      trust: { issuer: here(key.replace(/:aud$/, '')), audience, subject: valueOf('sub')[1] },
    });
    const steps = ['token', 'exchange', 'role', 'permission'];
    expect(await check('aws')).to.deep.include({ ok: true, cause: null, mode: 'federated', steps });
  });

  it('the set-up of Azure works as written', async () => {
    const [text = ''] = blocksOf('json', 'azure');
    const { issuer, subject, audiences } = JSON.parse(text);
    const [audience] = audiences;
    vault.trust?.({ holder: 'application', issuer: here(issuer), subject, audience });
    const settings = { KEY_VAULT_URI: vault.url, TENANT_ID: TENANT, CLIENT_ID: 'application' };
    expect(await check('azure', settings)).to.deep.include({ ok: true, cause: null });
  });

  for (const [what, block] of [
    ['identity tokens', 'sandbox-trust'],
    ['an access key with an external ID', 'sandbox-external-id'],
    ['a provider of Google', 'sandbox-provider'],
    ['a GitHub App', 'sandbox-app'],
  ] as const)
    it(`a stand-in can be told to trust ${what}, as written`, async () => {
      const [commands = ''] = blocksOf('sh', block, 'sandbox.md');
      const answer = await runBlock(commands, {
        SEALIFT_URL: sealift.url,
        SEALIFT_TOKEN: sealift.token,
        SANDBOX_CLOUD1_SM_URL: aws.url,
        SANDBOX_CLOUD3_SM_URL: manager.url,
        SANDBOX_REPO_HOST_URL: host.url,
      });
      expect(JSON.parse(answer).data).to.deep.include({ ok: true, cause: null });
    });

  it('a stand-in refuses a trust that lacks something or says too much', async () => {
    const tell = async (body: object) => {
      const answer = await fetch(`${aws.url}/_sandbox/trust`, { method: 'POST', body: JSON.stringify(body) });
      return [answer.status, JSON.stringify(await answer.json())];
    };
    const [status, text] = await tell({ holder: 'arn', issuer: 'https://a.example', subject: 'a' });
    expect([status, text]).to.deep.equal([400, '{"error":"a trust needs audience"}']);
    expect((await tell({ holder: 'arn', external_id: 'x', issuer: 'y' }))[1]).to.include('takes no issuer');
    const { trusts } = (await (await fetch(`${aws.url}/_sandbox/trust`)).json()) as { trusts: object[] };
    expect(JSON.stringify(trusts)).to.not.include('a.example');
  });

  it('the set-up of Google works as written', async () => {
    const name =
      '//iam.googleapis.com/projects/123456789/locations/global/workloadIdentityPools/sealift/providers/sealift';
    const issuer = `${sealift.config.PUBLIC_URL}/v1/identity/oidc/secrets-sync`;
    manager.trust?.({
      holder: 'sealift@sealift-test.iam.gserviceaccount.com',
      issuer,
      audience: `https:${name}`,
      subject: 'secrets-sync:root:gcp-sm:production',
    });
    expect(await check('google')).to.deep.include({ ok: true, cause: null });
  });

  it('the set-up of GitHub works as written', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sealift-app-'));
    const { privateKey, publicKey } = await createKeyPair('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    });
    const KEY_FILE = join(folder, 'ours.pem');
    await writeFile(KEY_FILE, privateKey);
    host.trust?.({ app_id: 123456, installation_id: 7654321, public_key: publicKey });
    const steps = ['credentials', 'role', 'permission'];
    expect(await check('github', { KEY_FILE })).to.deep.include({
      ok: true,
      cause: null,
      mode: 'app',
      steps,
    });
    await rm(folder, { recursive: true });
  });

  it('direct access to a project of Google works as written', async () => {
    const pool = 'iam.googleapis.com/projects/123456789/locations/global/workloadIdentityPools/sealift';
    const subject = 'secrets-sync:root:gcp-sm:direct';
    manager.trust?.({
      holder: `principal://${pool}/subject/${subject}`,
      issuer: `${sealift.config.PUBLIC_URL}/v1/identity/oidc/secrets-sync`,
      audience: `https://${pool}/providers/sealift`,
      subject,
    });
    const steps = ['token', 'exchange', 'permission'];
    expect(await check('google-direct')).to.deep.include({ ok: true, cause: null, steps });
  });
});

function workerOf(
  destination: Destination,
  connector: Connector,
  environment: Record<string, string>,
): Starter {
  return (context) =>
    startConnectorWorker(context, { destination, connector }, { environment: (name) => environment[name] });
}
