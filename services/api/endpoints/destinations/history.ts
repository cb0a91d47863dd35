import { Type } from 'typebox';
import {
  listDestinationEvents,
  type DestinationEvent,
} from '../../../../libs/store/audit/destination-history.ts';
import {
  destinationHistoryAnswer,
  type DestinationEventAnswer,
  type DestinationHistoryAnswer,
} from '../../contract/destinations.ts';
import { endpoint, ok, type Endpoint } from '../../routing/endpoint.ts';
import { outcomeFilter, requireSpan, timeFilter } from '../audit/filters.ts';
import { textFilter } from '../policy-engine-versions/paging.ts';
import { requireNamed } from '../named-destination.ts';

const PATH = '/sys/sync/destinations/:type/:name';
const DEFAULT_LIMIT = 100;

// What actions of the audit trail mean for a destination. All other actions do not change it.
const MEANING: Record<string, string> = {
  '': 'replace',
  '/associations/set': 'link',
  '/associations/set-many': 'link',
  '/associations/remove': 'unlink',
  '/associations/remove-many': 'unlink',
  '/associations/retry': 'retry',
  '/associations/withdraw': 'withdraw',
  '/pause': 'pause',
  '/resume': 'resume',
};
const ofAll = new Map(
  ['pause', 'resume'].flatMap((done) =>
    ['POST', 'PUT'].map((method): [string, string] => [`${method} /sys/sync/${done}`, `${done}_all`]),
  ),
);
const actions = new Map([
  ...Object.entries(MEANING).flatMap(([route, meaning]) =>
    ['POST', 'PUT'].map((method): [string, string] => [`${method} ${PATH}${route}`, meaning]),
  ),
  [`PATCH ${PATH}`, 'change'],
  [`DELETE ${PATH}`, 'delete'],
]);

/** Who changed a destination or what is linked to it, and when. */
export const destinationHistoryEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: `${PATH}/history`,
    access: 'policy',
    summary:
      'Read who changed a destination or its associations, or paused the whole installation, newest first, with refused attempts',
    answers: { 200: { data: destinationHistoryAnswer } },
    query: Type.Object({
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 1000,
          description: `Maximum number of changes. Default ${DEFAULT_LIMIT}.`,
        }),
      ),
      before: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description: '`id` of the last change of the previous page.',
        }),
      ),
      who: textFilter('Only what was done by whom: a part of the name of a person or a token, in any case.'),
      outcome: outcomeFilter('Only what ended so.'),
      since: timeFilter('Only what happened at or after this time.'),
      until: timeFilter('Only what happened before this time.'),
    }),
    handle: async (request) => {
      const { services, namespace, query } = request;
      const { type, spelling, key } = requireNamed(request);
      const { before, since, until, who, outcome, limit = DEFAULT_LIMIT } = query;
      requireSpan({ since, until });
      const events = await listDestinationEvents(
        services.db,
        {
          namespace: namespace.path,
          names: [type.type, ...type.aliases].map((one) => `sys/sync/destinations/${one}/${key.name}`),
          actions: [...actions.keys()],
          ofAll: [...ofAll.keys()],
        },
        { before, since, until, who: who || undefined, outcome, limit },
      );
      return ok({
        store_name: key.name,
        store_type: spelling,
        history: events.map(present),
      } satisfies DestinationHistoryAnswer);
    },
  }),
];

function present({
  id,
  at,
  actor,
  address,
  action,
  outcome,
  status,
  detail,
}: DestinationEvent): DestinationEventAnswer {
  return {
    id,
    at: at.toISOString(),
    actor,
    address,
    action: actions.get(action) ?? ofAll.get(action) ?? action,
    outcome,
    status,
    detail,
  };
}
