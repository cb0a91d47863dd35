import type { ReviewRequest, ReviewResult } from '../../../libs/commands/key-maintenance-commands.ts';
import { isJsonObject } from '../../../libs/validation/lossless.ts';
import type { MaintenanceServices } from '../job.ts';
import { callCluster, ClusterError, type AskedCluster } from './call.ts';
import { findAsker } from './asker.ts';
import { holdBack } from './hold-back.ts';
import type { OwnPod } from './own-account.ts';

const LONGEST_TEXT = 1000;
const PATH = '/apis/authentication.k8s.io/v1/tokenreviews';

const NO_USER = { username: '', uid: '', audiences: [] };
const REFUSED: ReviewResult = {
  ...NO_USER,
  outcome: 'refused',
  detail: 'the cluster does not accept the token',
};

/** Asks a cluster whether a token is valid. Never throws for what the cluster does. `pod`: where the worker itself runs. */
export async function reviewToken(
  { config }: Pick<MaintenanceServices, 'config'>,
  { token, audiences, ...request }: ReviewRequest,
  pod?: OwnPod,
): Promise<ReviewResult> {
  const { cluster, bearer = token } = await findAsker(config, request, pod);
  try {
    return await holdBack(request.host, () => review(cluster, { bearer, token, audiences }));
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    return { ...NO_USER, outcome: error.outcome, detail: error.message };
  }
}

async function review(
  cluster: AskedCluster,
  { bearer, token, audiences }: { bearer: string; token: string; audiences: string[] },
): Promise<ReviewResult> {
  const spec = { token, ...(audiences.length > 0 ? { audiences } : {}) };
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec };
  const { status, answer } = await callCluster(cluster, { bearer, path: PATH, body });
  if (status === 401 && bearer === token) return REFUSED;
  if (status === 401)
    throw new ClusterError('reviewer_refused', 'the cluster does not accept the token of the reviewer');
  if (status === 403)
    throw new ClusterError(
      'reviewer_refused',
      'the cluster does not let the reviewer ask: bind its service account to system:auth-delegator',
    );
  if (status !== 200 && status !== 201)
    throw new ClusterError('unavailable', `the API server of the cluster answered with status ${status}`);
  return readReview(answer);
}

function readReview({ status }: Record<string, unknown>): ReviewResult {
  if (!isJsonObject(status))
    throw new ClusterError('unavailable', 'the API server of the cluster answered with no review');
  const { user, authenticated, audiences } = status;
  if (authenticated !== true || status['error']) return REFUSED;
  const { username, uid } = isJsonObject(user) ? user : {};
  return {
    outcome: 'authenticated',
    detail: '',
    username: textOf(username),
    uid: textOf(uid),
    audiences: Array.isArray(audiences) ? audiences.map(textOf) : [],
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' && value.length <= LONGEST_TEXT ? value : '';
}
