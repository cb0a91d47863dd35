import { Type } from 'typebox';
import type { ClusterTrial } from '../../../../../libs/commands/key-maintenance-commands.ts';
import { badRequest } from '../../../../../libs/errors/request-error.ts';
import { hasTokenReviewer } from '../../../../../libs/store/auth/token-reviewers.ts';
import { clusterCheckAnswer, type ClusterCheckAnswer } from '../../../contract/plans.ts';
import { endpoint, ok, type Endpoint } from '../../../routing/endpoint.ts';
import { authMountOf } from '../token-rules.ts';
import { checkAddress, kubernetesConfigBody } from './config.ts';

/** A test of an API server before it is stored: what is stored need not work, because it may be reachable later. */
export const kubernetesCheckEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/~kubernetes/config/check',
    access: 'policy',
    summary: 'Test whether the API server of a cluster can be reached, before it is stored',
    answers: { 200: { data: clusterCheckAnswer } },
    body: Type.Pick(kubernetesConfigBody, ['kubernetes_host', 'kubernetes_ca_cert', 'disable_local_ca_jwt']),
    handle: async (request) => {
      const { services, namespace, body } = request;
      const { kubernetes_host: host = '', kubernetes_ca_cert: ca = '' } = body;
      if (host === '') throw badRequest('kubernetes_host is missing: the URL of the API server');
      checkAddress({ kubernetes_host: host, kubernetes_ca_cert: ca });
      const hasReviewer = await hasTokenReviewer(services.db, authMountOf(request).id);
      const trial = await services.commands.call('key-maintenance', 'try-cluster', {
        host,
        ca,
        // No token is sent: it only matters whether there is one.
        reviewer: hasReviewer ? '' : null,
        isOwnForbidden: body.disable_local_ca_jwt ?? false,
        namespace: namespace.path,
      });
      return ok(answerOf(trial));
    },
  }),
];

function answerOf({ ok: isReachable, detail, isUntrusted = false }: ClusterTrial): ClusterCheckAnswer {
  if (isReachable) return { reachable: true, fault: null, field: null };
  return { reachable: false, fault: detail, field: isUntrusted ? 'kubernetes_ca_cert' : 'kubernetes_host' };
}
