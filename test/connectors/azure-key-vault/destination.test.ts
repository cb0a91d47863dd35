import { expect } from 'chai';
import { createValidator } from '../../../libs/validation/validator.ts';
import {
  type Cloud2KvSettings,
  destination,
} from '../../../services/connectors/azure-key-vault/destination.ts';
import { faultsOfSettings } from '../../support/faults-of-settings.ts';

const given: Cloud2KvSettings = {
  key_vault_uri: 'https://acme-prod.vault.azure.net/',
  client_id: 'b1b1b1b1-0000-4000-8000-000000000000',
  client_secret: 's~e.c-r_e/t=',
  tenant_id: 'acme.onmicrosoft.com',
};
const faultsOf = (change: Partial<Cloud2KvSettings>, egressAllow: string[] = []): string[] =>
  faultsOfSettings(destination, { ...given, ...change }, { environment: () => undefined, egressAllow });

describe('cloud2-kv: the destination as data', () => {
  const check = createValidator(destination.settings, { weak: true });

  it('a destination takes what it needs, and everything as a command line sends it', () => {
    expect(check(given)).to.deep.include({ value: given });
    const all = { ...given, cloud: 'AzureChinaCloud', purge_on_delete: 'true' };
    expect(check(all)).to.deep.include({ value: { ...all, purge_on_delete: true } });
    for (const field of ['key_vault_uri', 'client_id', 'tenant_id'])
      expect(check({ ...given, [field]: undefined }), field).to.have.property('faults');
  });

  it('a tenant that would change the path of the sign-in is refused', () => {
    for (const tenant of ['', '..', 'a/b', 'a?b', 'a b', '.a', 'a%2fb'])
      expect(check({ ...given, tenant_id: tenant }), tenant).to.have.property('faults');
  });

  it('the client secret is sensitive, as are the audience and the key of identity tokens', () => {
    const sensitive = Object.entries(destination.settings.properties)
      .filter(([, schema]) => 'sensitive' in schema && schema.sensitive === true)
      .map(([name]) => name);
    expect(sensitive).to.deep.equal(['client_secret', 'identity_token_audience', 'identity_token_key']);
  });

  it('a vault of the chosen cloud is taken, however the cloud is spelled', () => {
    const spellings: [string | undefined, string][] = [
      [undefined, 'vault.azure.net'],
      ['cloud', 'vault.azure.net'],
      ['AzurePublicCloud', 'vault.azure.net'],
      ['AZUREPUBLICCLOUD', 'vault.azure.net'],
      ['public', 'vault.azure.net'],
      ['AzureChinaCloud', 'vault.azure.cn'],
      ['china', 'vault.azure.cn'],
      ['AzureUSGovernment', 'vault.usgovcloudapi.net'],
      ['AzureUSGovernmentCloud', 'vault.usgovcloudapi.net'],
      ['us-government', 'vault.usgovcloudapi.net'],
    ];
    for (const [cloud, suffix] of spellings) {
      const uri = `https://acme.${suffix}`;
      const chosen = cloud === undefined ? {} : { cloud };
      expect(faultsOf({ key_vault_uri: uri, ...chosen }), `${cloud} ${uri}`).to.deep.equal([]);
    }
    expect(faultsOf({ cloud: 'AzureGermanCloud' })[0]).to.contain('cloud must be');
    expect(faultsOf({ cloud: 'AzureChinaCloud' })[0]).to.contain('NAME.vault.azure.cn');
  });

  it('an address that is no vault is refused, and the refusal says what one looks like', () => {
    for (const uri of [
      'acme.vault.azure.net',
      'http://acme.vault.azure.net',
      'https://user:pass@acme.vault.azure.net',
      'https://acme.vault.azure.net/secrets',
      'https://acme.vault.azure.net/?a=b',
      'https://acme.vault.azure.net/#a',
      'https://acme.vault.azure.net:8443',
      'https://vault.azure.net',
      'https://a.b.vault.azure.net',
      'https://acme.vault.azure.net.evil.example',
      'https://evilvault.azure.net',
      'https://acme.example',
      'https://127.0.0.1',
      'https://169.254.169.254',
      'https://[::1]',
    ])
      expect(faultsOf({ key_vault_uri: uri }), uri).to.have.length(1);
  });

  it('an address that the operator has allowed is taken, also without TLS', () => {
    expect(faultsOf({ key_vault_uri: 'http://127.0.0.1:8080' }, ['127.0.0.0/8'])).to.deep.equal([]);
    expect(faultsOf({ key_vault_uri: 'https://vault.corp.example' }, ['corp.example'])).to.deep.equal([]);
    expect(faultsOf({ key_vault_uri: 'https://other.example' }, ['corp.example'])).to.have.length(1);
  });

  it('two spellings of one vault are one container, and no secret is part of it', () => {
    const container = destination.container(
      { ...given, key_vault_uri: 'https://ACME-prod.vault.azure.net' },
      {},
    );
    expect(container).to.equal('cloud2-kv:acme-prod.vault.azure.net');
    expect(destination.container(given, {})).to.equal(container);
  });

  it('tags that the store would not hold as written, and our own mark, are refused', () => {
    const { key, value, max } = destination.tags ?? expect.fail('has tags');
    expect(max).to.equal(14);
    for (const good of ['team', 'a:b/c=d+e-f@g', 'größe', 'sealift-installation-2', 'x'.repeat(256)])
      expect(key.expression.test(good), good).to.equal(true);
    for (const bad of [
      '',
      'cost center',
      'a\tb',
      'sealift-installation',
      'Sealift-Installation',
      'x'.repeat(257),
    ])
      expect(key.expression.test(bad), bad).to.equal(false);
    expect(['', 'a b', 'x'.repeat(256)].every((text) => value.expression.test(text))).to.equal(true);
    expect(['a\nb', 'x'.repeat(257)].some((text) => value.expression.test(text))).to.equal(false);
  });
});
