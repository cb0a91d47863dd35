import type { MatchResult } from '../../../libs/commands/key-maintenance-commands.ts';
import { permissionDenied } from '../../../libs/errors/request-error.ts';
import type { AuthMount } from '../../../libs/store/auth/mounts.ts';
import { askedInVain, clusterAccess, type ClusterLogIn } from './ask-cluster.ts';
import { LogInRefusal } from './failures.ts';
import { selectedLabels } from './namespace-selector.ts';

const REFUSAL = 'namespace not authorized';

/** A namespace of a cluster, and the label selector of a role. */
type Selected = { name: string; selector: string };

/**
 * Lets a worker ask the cluster of an auth method whether a namespace has the labels of a role. The token must be proven, as
 * its sender learns what is wrong. Throws LogInRefusal if it has not, 403 if the cluster does not let us ask, and 503 if
 * nobody answers.
 */
export async function proveByLabels(
  request: ClusterLogIn,
  mount: AuthMount,
  selected: Selected,
): Promise<void> {
  const { outcome, detail } = await match(request, mount, selected);
  if (outcome === 'matches') return;
  if (outcome === 'differs') throw new LogInRefusal(detail, permissionDenied(REFUSAL));
  throw askedInVain(request, mount, {
    outcome,
    detail,
    question: 'whether the namespace has the labels of the role',
    refusal: permissionDenied(`${REFUSAL}: ${detail}`),
  });
}

async function match(
  request: ClusterLogIn,
  mount: AuthMount,
  { name, selector }: Selected,
): Promise<MatchResult> {
  const access = await clusterAccess(request, mount);
  if (access.host === '')
    return { outcome: 'reviewer_refused', detail: 'labels of namespaces need a kubernetes_host' };
  const labels = await selectedLabels(selector);
  return request.services.commands.call('key-maintenance', 'match-namespace', { ...access, name, labels });
}
