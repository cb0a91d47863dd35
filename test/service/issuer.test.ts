import { expect } from 'chai';
import type { Finding } from '../../libs/service/diagnosis/finding.ts';
import { runCommand } from '../cli/support.ts';
import { startCloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import type { Fake } from '../sandbox/contract.ts';
import { cloud1Worker } from '../support/sandboxed.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

const ISSUER = 'https://id.example.com';

describe('the issuer of identity tokens', function () {
  this.timeout(90_000);
  let fake: Fake;
  let sealift: Sealift;

  before(async () => {
    fake = await startCloud1SmFake();
    sealift = await startSealift({
      environment: { ISSUER_URL: ISSUER },
      workers: { cloud1: cloud1Worker(fake) },
    });
    const path = '/v1/sys/sync/destinations/cloud1-sm/one';
    const body = { access_key_id: 'AKIAEXAMPLE', secret_access_key: 'key', region: 'eu-west-1' };
    await sealift.client.post(path, body);
  });
  after(async () => {
    await sealift?.stop();
    await fake?.close();
  });

  const issuerIn = (findings: Finding[]) => findings.filter(({ check }) => check === 'issuer');
  const examine = async (environment: Record<string, string>) => {
    const words = ['doctor', '--no-egress', '--json'];
    const { stdout } = await runCommand(words, { ...sealift.environment, ...environment });
    return issuerIn((JSON.parse(stdout) as { findings: Finding[] }).findings);
  };

  it('`doctor` tells an ISSUER_URL that is not that of the workers', async () => {
    expect(await examine({ ISSUER_URL: `${ISSUER}/` })).to.deep.equal([]);
    const [other] = await examine({ ISSUER_URL: 'https://other.example.com' });
    expect(other?.state).to.equal('warning');
    expect(other?.detail).to.equal(
      `connector cloud1-sm signs identity tokens as ${ISSUER}, but this process tells people https://other.example.com`,
    );
    expect(other?.advice).to.include('ISSUER_URL');
    expect(await examine({ ISSUER_URL: '' })).to.have.length(1);
  });

  it('the status says nothing about issuers that agree', async () => {
    const { body } = await sealift.client.get('/v1/sys/status');
    expect(issuerIn(body.data.findings)).to.deep.equal([]);
  });
});
