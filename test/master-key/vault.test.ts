import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runCommand, type Ended } from '../cli/support.ts';
import { createCertificate, type Certificate } from '../sandbox/azure-key-vault/certificate.ts';
import type { KeyServiceFake } from '../sandbox/key-services/contract.ts';
import { startTransitFake } from '../sandbox/key-services/vault-transit.ts';

describe('the settings of a Vault that wraps master keys', () => {
  let certificate: Certificate;
  let fake: KeyServiceFake;
  let folder: string;

  before(async () => {
    certificate = await createCertificate();
    fake = await startTransitFake({ tls: certificate });
    folder = await mkdtemp(join(tmpdir(), 'sealift-vault-'));
  });

  after(async () => {
    await fake?.close();
    await certificate?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  const wrap = (environment: Record<string, string>): Promise<Ended> =>
    runCommand(['master-key', 'wrap', '--with', fake.address], {
      ...fake.environment,
      VAULT_CACERT: certificate.file,
      ...environment,
    });

  it('the authority of `VAULT_CACERT` is trusted, and no other that is not public', async () => {
    expect((await wrap({})).stdout).to.match(/^vault-transit:/);
    const untrusted = await wrap({ VAULT_CACERT: '' });
    expect([untrusted.code, untrusted.stdout]).to.deep.equal([5, '']);
    expect(untrusted.stderr).to.match(/cannot be reached \([A-Z_]*(?:SELF_SIGNED|VERIFY)[A-Z_]*\)/);
    const missing = await wrap({ VAULT_CACERT: join(folder, 'absent') });
    expect([missing.code, missing.stdout]).to.deep.equal([78, '']);
    expect(missing.stderr).to.contain('VAULT_CACERT cannot be read');
  });

  it('the token may stand in a file, and the text names the setting where it does not', async () => {
    const file = join(folder, 'token');
    const settings = { VAULT_TOKEN: '', VAULT_TOKEN_FILE: file };
    const early = await wrap(settings);
    expect([early.code, early.stdout]).to.deep.equal([5, '']);
    expect(early.stderr).to.contain('there are no credentials for it (VAULT_TOKEN_FILE)');
    await writeFile(file, `${fake.environment['VAULT_TOKEN']}\n`);
    expect((await wrap(settings)).stdout).to.match(/^vault-transit:/);
  });

  it('an address that is none is refused, and one that leads elsewhere in the clear', async () => {
    const refused: [string, string][] = [
      ['', 'VAULT_ADDR must be the address of the key service'],
      ['vault:8200', 'VAULT_ADDR must begin with https://'],
      ['http://vault.example.com:8200', 'VAULT_ADDR must begin with https://'],
      ['http://127.0.0.1.example.com:8200', 'VAULT_ADDR must begin with https://'],
    ];
    for (const [address, text] of refused) {
      const ended = await wrap({ VAULT_ADDR: address });
      expect([ended.code, ended.stdout], address).to.deep.equal([78, '']);
      expect(ended.stderr, address).to.contain(text);
    }
  });

  it('a namespace that has no such engine is told as a key that is not there', async () => {
    const ended = await wrap({ VAULT_NAMESPACE: 'elsewhere' });
    expect([ended.code, ended.stdout]).to.deep.equal([1, '']);
    expect(ended.stderr).to.contain('it has no such key (404)');
  });
});
