import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { pageOfDestinations } from '../../../../libs/store/counts/destination-pages.ts';
import { STATUSES } from '../../../../libs/store/associations/status.ts';
import { summarise } from '../../../../libs/store/counts/summary.ts';
import { namesTag } from '../../../../libs/validation/preconditions.ts';
import { catalog, findDestinationType } from '../../../connectors/catalog.ts';
import { presentDestinationSummaries, presentSummary } from '../../presenters/summary.ts';
import { namespacesOf, namespacesQuery } from '../namespaces-below.ts';
import { endpoint, ok, type Endpoint } from '../../routing/endpoint.ts';
import { destinationPageAnswer, summaryAnswer } from '../../contract/summary.ts';
import { keepUnserved } from './unserved.ts';

const MOST = 500;
const MOST_SKIPPED = 1_000_000;
const ORDERS = ['name', 'type', 'status', 'links'] as const;

const byTitle = catalog.toSorted((one, other) => one.title.localeCompare(other.title, 'en'));

/** Is everything in sync, and what is not? */
export const summaryEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/sys/sync/summary',
    access: 'policy',
    summary:
      'Count the associations by status, and the failing ones by cause; 304 if nothing changed since `If-None-Match`',
    query: Type.Object({
      most: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: MOST,
          description: 'Show at most this many destinations, the worst first. Default 100.',
        }),
      ),
    }),
    answers: { 200: { data: summaryAnswer }, 304: {} },
    handle: async ({ services, namespace, query, header }) => {
      const data = presentSummary(await summarise(services.db, namespace.id, query.most ?? 100));
      data.destinations = await keepUnserved(data.destinations, services.commands);
      const digest = createHash('sha256').update(JSON.stringify(data)).digest('base64url');
      const headers = { ETag: `"${digest}"` };
      if (namesTag(header('if-none-match'), headers.ETag)) return { status: 304, headers };
      return { status: 200, data, headers };
    },
  }),
  endpoint({
    method: 'GET',
    path: '/sys/sync/summary/destinations',
    access: 'policy',
    summary: 'Find destinations by type, status or name, with the status of each',
    query: Type.Object({
      type: Type.Optional(
        Type.Array(Type.String(), { description: 'Only destinations of one of these types.' }),
      ),
      status: Type.Optional(
        Type.Array(Type.Enum([...STATUSES]), {
          description: 'Only destinations with an association in one of these statuses.',
        }),
      ),
      name: Type.Optional(Type.String({ description: 'Only destinations with exactly this name.' })),
      q: Type.Optional(
        Type.String({
          maxLength: 200,
          description: 'Only destinations whose name, vendor or product contains this text.',
        }),
      ),
      namespaces: namespacesQuery,
      sort: Type.Optional(
        Type.Enum([...ORDERS], {
          description: 'By `name` (default), `type`, `status` (the worst first) or `links` (the most first).',
        }),
      ),
      offset: Type.Optional(
        Type.Integer({ minimum: 0, maximum: MOST_SKIPPED, description: 'How many to leave out. Default 0.' }),
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MOST,
          description: 'Maximum number of destinations. Default 100.',
        }),
      ),
    }),
    answers: { 200: { data: destinationPageAnswer } },
    handle: async (request) => {
      const { services, query, may } = request;
      const namespaces = await namespacesOf(request, query.namespaces, (below) =>
        may('sys/sync/summary/destinations', 'read', below),
      );
      const { q: search = '', sort: order = 'name', offset = 0, limit = 100 } = query;
      const types = query.type?.map((type) => findDestinationType(type)?.type ?? type);
      const statuses = query.status && query.status.length > 0 ? query.status : undefined;
      const { total, groups, ...page } = await pageOfDestinations(services.db, {
        namespaceIds: namespaces.map(({ id }) => id),
        filter: { types, statuses, name: query.name, search, searchTypes: typesOf(search) },
        order,
        types: byTitle.map(({ type }) => type),
        offset,
        limit,
      });
      const destinations = await keepUnserved(presentDestinationSummaries(page), services.commands);
      return ok({ total, groups, destinations });
    },
  }),
];

// The types whose vendor or product has this text in its name.
function typesOf(search: string): string[] {
  const text = search.toLowerCase();
  return catalog.filter(({ title }) => title.toLowerCase().includes(text)).map(({ type }) => type);
}
