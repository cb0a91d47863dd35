import { ClientSecretCredential } from '@azure/identity';
import { SecretClient } from '@azure/keyvault-secrets';
import { asHttps, plainHttp } from '../../../test/sandbox/azure-key-vault/plain-vault.ts';
import type { Settings, Write } from './write.ts';

/** Azure's SDK as its manual shows it. The options tell it that vault and authority have non-Azure addresses. */
export async function open(settings: Settings): Promise<Write> {
  const {
    key_vault_uri: uri = '',
    tenant_id: tenant = '',
    client_id: id = '',
    client_secret: secret = '',
  } = settings;
  const credential = new ClientSecretCredential(tenant, id, secret, {
    authorityHost: process.env['SEALIFT_AZURE_AUTHORITY_HOST'] ?? '',
    disableInstanceDiscovery: true,
  });
  const client = new SecretClient(asHttps(uri), credential, {
    httpClient: plainHttp(),
    disableChallengeResourceVerification: true,
  });
  // The SDK may lose the body of a call that runs beside a client's first call. This call has no body and signs in first.
  await client.getSecret('none').catch(() => undefined);
  return ({ name, tags }, value) => client.setSecret(name, value, { tags });
}
