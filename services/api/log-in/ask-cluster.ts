import type { ClusterAccess, ClusterFault } from '../../../libs/commands/key-maintenance-commands.ts';
import type { AuthMount } from '../../../libs/store/auth/mounts.ts';
import { openTokenReviewer } from '../../../libs/store/auth/token-reviewers.ts';
import { unavailable, type RequestError } from '../../../libs/errors/request-error.ts';
import type { ApiRequest } from '../routing/endpoint.ts';

/** Where a cluster is asked; `disable_local_ca_jwt`: not with the worker's own service account. */
export type ClusterConfig = {
  kubernetes_host: string;
  kubernetes_ca_cert: string;
  disable_local_ca_jwt: boolean;
};

/** A log-in that needs the answer of a cluster. */
export type ClusterLogIn = Pick<ApiRequest, 'services' | 'namespace' | 'note'>;

/** How a worker asks the cluster of an auth method. */
export async function clusterAccess(
  { services, namespace }: ClusterLogIn,
  { id, config }: AuthMount,
): Promise<ClusterAccess> {
  const { kubernetes_host: host, kubernetes_ca_cert: ca, disable_local_ca_jwt } = config as ClusterConfig;
  return {
    host,
    ca,
    reviewer: await openTokenReviewer(services.db, services.keyring, id),
    isOwnForbidden: disable_local_ca_jwt,
    namespace: namespace.path,
  };
}

/** A question that a cluster did not answer. `question`: `whether …`. `refusal`: if it does not let us ask. */
type InVain = { outcome: ClusterFault; detail: string; question: string; refusal: RequestError };

/** What a log-in gets for which a cluster was asked in vain. It does not count as failed. */
export function askedInVain(
  { services, note }: ClusterLogIn,
  { path }: AuthMount,
  { outcome, detail, question, refusal }: InVain,
): RequestError {
  note({ reason: detail });
  services.log.warn({ mount: path, outcome, detail }, `a cluster could not be asked ${question}`);
  // What stood in the way is a code or a status, and tells strangers nothing of the place.
  return outcome === 'unavailable'
    ? unavailable(`the cluster could not be asked ${question}: ${detail}`)
    : refusal;
}
