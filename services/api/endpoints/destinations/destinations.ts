import { notFound } from '../../../../libs/errors/request-error.ts';
import { lookUpDestination, listDestinations } from '../../../../libs/store/destinations/destinations.ts';
import { findDestinationType } from '../../../connectors/catalog.ts';
import { endpoint, ok, type Endpoint } from '../../routing/endpoint.ts';
import { answerDestination, findNamed, requireDestination } from './common.ts';

const PATH = '/sys/sync/destinations';

/** What destinations there are, and whether they work. */
export const destinationEndpoints: Endpoint[] = [
  endpoint({
    method: 'LIST',
    path: PATH,
    access: 'policy',
    summary: 'List the names of all destinations by type',
    handle: async ({ services, namespace }) => {
      const rows = await listDestinations(services.db, namespace.id);
      if (rows.length === 0) throw notFound();
      const keyInfo = new Map<string, string[]>();
      for (const { type, name } of rows) keyInfo.set(`${type}/`, [...(keyInfo.get(`${type}/`) ?? []), name]);
      return ok({
        keys: [...keyInfo.keys()],
        key_info: Object.fromEntries(keyInfo),
        total_destinations: rows.length,
      });
    },
  }),
  endpoint({
    method: 'LIST',
    path: `${PATH}/:type`,
    access: 'policy',
    summary: 'List the names of the destinations of one type',
    handle: async ({ services, namespace, params }) => {
      const type = findDestinationType(params['type'] ?? '');
      const rows = type ? await listDestinations(services.db, namespace.id, type.type) : [];
      if (rows.length === 0) throw notFound();
      return ok({ keys: rows.map(({ name }) => name), total_destinations: rows.length });
    },
  }),
  endpoint({
    method: 'GET',
    path: `${PATH}/:type/:name`,
    access: 'policy',
    summary: 'Read a destination; sensitive settings read *****',
    handle: async (request) => {
      const named = findNamed(request);
      const row = named && (await lookUpDestination(request.services.db, named.key));
      if (!named || !row) throw notFound();
      return answerDestination(row, named);
    },
  }),
  endpoint({
    method: 'POST',
    alsoMethods: ['PUT'],
    path: `${PATH}/:type/:name/check`,
    access: 'policy',
    summary: 'Try the credentials of a destination against the external store',
    handle: async (request) => {
      const { type, row } = await requireDestination(request);
      const command = { name: 'check', body: { destination: row.id } };
      return ok(await request.services.commands.call(`connector.${type.type}`, command));
    },
  }),
];
