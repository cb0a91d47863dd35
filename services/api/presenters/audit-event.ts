import type { AuditEvent } from '../../../libs/store/audit/events.ts';
import type { AuditEventAnswer } from '../contract/administration.ts';

/** An audit entry as a JSON API resource. */
export function presentAuditEvent(event: AuditEvent): AuditEventAnswer {
  return {
    id: String(event.id),
    type: 'audit-events',
    attributes: {
      at: event.at.toISOString(),
      user: event.username,
      actor: event.actor,
      accessor: event.accessor,
      'auth-method': event.authMethod,
      policies: event.policies,
      address: event.address,
      namespace: event.namespace,
      action: event.action,
      path: event.path,
      secret: event.secret,
      outcome: event.outcome,
      status: event.status,
      'request-id': event.requestId,
      detail: event.detail,
    },
  };
}
