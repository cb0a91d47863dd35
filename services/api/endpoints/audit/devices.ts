import { Type } from 'typebox';
import { badRequest, permissionDenied } from '../../../../libs/errors/request-error.ts';
import { ROOT_NAMESPACE } from '../../../../libs/store/access/namespaces.ts';
import { findRetentionPolicy, keptDaysOf } from '../../../../libs/store/settings/retention.ts';
import { endpoint, noContent, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { byName, closed } from '../../contract/schema.ts';

const PREFIX = 'sys/audit/';

const typeBody = Type.Object({
  type: Type.Optional(Type.String({ description: 'Type of the audit device. Every type is refused.' })),
  description: Type.Optional(Type.Unknown()),
  options: Type.Optional(Type.Unknown()),
  local: Type.Optional(Type.Unknown()),
});

const devicesAnswer = byName(
  closed({
    type: Type.String(),
    path: Type.String(),
    description: Type.String(),
    local: Type.Boolean(),
    options: byName(Type.String()),
  }),
);

/** The audit trail, for clients that expect audit devices. It is always on, and it is the only one. */
export const auditDeviceEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/sys/audit',
    access: 'sudo',
    summary: 'List the audit devices; the audit trail is the only one',
    answers: { 200: { data: devicesAnswer } },
    handle: async (request) => {
      requireRoot(request);
      const { db, config } = request.services;
      const kept = keptDaysOf(await findRetentionPolicy(db), config);
      const devices = {
        'file/': {
          type: 'file',
          path: 'file/',
          description: 'the audit trail, always on; read it at /api/v2/admin/audit-events',
          local: false,
          options: {
            file_path: 'postgresql:audit_events',
            log_raw: 'false',
            audit_reads: String(config.AUDIT_READS),
            retention_days: String(kept.audit),
          },
        },
      };
      return ok(devices);
    },
  }),
  endpoint({
    method: 'POST',
    path: '/sys/audit/*path',
    alsoMethods: ['PUT'],
    access: 'sudo',
    summary: 'Refuse to enable an audit device; the audit trail is the only one',
    answers: {},
    body: typeBody,
    handle: async (request) => {
      requireRoot(request);
      const { body, path } = request;
      const type = (body.type || path.slice(PREFIX.length)).slice(0, 60);
      throw badRequest(
        `the audit device ${JSON.stringify(type)} is not supported: the only audit device is the audit trail, which is always on`,
      );
    },
  }),
  endpoint({
    method: 'DELETE',
    path: '/sys/audit/*path',
    access: 'sudo',
    summary: 'Disable an audit device; succeeds without effect, but the audit trail itself is refused',
    answers: { 204: {} },
    handle: async (request) => {
      requireRoot(request);
      if (request.path === `${PREFIX}file`) throw badRequest('the audit trail cannot be disabled');
      return noContent();
    },
  }),
];

function requireRoot({ namespace }: Pick<ApiRequest, 'namespace'>): void {
  if (namespace.id !== ROOT_NAMESPACE.id)
    throw permissionDenied('this API is reserved to the root namespace');
}
