import { Type } from 'typebox';
import { listAttempts } from '../../../../libs/store/associations/history.ts';
import { destinationAttemptsAnswer, type DestinationAttemptsAnswer } from '../../contract/associations.ts';
import { presentHistory } from '../../presenters/association-history.ts';
import { endpoint, ok, type Endpoint } from '../../routing/endpoint.ts';
import { outcomeFilter, requireSpan, timeFilter } from '../audit/filters.ts';
import { requireDestination } from '../named-destination.ts';
import { textFilter } from '../policy-engine-versions/paging.ts';

const DEFAULT_LIMIT = 100;
const MAY_BE_SHORT = 'A page may then be short, or empty, and still have `next_before`.';

/** What was written to one store, when, and who caused that. */
export const destinationAttemptEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/sys/sync/destinations/:type/:name/attempts',
    access: 'policy',
    summary: 'Read the sync attempts of all secrets at a destination, newest first',
    answers: { 200: { data: destinationAttemptsAnswer } },
    query: Type.Object({
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 1000,
          description: `Maximum number of attempts. Default ${DEFAULT_LIMIT}.`,
        }),
      ),
      before: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description: '`next_before` of the previous page.',
        }),
      ),
      who: textFilter(
        `Only what was caused by whom: a part of the name of a person or a token, in any case. ${MAY_BE_SHORT}`,
      ),
      outcome: outcomeFilter(
        `\`succeeded\`: the store took the write or the deletion. \`failed\`: all others. ${MAY_BE_SHORT}`,
      ),
      since: timeFilter('Only what happened at or after this time.'),
      until: timeFilter('Only what happened before this time.'),
    }),
    handle: async (request) => {
      const { services, namespace, query } = request;
      const { before, limit = DEFAULT_LIMIT, ...filter } = query;
      requireSpan({ since: filter.since, until: filter.until });
      const { row, spelling, key } = await requireDestination(request);
      const { lines, next } = await listAttempts(
        services.db,
        { namespaceId: namespace.id, destinationId: row.id },
        filter,
        { before, limit },
      );
      return ok({
        store_name: key.name,
        store_type: spelling,
        attempts: lines.map((line) => ({
          ...presentHistory(line),
          mount: line.mount,
          secret_name: line.secret_path,
        })),
        next_before: next,
      } satisfies DestinationAttemptsAnswer);
    },
  }),
];
