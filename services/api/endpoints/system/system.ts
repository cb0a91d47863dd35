import { Type } from 'typebox';
import { contextReadiness } from '../../../../libs/service/health.ts';
import { badRequest, permissionDenied } from '../../../../libs/errors/request-error.ts';
import { ROOT_NAMESPACE } from '../../../../libs/store/access/namespaces.ts';
import { endpoint, ok, type Endpoint, type Reply } from '../../routing/endpoint.ts';
import { activationAnswer, healthAnswer, leaderAnswer, sealStatusAnswer } from '../../contract/status.ts';
import { closed } from '../../contract/schema.ts';

/**
 * The version of the interface, for clients of similar services. They decide by this number which features they use,
 * and refuse to start if it is not a semantic version.
 */
const INTERFACE_VERSION = '2.2.0+ent';

const activation = { activated: ['secrets-sync'], unactivated: [] };

/** What clients ask an installation before anything else. None of these needs a token, except the activation. */
export const systemEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/sys/health',
    access: 'public',
    summary: 'Check whether the installation can answer requests',
    answers: { 200: { body: healthAnswer }, 503: { body: healthAnswer } },
    handle: async ({ services }) => {
      const missing = await contextReadiness(services, { needsBroker: false })();
      return plain(missing.length === 0 ? 200 : 503, {
        initialized: true,
        sealed: false,
        standby: false,
        performance_standby: false,
        replication_performance_mode: 'disabled',
        replication_dr_mode: 'disabled',
        server_time_utc: Math.floor(Date.now() / 1000),
        version: INTERFACE_VERSION,
        enterprise: true,
        cluster_name: 'sealift',
        cluster_id: services.installation.id,
      });
    },
  }),
  endpoint({
    method: 'GET',
    path: '/sys/seal-status',
    access: 'public',
    summary: 'Read the seal status; the installation is never sealed',
    answers: { 200: { body: sealStatusAnswer } },
    handle: async ({ services }) =>
      plain(200, {
        type: 'shamir',
        initialized: true,
        sealed: false,
        t: 1,
        n: 1,
        progress: 0,
        nonce: '',
        version: INTERFACE_VERSION,
        build_date: '',
        migration: false,
        cluster_name: 'sealift',
        cluster_id: services.installation.id,
        recovery_seal: false,
        storage_type: 'postgresql',
      }),
  }),
  endpoint({
    method: 'GET',
    path: '/sys/init',
    access: 'public',
    summary: 'Check whether the installation is set up',
    answers: { 200: { body: closed({ initialized: Type.Boolean() }) } },
    handle: async () => plain(200, { initialized: true }),
  }),
  endpoint({
    method: 'POST',
    path: '/sys/init',
    alsoMethods: ['PUT'],
    access: 'public',
    summary: 'Refuse to set the installation up; `sealift bootstrap` did that',
    answers: {},
    handle: async () => {
      // Clients look for this text.
      throw badRequest('Vault is already initialized');
    },
  }),
  endpoint({
    method: 'GET',
    path: '/sys/leader',
    access: 'public',
    summary: 'Read the leader; all replicas are equal',
    answers: { 200: { body: leaderAnswer } },
    handle: async () =>
      plain(200, {
        ha_enabled: false,
        is_self: true,
        leader_address: '',
        leader_cluster_address: '',
        performance_standby: false,
        performance_standby_last_remote_wal: 0,
      }),
  }),
  endpoint({
    method: 'GET',
    path: '/sys/activation-flags',
    access: 'public',
    summary: 'List the activated features',
    answers: { 200: { data: activationAnswer } },
    handle: async () => ok(activation),
  }),
  endpoint({
    method: 'POST',
    path: '/sys/activation-flags/secrets-sync/activate',
    alsoMethods: ['PUT'],
    access: 'policy',
    summary: 'Activate syncing; no effect, since it is always active',
    answers: { 200: { data: activationAnswer } },
    handle: async ({ namespace }) => {
      if (namespace.id !== ROOT_NAMESPACE.id)
        throw permissionDenied('this API is reserved to the root namespace');
      return ok(activation);
    },
  }),
];

function plain(status: number, body: object): Reply<never> {
  return { status, plain: { type: 'application/json', body: JSON.stringify(body) } };
}
