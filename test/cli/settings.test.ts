import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Finding } from '../../libs/service/diagnosis/finding.ts';
import { spawnProcess } from '../support/child-process.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { runCommand } from './support.ts';

describe('settings that cannot be meant', function () {
  let sealift: Sealift;
  let directory: string;
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'sealift-settings-'));
    sealift = await startSealift();
  });
  after(async () => {
    rmSync(directory, { recursive: true });
    await sealift?.stop();
  });

  const examine = async (environment: Record<string, string>) => {
    const { stdout, code } = await runCommand(['doctor', '--no-egress', '--json'], {
      ...sealift.environment,
      ...environment,
    });
    const { findings } = JSON.parse(stdout) as { findings: Finding[] };
    const broken = findings.filter(({ state, advice }) => state !== 'ok' && advice);
    return { code, stdout, told: broken.map(({ detail }) => detail).join('\n') };
  };

  it('two different master keys are refused, and the same one twice is not', async () => {
    const file = join(directory, 'key');
    writeFileSync(file, Buffer.alloc(32, 7).toString('base64'));
    const other = await examine({ SEALIFT_MASTER_KEY_FILE: file });
    expect([other.code, other.told]).to.deep.include(78);
    expect(other.told).to.contain('SEALIFT_MASTER_KEY and SEALIFT_MASTER_KEY_FILE are both set');
    writeFileSync(file, `${sealift.environment['SEALIFT_MASTER_KEY']}\n`);
    expect((await examine({ SEALIFT_MASTER_KEY_FILE: file })).code).to.equal(0);
  });

  it('`doctor` names misspelled settings, and shows no value of theirs', async () => {
    const { told, stdout, code } = await examine({ LEAES: 'one-value', SEALIFT_MASTERKEY: 'another-value' });
    expect(code).to.equal(0);
    expect(told).to.contain('LEAES (LEASE?)').and.contain('SEALIFT_MASTERKEY');
    expect(stdout).not.to.contain('one-value').and.not.contain('another-value');
    const usual = { SEALIFT_API_SERVICE_HOST: '10.0.0.1', SEALIFT_API_PORT_8200_TCP: 'tcp://10.0.0.1:8200' };
    expect((await examine(usual)).told).not.to.contain('no settings');
  });

  it('a process tells misspelled settings in its log without their values', async () => {
    const started = await spawnProcess('programs/settings/main.js', {
      ...sealift.environment,
      LOG_LEVEL: 'warn',
      LEAES: 'one-value',
    });
    await started.ready();
    await started.kill('SIGTERM');
    expect(started.output()).to.contain('"name":"LEAES","meant":"LEASE"').and.not.contain('one-value');
  });

  it('an unusable address to listen on ends a process with code 78, and names the setting', async () => {
    const cases: [string, Record<string, string>, string][] = [
      ['api', { HOST: 'no-such-host.invalid' }, 'HOST: no-such-host.invalid '],
      ['api', { HOST: '203.0.113.9' }, 'HOST: 203.0.113.9 is no address of this host'],
      ['settings', { HEALTH_HOST: '203.0.113.9' }, 'HEALTH_HOST: 203.0.113.9 is no address of this host'],
      ['api', { PORT: new URL(sealift.url).port }, 'PORT: another process listens on port'],
    ];
    for (const [program, environment, said] of cases) {
      const started = await spawnProcess(`programs/${program}/main.js`, {
        ...sealift.environment,
        LOG_LEVEL: 'error',
        ...environment,
      });
      expect(await started.ended, started.output()).to.equal(78);
      const output = started.output();
      expect(output, output).to.contain('the configuration is not valid').and.contain(said);
    }
  });

  it('`doctor` tells rules, ports, folders, issuers and certificates that cannot be used', async () => {
    const cases: [Record<string, string>, string][] = [
      [{ EGRESS_ALLOW: '10.0.0.0/99' }, '10.0.0.0/99'],
      [{ EGRESS_ALLOW: 'https://vault.corp' }, 'https://vault.corp'],
      [{ PORT: '9200', HEALTH_PORT: '9200' }, 'PORT and HEALTH_PORT are both 9200'],
      [{ ISSUER_URL: 'http://sealift.example' }, 'ISSUER_URL is http://sealift.example'],
      [{ ISSUER_URL: 'https://sealift.example:8443' }, 'ISSUER_URL is https://sealift.example:8443'],
      [{ CREDENTIALS_DIR: join(directory, 'none') }, 'CREDENTIALS_DIR is no directory'],
      [{ TLS_CERT_FILE: '/etc/hostname', TLS_KEY_FILE: '/etc/hostname' }, 'TLS_CERT_FILE and TLS_KEY_FILE'],
    ];
    for (const [environment, said] of cases) expect((await examine(environment)).told).to.contain(said);
  });

  it('a blank after a URL does no harm', async () => {
    const { DATABASE_URL, AMQP_URL } = sealift.environment;
    expect((await examine({ DATABASE_URL: `${DATABASE_URL} `, AMQP_URL: `${AMQP_URL} ` })).code).to.equal(0);
  });
});
