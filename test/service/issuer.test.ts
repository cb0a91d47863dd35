import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Finding } from '../../libs/service/diagnosis/finding.ts';
import { runCommand } from '../cli/support.ts';
import { startCloud1SmFake, type Cloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import { eventually } from '../support/eventually.ts';
import { cloud1Worker } from '../support/sandboxed.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

const ISSUER = 'https://id.example.com';
const OTHER = 'https://other.example.com';
const ROLE = 'arn:aws:iam::123456789012:role/sealift';

describe('the issuer of identity tokens', function () {
  let fake: Cloud1SmFake;
  let sealift: Sealift;

  before(async () => {
    fake = await startCloud1SmFake();
  });
  afterEach(() => sealift?.stop());
  after(() => fake?.close());

  // `worker`: settings of the worker that the API does not have.
  async function start(
    environment: Record<string, string>,
    worker: { ISSUER_URL?: string; PUBLIC_URL?: string } = {},
  ): Promise<void> {
    const run = cloud1Worker(fake);
    sealift = await startSealift({
      environment,
      workers: { cloud1: (context) => run({ ...context, config: { ...context.config, ...worker } }) },
    });
    const path = '/v1/sys/sync/destinations/aws-sm/one';
    const body = { role_arn: ROLE, region: 'eu-west-1', identity_token_audience: 'sts.amazonaws.com' };
    expect((await sealift.client.post(path, body)).status).to.equal(200);
    // Whoever asks for them first makes them.
    expect((await sealift.client.get('/v1/identity/oidc/secrets-sync/.well-known/keys')).status).to.equal(
      200,
    );
  }

  const issuerIn = (findings: Finding[]) => findings.filter(({ check }) => check === 'issuer');
  const examine = async (environment: Record<string, string>) => {
    const words = ['doctor', '--no-egress', '--json'];
    const { stdout } = await runCommand(words, { ...sealift.environment, ...environment });
    return issuerIn((JSON.parse(stdout) as { findings: Finding[] }).findings);
  };
  const status = async () => issuerIn((await sealift.client.get('/v1/sys/status')).body.data.findings);
  const check = async () =>
    (await sealift.client.post('/v1/sys/sync/destinations/aws-sm/one/check')).body.data;

  it('`doctor` tells an ISSUER_URL that is not that of the workers', async () => {
    await start({ ISSUER_URL: ISSUER });
    expect(await examine({ ISSUER_URL: `${ISSUER}/` })).to.deep.equal([]);
    const [other] = await examine({ ISSUER_URL: OTHER });
    expect(other?.state).to.equal('warning');
    expect(other?.detail).to.equal(
      `connector cloud1-sm signs identity tokens as ${ISSUER}, but ISSUER_URL of this process says ${OTHER}`,
    );
    expect(other?.advice).to.include('ISSUER_URL');
    // Where it has no such setting, it does not know what people are told.
    expect(await examine({ ISSUER_URL: '' })).to.deep.equal([]);
    expect(await status()).to.deep.equal([]);
  });

  it('`doctor` compares the workers with what the API says, whatever its own setting is', async () => {
    await start({ ISSUER_URL: ISSUER });
    const environment = { SEALIFT_URL: sealift.url, ISSUER_URL: OTHER };
    expect(await examine(environment)).to.deep.equal([]);
    await sealift.stop();
    await start({ ISSUER_URL: ISSUER }, { ISSUER_URL: OTHER });
    const [other] = await examine({ ...environment, SEALIFT_URL: sealift.url });
    expect(other?.detail).to.equal(
      `connector cloud1-sm signs identity tokens as ${OTHER}, but the API at ${sealift.url} says ${ISSUER}`,
    );
  });

  it('`doctor` believes no API of another installation', async () => {
    await start({ ISSUER_URL: ISSUER });
    const foreign = createServer((_request, response) => {
      response.end(
        JSON.stringify({ issuer: `${OTHER}/v1/identity/oidc/secrets-sync`, keys: [{ kid: 'x' }] }),
      );
    });
    await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
    const { port } = foreign.address() as AddressInfo;
    const findings = await examine({ SEALIFT_URL: `http://127.0.0.1:${port}`, ISSUER_URL: ISSUER });
    foreign.close();
    expect(findings).to.deep.equal([]);
  });

  it('the status tells workers that sign as another issuer than the API says', async () => {
    await start({ PUBLIC_URL: ISSUER }, { PUBLIC_URL: OTHER });
    const finding = await eventually(async () => (await status())[0]);
    expect(finding?.detail).to.equal(
      `connector cloud1-sm signs identity tokens as ${OTHER}, but the API says ${ISSUER}`,
    );
  });

  it('a worker that no setting tells the issuer says so, and signs nothing', async () => {
    await start({ ISSUER_URL: ISSUER }, { ISSUER_URL: '' });
    const finding = await eventually(async () => (await status())[0]);
    expect(finding?.detail).to.include('can sign no identity tokens, but the API says');
    fake.clearCalls();
    const { cause, step } = await check();
    expect([step, cause?.code]).to.deep.equal(['token', 'configuration_invalid']);
    expect(cause?.message).to.include('ISSUER_URL');
    expect(fake.calls()).to.deep.equal([]);
  });

  it('a refused test names the issuer and the subject that the token has', async () => {
    await start({ ISSUER_URL: ISSUER });
    const { cause } = await check();
    expect(cause?.code).to.equal('trust_unsettled');
    expect(cause?.message).to.include(
      `the issuer ${ISSUER}/v1/identity/oidc/secrets-sync and the subject secrets-sync:root:aws-sm:one;`,
    );
  });
});
