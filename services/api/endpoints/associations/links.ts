import { Type } from 'typebox';
import { badRequest } from '../../../../libs/errors/request-error.ts';
import { listLinks, type LinkCursor } from '../../../../libs/store/associations/links.ts';
import { catalog } from '../../../connectors/catalog.ts';
import { linksAnswer } from '../../contract/associations.ts';
import { endpoint, ok, type Endpoint } from '../../routing/endpoint.ts';
import { namespacesOf, namespacesQuery } from '../namespaces-below.ts';

const PATH = '/sys/sync/links';
const MOST = 1000;

const titles = new Map(catalog.map(({ type, title }) => [type, title]));

/** Which secrets leave to which store. */
export const linkEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: PATH,
    access: 'policy',
    summary: 'List which secret is linked to which store, and its entries there, destination by destination',
    answers: { 200: { data: linksAnswer } },
    query: Type.Object({
      namespaces: namespacesQuery,
      q: Type.Optional(
        Type.String({
          maxLength: 500,
          description: 'A part of the name of the secret or of the destination.',
        }),
      ),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: MOST, description: `Maximum number of links. Default ${MOST}.` }),
      ),
      after: Type.Optional(
        Type.String({ description: '`next_after` of the previous page. Empty: begin with the first link.' }),
      ),
    }),
    handle: async (request) => {
      const { query, services, may } = request;
      const { limit = MOST, q: text = '' } = query;
      const namespaces = await namespacesOf(request, query.namespaces, (below) =>
        may(PATH.slice(1), 'read', below),
      );
      const ids = namespaces.map(({ id }) => id);
      const links = await listLinks(services.db, ids, { text, after: cursorOf(query.after), limit });
      const last = links.length === limit ? links.at(-1) : undefined;
      return ok({
        links: links.map((link) => ({
          namespace: link.namespace,
          mount: link.mount,
          secret_name: link.secret_path,
          type: link.type,
          store: titles.get(link.type) ?? link.type,
          destination: link.destination,
          external_names: link.names,
        })),
        next_after: last ? `${last.destination_id}.${last.association_id}` : null,
      });
    },
  }),
];

function cursorOf(text: string | undefined): LinkCursor {
  if (!text) return { destination: 0, association: 0 };
  const [destination, association] = /^\d{1,15}\.\d{1,15}$/.test(text) ? text.split('.').map(Number) : [];
  if (destination === undefined || association === undefined)
    throw badRequest('after must be next_after of an earlier answer');
  return { destination, association };
}
