import { expect } from 'chai';
import { startReviewingCluster } from '../api/auth/reviewing-cluster.ts';
import type { Answer, Client } from '../support/client.ts';

const MOUNT = '/auth/cluster';

/** Logs in as a pod by a review and by keys, and is refused by both. Returns the tokens that were sent, and the refusals. */
export async function logInAsPod(client: Client): Promise<{ secrets: string[]; refused: Answer[] }> {
  const { cluster, server, config } = await startReviewingCluster();
  const api = cluster.addAccount('shop', 'api');
  const [allowed, another] = await Promise.all(
    [api, cluster.addAccount('shop', 'web')].map((one) => cluster.tokenOf(one)),
  );
  const role = {
    bound_service_account_names: 'api',
    bound_service_account_namespaces: 'shop',
    audience: 'sealift',
  };
  const logIn = (jwt: string | undefined) =>
    client.post(`${MOUNT}/login`, { role: 'api', jwt }, { token: null });
  const refused: Answer[] = [];
  const tryAll = async (): Promise<void> => {
    expect((await logIn(allowed)).status).to.equal(200);
    for (const jwt of [another, `${allowed}x`]) refused.push(await logIn(jwt));
  };
  try {
    await client.post(`/sys${MOUNT}`, { type: 'kubernetes' });
    expect((await client.post(`${MOUNT}/config`, config)).status).to.equal(204);
    await client.post(`${MOUNT}/role/api`, role);
    await tryAll();
    server.state.down = 500;
    refused.push(await logIn(allowed), await client.post(`${MOUNT}/config`, { ...config, pem_keys: ['x'] }));
    const keys = { pem_keys: [await cluster.pem()], issuer: cluster.issuer };
    expect((await client.post(`${MOUNT}/config`, { kubernetes_host: server.url, ...keys })).status).to.equal(
      204,
    );
    await tryAll();
  } finally {
    await server.stop();
  }
  return {
    secrets: [config.token_reviewer_jwt, allowed, another].flatMap((token) => (token ? [token] : [])),
    refused,
  };
}
