import { permissionDenied, unavailable } from '../../../libs/errors/request-error.ts';
import type { AuthMount } from '../../../libs/store/auth/mounts.ts';
import { openTokenReviewer } from '../../../libs/store/auth/token-reviewers.ts';
import type { ApiRequest } from '../routing/endpoint.ts';
import { LogInRefusal } from './failures.ts';
import type { ServiceAccount } from './service-account.ts';

/** Where a cluster is asked; `disable_local_ca_jwt`: not with the worker's own service account. */
export type ClusterConfig = {
  kubernetes_host: string;
  kubernetes_ca_cert: string;
  disable_local_ca_jwt: boolean;
};

/** A token with the service account that it names. `audiences`: for which the role wants it; empty: any. */
type Reviewed = { jwt: string; account: ServiceAccount; named: string[]; audiences: string[] };

/**
 * Lets a worker ask the cluster of an auth method whether a token is valid: one of a pod or a service account that is gone
 * is not. Throws LogInRefusal if it is not valid or of another account than it says, 403 if the cluster does not let us
 * ask, and 503 if nobody answers.
 */
export async function proveByReview(
  { services, namespace, note }: Pick<ApiRequest, 'services' | 'namespace' | 'note'>,
  { id, path, config }: AuthMount,
  { jwt, account, named, audiences }: Reviewed,
): Promise<void> {
  const { kubernetes_host: host, kubernetes_ca_cert: ca, disable_local_ca_jwt } = config as ClusterConfig;
  const answer = await services.commands.call('key-maintenance', 'review-token', {
    host,
    ca,
    token: jwt,
    // Without any, the cluster would ask for its own audience, which is not that of a token for us.
    audiences: audiences.length > 0 ? audiences : named,
    reviewer: await openTokenReviewer(services.db, services.keyring, id),
    isOwnForbidden: disable_local_ca_jwt,
    namespace: namespace.path,
  });
  const { outcome, detail, username, uid } = answer;
  if (outcome === 'refused') throw new LogInRefusal(detail, permissionDenied());
  if (outcome !== 'authenticated') {
    note({ reason: detail });
    services.log.warn({ mount: path, outcome, detail }, 'a cluster could not be asked about a token');
    throw outcome === 'unavailable'
      ? unavailable('the cluster could not be asked whether the token is valid')
      : permissionDenied();
  }
  if (username !== `system:serviceaccount:${account.namespace}:${account.name}` || uid !== account.uid)
    throw new LogInRefusal('the cluster knows the token as that of another account', permissionDenied());
  if (audiences.length > 0 && !answer.audiences.some((audience) => audiences.includes(audience)))
    throw new LogInRefusal('the cluster knows the token as one for another audience', permissionDenied());
}
