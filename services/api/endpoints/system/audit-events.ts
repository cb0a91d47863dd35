import { Type } from 'typebox';
import { parameterProblem, unprocessable } from '../../../../libs/errors/request-error.ts';
import { listAuditEvents } from '../../../../libs/store/audit/events.ts';
import { endpoint, ok, type Endpoint } from '../../routing/endpoint.ts';
import { presentAuditEvent } from '../../presenters/audit-event.ts';
import {
  describePage,
  filterSchema,
  addressOf,
  pageOf,
  pageSchema,
} from '../policy-engine-versions/paging.ts';

const PATH = '/api/v2/admin/audit-events';

// Only times that Postgres can read: it has no year 0 and no offset of 16 hours.
const READABLE_TIME = /^(?!0000).{10}[Tt ].{8}(\.\d{1,9})?([Zz]|[+-](0\d|1[0-5])(:?[0-5]\d)?)$/;

const time = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));

/** Who changed what. */
export const auditEventEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: PATH,
    access: 'policy',
    summary: 'List the audit events, newest first: who changed what',
    query: Type.Object({
      'filter[accessor]': filterSchema('Accessor of the token that was used.'),
      'filter[namespace]': filterSchema('Path of the namespace.'),
      'filter[action]': filterSchema('Method and route of the request, or name of the job.'),
      'filter[path]': filterSchema('Start of the path.'),
      'filter[outcome]': filterSchema('`attempted`, `succeeded`, `refused` or `failed`.'),
      'filter[request-id]': filterSchema('Id of the request.'),
      'filter[since]': time('Only events at or after this time.'),
      'filter[until]': time('Only events before this time.'),
      ...pageSchema,
    }),
    handle: async ({ query, services }) => {
      const { 'page[number]': number, 'page[size]': size, ...filters } = query;
      const page = pageOf({ 'page[number]': number, 'page[size]': size });
      checkTimes(filters);
      // A caller who reads right after its own change sees how that change ended.
      await services.audit.settled();
      const { events, total } = await listAuditEvents(
        services.db,
        {
          accessor: filters['filter[accessor]'],
          namespace: filters['filter[namespace]'],
          action: filters['filter[action]'],
          path: filters['filter[path]'],
          outcome: filters['filter[outcome]'],
          requestId: filters['filter[request-id]'],
          since: filters['filter[since]'],
          until: filters['filter[until]'],
        },
        { limit: page.size, offset: page.offset },
      );
      const self = addressOf(services.config, PATH);
      return ok({ data: events.map(presentAuditEvent), ...describePage(page, { self, filters, total }) });
    },
  }),
];

function checkTimes(filters: Record<string, string | undefined>): void {
  const problems = ['filter[since]', 'filter[until]']
    .filter((name) => filters[name] !== undefined && !READABLE_TIME.test(filters[name]))
    .map((name) => parameterProblem(name, 'must be a time such as 2026-01-02T03:04:05Z, from the year 1 on'));
  if (problems.length > 0) throw unprocessable(...problems);
}
