import { Type } from 'typebox';
import { notFound } from '../../../../libs/errors/request-error.ts';
import { listAuditNames, type AuditNameKind } from '../../../../libs/store/audit/names.ts';
import { auditNamesAnswer } from '../../contract/administration.ts';
import { endpoint, ok, type Endpoint } from '../../routing/endpoint.ts';
import { textFilter } from '../policy-engine-versions/paging.ts';

const EVENTS = 'api/v2/admin/audit-events';
const MOST_NAMES = 50;

/** What a filter of the audit trail can be given. */
export const auditNameEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: `/${EVENTS}/names`,
    access: 'token',
    summary:
      'List the different names in the audit trail that contain a text; needs `read` on the audit events',
    answers: { 200: { data: auditNamesAnswer } },
    query: Type.Object({
      of: Type.Unsafe<AuditNameKind>({
        type: 'string',
        enum: ['user', 'actor', 'address', 'secret'],
        description: 'Of what: persons, tokens (their display names), addresses, or secrets.',
      }),
      contains: textFilter('A part of the name, in any case. Default: any name.'),
    }),
    handle: async ({ may, query, services }) => {
      if (!may(EVENTS, 'read')) throw notFound();
      const text = query.contains ?? '';
      return ok({ data: await listAuditNames(services.db, query.of, { text, limit: MOST_NAMES }) });
    },
  }),
];
