import { permissionDenied } from '../../../libs/errors/request-error.ts';
import type { AuthMount } from '../../../libs/store/auth/mounts.ts';
import { askedInVain, clusterAccess, type ClusterLogIn } from './ask-cluster.ts';
import { LogInRefusal } from './failures.ts';
import type { ServiceAccount } from './service-account.ts';

/** A token with the service account that it names. `audiences`: for which the role wants it; empty: any. */
type Reviewed = { jwt: string; account: ServiceAccount; named: string[]; audiences: string[] };

/**
 * Lets a worker ask the cluster of an auth method whether a token is valid: one of a pod or a service account that is gone
 * is not. Throws LogInRefusal if it is not valid or of another account than it says, 403 if the cluster does not let us
 * ask, and 503 if nobody answers.
 */
export async function proveByReview(
  request: ClusterLogIn,
  mount: AuthMount,
  { jwt, account, named, audiences }: Reviewed,
): Promise<void> {
  const answer = await request.services.commands.call('key-maintenance', 'review-token', {
    ...(await clusterAccess(request, mount)),
    token: jwt,
    // Without any, the cluster would ask for its own audience, which is not that of a token for us.
    audiences: audiences.length > 0 ? audiences : named,
  });
  const { outcome, detail, username, uid } = answer;
  if (outcome === 'refused') throw new LogInRefusal(detail, permissionDenied());
  if (outcome !== 'authenticated')
    throw askedInVain(request, mount, {
      outcome,
      detail,
      question: 'whether the token is valid',
      refusal: permissionDenied(),
    });
  if (username !== `system:serviceaccount:${account.namespace}:${account.name}` || uid !== account.uid)
    throw new LogInRefusal('the cluster knows the token as that of another account', permissionDenied());
  if (audiences.length > 0 && !answer.audiences.some((audience) => audiences.includes(audience)))
    throw new LogInRefusal('the cluster knows the token as one for another audience', permissionDenied());
}
