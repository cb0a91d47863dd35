import { connect, type Client, type Options } from './client.ts';

const VERSION = 'api-version=7.4';

/** A read, which tells who owns the secret, and a write for each secret, under one token. */
export function cloud2Kv({ installation, concurrency }: Options): Client {
  const authority = process.env['SEALIFT_AZURE_AUTHORITY_HOST'] ?? '';
  const tags = { 'sealift-installation': installation };
  return {
    batchSize: 1,
    open: async (settings) => {
      const { key_vault_uri: uri = '', tenant_id: tenant = '' } = settings;
      const form = new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: settings['client_id'] ?? '',
        client_secret: settings['client_secret'] ?? '',
        scope: 'https://vault.azure.net/.default',
      });
      const signIn = await connect(
        authority,
        1,
      )({
        method: 'POST',
        path: `/${tenant}/oauth2/v2.0/token`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: form.toString(),
      });
      const { access_token: token } = signIn as { access_token: string };
      const call = connect(uri, concurrency);
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      return async ([item]) => {
        const { name = '', value } = item ?? {};
        await call({ method: 'GET', path: `/secrets/${name}?${VERSION}`, headers });
        const body = JSON.stringify({ value, tags });
        await call({ method: 'PUT', path: `/secrets/${name}?${VERSION}`, headers, body });
      };
    },
  };
}
