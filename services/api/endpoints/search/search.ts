import { Type } from 'typebox';
import { badRequest } from '../../../../libs/errors/request-error.ts';
import { listDestinationsOf } from '../../../../libs/store/destinations/destinations.ts';
import { filterInSlices } from '../../../../libs/time/slices.ts';
import { searchSecrets, type SearchPosition } from '../../../../libs/store/secrets/search.ts';
import { foundSecretsAnswer, searchAnswer, type SearchAnswer } from '../../contract/secrets.ts';
import { describeReadable } from '../describe-readable.ts';
import { namespacesOf, namespacesQuery } from '../namespaces-below.ts';
import { openPlace, sealPlace } from '../sealed-place.ts';
import { endpoint, ok, type Endpoint } from '../../routing/endpoint.ts';
import { folderAt } from './folder-at.ts';
import { isSeen } from './is-seen.ts';

const DEFAULT_LIMIT = 20;
const MOST = 100;
// The rights on each secret are checked separately, so the number of secrets is limited.
const MOST_LOOKED_AT = 1000;
const NOTHING: SearchAnswer = { destinations: [], secrets: [], is_complete: true, next_after: null };

/** Finding destinations and secrets by a part of their name, as far as the caller may see them. */
export const searchEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/sys/search',
    access: 'token',
    summary:
      'Find destinations and secrets of the namespace by a part of their name; shows only what the caller may see',
    answers: { 200: { data: searchAnswer } },
    query: Type.Object({
      q: Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'A part of the name. Upper and lower case are the same.',
      }),
      below: Type.Optional(
        Type.String({
          maxLength: 2000,
          description:
            'A mount, or a folder of it such as `secret/app`: finds only secrets there, by their names within it.',
        }),
      ),
      details: Type.Optional(
        Type.Boolean({
          description:
            'With `below`: also tell the version, the last change and the links of each secret whose metadata the caller may read.',
        }),
      ),
      namespaces: namespacesQuery,
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MOST,
          description: `Maximum number of results of each kind. Default ${DEFAULT_LIMIT}.`,
        }),
      ),
      after: Type.Optional(
        Type.String({
          description:
            '`next_after` of the previous answer, to continue the search of secrets. One answer covers only a part of many secrets.',
        }),
      ),
    }),
    handle: async (request) => {
      const { services, query } = request;
      const limit = query.limit ?? DEFAULT_LIMIT;
      const text = query.q.toLowerCase();
      const after = query.after ? (openPlace(request, 'search', query.after) as SearchPosition) : undefined;
      if (query.details && query.below === undefined)
        throw badRequest('details needs below: name a mount, or a folder of it');
      const within = query.below === undefined ? undefined : await folderAt(request, query.below);
      if (query.below !== undefined && !within) return ok(NOTHING);
      const namespaces = await namespacesOf(request, query.namespaces, () => true);
      const byId = new Map(namespaces.map((one) => [one.id, one]));
      const ids = [...byId.keys()];
      const placeOf = (id: string) =>
        query.namespaces === 'below' ? { namespace: byId.get(id)?.path ?? '' } : {};
      const named = after || within ? [] : await listDestinationsOf(services.db, ids);
      const destinations = await filterInSlices(
        named,
        ({ type, name, namespaceId }) =>
          `${type}/${name}`.toLowerCase().includes(text) &&
          request.may(`sys/sync/destinations/${type}/${name}`, 'read', byId.get(namespaceId)),
      );
      const found = await searchSecrets(services.db, ids, {
        text,
        after,
        within,
        limit: MOST_LOOKED_AT,
      });
      const secrets = await filterInSlices(found.secrets, (secret) =>
        isSeen(request, secret, byId.get(secret.namespaceId)),
      );
      const last = secrets.length > limit ? secrets[limit - 1] : found.last;
      const shown = secrets.slice(0, limit);
      const paths = query.details ? shown.map(({ path }) => path) : [];
      const described = within && (await describeReadable(request, within.mount, paths));
      return ok({
        destinations: destinations
          .slice(0, limit)
          .map(({ type, name, namespaceId }) => ({ type, name, ...placeOf(namespaceId) })),
        secrets: shown.map(({ mount, path, namespaceId }) => {
          const info = described?.get(path);
          return { mount, secret_name: path, ...placeOf(namespaceId), ...(info && { info }) };
        }),
        is_complete: !last && destinations.length <= limit,
        next_after: last ? sealPlace(request, 'search', last) : null,
      } satisfies SearchAnswer);
    },
  }),
  endpoint({
    method: 'GET',
    path: '/sys/search/secrets',
    access: 'token',
    summary:
      'Find the secrets of a mount by a pattern or a part of their path; shows only what the caller may see',
    answers: { 200: { data: foundSecretsAnswer } },
    query: Type.Object({
      mount: Type.String({ minLength: 1, description: 'Path of the mount.' }),
      pattern: Type.Optional(
        Type.String({
          // The cost of a look at a name grows with it.
          maxLength: 256,
          description:
            '`*` stands for any text, also across folders: `team/*` or `*/db`. Default: every secret.',
        }),
      ),
      q: Type.Optional(Type.String({ maxLength: 256, description: 'A part of their path, in any case.' })),
      after: Type.Optional(Type.String({ description: '`next_after` of the previous answer.' })),
    }),
    handle: async (request) => {
      const { services, namespace, query } = request;
      const after = query.after ? (openPlace(request, 'search', query.after) as SearchPosition) : undefined;
      const pattern = query.pattern || '*';
      const [literal = ''] = pattern.split('*', 1);
      const folder = literal.slice(0, literal.lastIndexOf('/') + 1);
      const within = await folderAt(request, `${query.mount}/${folder}`);
      if (!within) return ok({ secrets: [], next_after: null });
      const found = await searchSecrets(services.db, [namespace.id], {
        within,
        like: likeOf(pattern),
        text: query.q ?? '',
        after,
        limit: MOST_LOOKED_AT,
      });
      const secrets = await filterInSlices(found.secrets, (secret) => isSeen(request, secret));
      return ok({
        secrets: secrets.map(({ mount, path }) => ({ mount, secret_name: path })),
        next_after: found.last ? sealPlace(request, 'search', found.last) : null,
      });
    },
  }),
];

function likeOf(pattern: string): string {
  return pattern.replaceAll(/[\\%_]/g, String.raw`\$&`).replaceAll('*', '%');
}
