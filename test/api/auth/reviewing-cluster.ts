import { startApiServer, type ApiServer } from './api-server.ts';
import { makeCluster, type Account, type Cluster } from './cluster.ts';

/** A cluster, and how Sealift asks it: `config` names its server and has the token of `account`, which may review tokens. */
export type ReviewingCluster = {
  cluster: Cluster;
  server: ApiServer;
  account: Account;
  config: { kubernetes_host: string; kubernetes_ca_cert: string; token_reviewer_jwt: string };
};

/** Undo: stop the server. */
export async function startReviewingCluster(): Promise<ReviewingCluster> {
  const cluster = await makeCluster();
  const server = await startApiServer(cluster);
  const account = cluster.addAccount('sealift', 'reviewer');
  server.allow(account);
  const token_reviewer_jwt = await cluster.oldTokenOf(account);
  const config = { kubernetes_host: server.url, kubernetes_ca_cert: server.ca, token_reviewer_jwt };
  return { cluster, server, account, config };
}
