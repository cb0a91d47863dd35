import { Type } from 'typebox';
import { listLinks, type LinkOfSecret, type LinkPlace } from '../../../../libs/store/associations/links.ts';
import { catalog } from '../../../connectors/catalog.ts';
import { linksAnswer, type LinkAnswer } from '../../contract/associations.ts';
import { endpoint, ok, type Endpoint } from '../../routing/endpoint.ts';
import { namespacesOf, namespacesQuery } from '../namespaces-below.ts';
import { openPlace, sealPlace } from '../sealed-place.ts';
import { filterOf, rowFilter, waitingFilter } from './filter.ts';

const PATH = '/sys/sync/links';
const MOST = 1000;

const titles = new Map(catalog.map(({ type, title }) => [type, title]));

/** Which secrets leave to which store. */
export const linkEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: PATH,
    access: 'policy',
    summary: 'List which secret is linked to which store, whether it is in sync, and its entries there',
    answers: { 200: { data: linksAnswer } },
    query: Type.Object({
      namespaces: namespacesQuery,
      q: Type.Optional(
        Type.String({
          maxLength: 500,
          description:
            'A part of the name of the secret or of the destination. A page covers at most 20,000 links, so that it may be short or empty although more follow; so may one of the status `SYNCED`, which covers ten times its limit.',
        }),
      ),
      type: Type.Optional(
        Type.Enum(['', ...titles.keys()], { description: 'Only links to stores of this type.' }),
      ),
      status: rowFilter.status,
      waiting: waitingFilter,
      sort: Type.Optional(
        Type.Enum(['destination', 'secret'], {
          description: 'What the list is ordered by. Default: `destination`.',
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
      const { limit = MOST, sort: order = 'destination', q: text, type } = query;
      const namespaces = await namespacesOf(request, query.namespaces, (below) =>
        may(PATH.slice(1), 'read', below),
      );
      const ids = namespaces.map(({ id }) => id);
      const filter = { ...filterOf(query), text: text || undefined, type: type || undefined };
      const list = `links by ${order}`;
      const after = query.after ? (openPlace(request, list, query.after) as LinkPlace) : undefined;
      const { links, last } = await listLinks(services.db, ids, { filter, order, after, limit });
      return ok({
        links: links.map(presentLink),
        next_after: last ? sealPlace(request, list, placeOf(last)) : null,
      });
    },
  }),
];

function presentLink(link: LinkOfSecret): LinkAnswer {
  return {
    namespace: link.namespace,
    mount: link.mount,
    secret_name: link.secret_path,
    type: link.type,
    store: titles.get(link.type) ?? link.type,
    destination: link.destination,
    external_names: link.names,
    sync_status: link.status,
    cause: link.cause,
    ...(link.last_failure ? { last_failure: link.last_failure } : {}),
    since: link.cause || link.status === 'THROTTLED' ? link.since : null,
    updated_at: link.updated_at,
    ...(link.waiting ? { waiting: link.waiting } : {}),
  };
}

function placeOf({ group, group_id, secret_path, other_id }: LinkPlace): LinkPlace {
  return { group, group_id, secret_path, other_id };
}
