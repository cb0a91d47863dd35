import { Octokit } from '@octokit/core';
import sodium from 'libsodium-wrappers';
import type { Settings, Write } from './write.ts';

/** GitHub's SDK and the sealing, as its manual shows them. The repository's key is fetched once. */
export async function open(settings: Settings): Promise<Write> {
  const { access_token: auth = '', repository_owner: owner = '', repository_name: repo = '' } = settings;
  const octokit = new Octokit({ auth, baseUrl: process.env['REPO_HOST_API_URL'] ?? '' });
  const { data } = await octokit.request('GET /repos/{owner}/{repo}/actions/secrets/public-key', {
    owner,
    repo,
  });
  await sodium.ready;
  const key = sodium.from_base64(data.key, sodium.base64_variants.ORIGINAL);
  return ({ name }, value) => {
    const sealed = sodium.crypto_box_seal(sodium.from_string(value), key);
    return octokit.request('PUT /repos/{owner}/{repo}/actions/secrets/{secret_name}', {
      owner,
      repo,
      secret_name: name,
      encrypted_value: sodium.to_base64(sealed, sodium.base64_variants.ORIGINAL),
      key_id: data.key_id,
    });
  };
}
