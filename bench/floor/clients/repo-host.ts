import sodium from 'libsodium-wrappers';
import { connect, type Client, type Options } from './client.ts';

/** A read before and one after the write, which tell who owns the secret; the key is fetched once. */
export function repoHost({ concurrency }: Options): Client {
  const call = connect(process.env['REPO_HOST_API_URL'] ?? '', concurrency);
  return {
    batchSize: 1,
    open: async (settings) => {
      const { access_token: token = '', repository_owner: owner, repository_name: repository } = settings;
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'user-agent': 'bench',
      };
      const secrets = `/repos/${owner}/${repository}/actions/secrets`;
      const found = await call({ method: 'GET', path: `${secrets}/public-key`, headers });
      const { key, key_id } = found as { key: string; key_id: string };
      await sodium.ready;
      const publicKey = sodium.from_base64(key, sodium.base64_variants.ORIGINAL);
      return async ([item]) => {
        const { name = '', value = '' } = item ?? {};
        const path = `${secrets}/${name}`;
        await call({ method: 'GET', path, headers });
        const sealed = sodium.crypto_box_seal(sodium.from_string(value), publicKey);
        const encrypted_value = sodium.to_base64(sealed, sodium.base64_variants.ORIGINAL);
        await call({ method: 'PUT', path, headers, body: JSON.stringify({ encrypted_value, key_id }) });
        await call({ method: 'GET', path, headers });
      };
    },
  };
}
