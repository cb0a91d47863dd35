import type { MatchRequest, MatchResult } from '../../../libs/commands/key-maintenance-commands.ts';
import { isJsonObject } from '../../../libs/validation/lossless.ts';
import type { MaintenanceServices } from '../job.ts';
import { findAsker } from './asker.ts';
import { callCluster, ClusterError, type AskedCluster, type ClusterRequest } from './call.ts';
import { holdBack } from './hold-back.ts';
import type { OwnPod } from './own-account.ts';

// No other text may get into the path of the request.
const NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

const MAY_NOT =
  'the cluster does not let the reviewer read namespaces: bind its service account to a role that may get them';

/**
 * Asks a cluster whether one of its namespaces has all labels with exactly these values. Never throws for what the cluster
 * does. `pod`: where the worker itself runs.
 */
export async function matchNamespace(
  { config }: Pick<MaintenanceServices, 'config'>,
  { name, labels, ...request }: MatchRequest,
  pod?: OwnPod,
): Promise<MatchResult> {
  const { cluster, bearer } = await findAsker(config, request, pod);
  const differs: MatchResult = { outcome: 'differs', detail: 'the namespace has not the labels of the role' };
  if (!NAME.test(name)) return differs;
  // Unlike a review, this is never asked with the token of the pod, which may read no namespaces.
  if (bearer === undefined)
    return { outcome: 'reviewer_refused', detail: 'labels of namespaces need a token_reviewer_jwt' };
  try {
    const path = `/api/v1/namespaces/${name}`;
    const found = await holdBack(request.host, () => readLabels(cluster, { bearer, path }, name));
    const isMatch = Object.entries(labels).every(
      ([key, value]) => Object.hasOwn(found, key) && found[key] === value,
    );
    return isMatch ? { outcome: 'matches', detail: '' } : differs;
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    return { outcome: error.outcome, detail: error.message };
  }
}

async function readLabels(
  cluster: AskedCluster,
  request: ClusterRequest,
  name: string,
): Promise<Record<string, unknown>> {
  const { status, answer } = await callCluster(cluster, request);
  if (status === 401)
    throw new ClusterError('reviewer_refused', 'the cluster does not accept the token of the reviewer');
  if (status === 403) throw new ClusterError('reviewer_refused', MAY_NOT);
  if (status === 404) return {};
  const { kind, metadata } = answer;
  if (status !== 200)
    throw new ClusterError('unavailable', `the API server of the cluster answered with status ${status}`);
  if (kind !== 'Namespace' || !isJsonObject(metadata) || metadata['name'] !== name)
    throw new ClusterError('unavailable', 'the API server of the cluster answered with no namespace');
  return isJsonObject(metadata['labels']) ? metadata['labels'] : {};
}
