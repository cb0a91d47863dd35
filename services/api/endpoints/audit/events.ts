import { Type, type Static } from 'typebox';
import { parameterProblem, unprocessable } from '../../../../libs/errors/request-error.ts';
import { listAuditEvents } from '../../../../libs/store/audit/list.ts';
import { findRetentionPolicy, keptDaysOf } from '../../../../libs/store/settings/retention.ts';
import { endpoint, ok, type Endpoint } from '../../routing/endpoint.ts';
import { presentAuditEvent } from '../../presenters/audit-event.ts';
import { addressOf } from '../../address.ts';
import { pageSchema, pageOf } from '../policy-engine-versions/paging.ts';
import { exportEvents } from './export.ts';
import { auditFilterSchema, auditFiltersOf } from './filters.ts';
import type { ActionKinds } from './kinds.ts';
import { auditEventsAnswer } from '../../contract/administration.ts';

const PATH = '/api/v2/admin/audit-events';

/** Who did what. `actions`: those that a filter may name. */
export const auditEventEndpoints = (actions: ActionKinds): Endpoint[] => {
  return [
    endpoint({
      method: 'GET',
      path: PATH,
      access: 'policy',
      // Who took the trail along. A page is only counted if it is refused.
      isAuditedRead: ({ format }) => format === 'csv' || format === 'jsonl',
      summary:
        'List the audit events, newest first, or export them: who did what, from where, and how it ended',
      answers: { 200: { data: auditEventsAnswer, types: ['text/csv', 'application/jsonl'] } },
      query: Type.Object({
        ...auditFilterSchema,
        'page[size]': pageSchema['page[size]'],
        'page[after]': Type.Optional(
          Type.String({
            pattern: '^\\d{1,16}$',
            errorMessage: 'must be the id of an event, such as 4711 (next-after of the page before)',
            description: 'Id of the last event seen. 0: the end. Default: begin with the newest.',
          }),
        ),
        format: Type.Optional(
          Type.Unsafe<'json' | 'csv' | 'jsonl'>({
            type: 'string',
            enum: ['json', 'csv', 'jsonl'],
            description:
              '`csv` or `jsonl` (JSON lines) export all matching events after `page[after]`. Default json: a page.',
          }),
        ),
      }),
      handle: async (request) => {
        const { query, services } = request;
        const filters = auditFiltersOf(query, actions);
        const before = query['page[after]'] === undefined ? undefined : Number(query['page[after]']);
        // A caller who reads right after its own change sees how that change ended.
        await services.audit.settled();
        if (query.format === 'csv' || query.format === 'jsonl') {
          if (query['page[size]'])
            throw unprocessable(parameterProblem('page[size]', 'has no meaning for an export'));
          request.note({ format: query.format, after: before ?? null, filters });
          // The export's own entry has no end yet.
          const others = { ...filters, withoutRequest: request.requestId };
          return exportEvents(services, { filters: others, before, format: query.format });
        }
        const { size } = pageOf({ 'page[size]': query['page[size]'] });
        const { events, next } = await listAuditEvents(services.db, filters, { limit: size, before });
        return ok({
          data: events.map(presentAuditEvent),
          links: {
            self: linkTo(request, before ?? null),
            first: linkTo(request, null),
            next: next === null ? null : linkTo(request, next),
          },
          meta: await metaOf(services, { size, next }),
        });
      },
    }),
  ];
};

async function metaOf(
  { db, config }: Parameters<typeof exportEvents>[0],
  { size, next }: { size: number; next: number | null },
): Promise<Static<typeof auditEventsAnswer>['meta']> {
  const kept = keptDaysOf(await findRetentionPolicy(db), config);
  return {
    pagination: { 'page-size': size, 'next-after': next === null ? null : String(next) },
    'kept-days': kept.audit || null,
  };
}

function linkTo(
  {
    query,
    services,
  }: { query: Record<string, string | undefined>; services: Parameters<typeof exportEvents>[0] },
  after: number | null,
): string {
  const given = Object.entries(query).filter(
    ([name, value]) => value !== undefined && name !== 'page[after]',
  );
  const pairs = [...given, ...(after === null ? [] : [['page[after]', String(after)]])];
  const text = pairs.map((pair) => pair.map((part) => encodeURIComponent(part ?? '')).join('=')).join('&');
  return `${addressOf(services.config, PATH)}${text && `?${text}`}`;
}
