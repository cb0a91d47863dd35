import { Type } from 'typebox';
import { notFound } from '../../../../libs/errors/request-error.ts';
import { lookUpVersion, openVersion } from '../../../../libs/store/secrets/read.ts';
import { isJsonObject, parseLossless } from '../../../../libs/validation/lossless.ts';
import { endpoint, ok, type Endpoint } from '../../routing/endpoint.ts';
import { presentVersionMetadata } from '../../presenters/secret.ts';
import { secretOf, versionOf, versionQuery } from './request.ts';

/** The shape of a secret without its values. */
export const kvSubkeyEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/~kv2/subkeys/*path',
    access: 'policy',
    summary: 'Read the keys of a secret; every value is null',
    query: Type.Object({
      version: versionQuery,
      depth: Type.Optional(
        Type.Integer({ minimum: 0, description: 'Number of levels of keys. Absent or 0: all levels.' }),
      ),
    }),
    handle: async ({ services, query, mount }) => {
      const stored = await lookUpVersion(services.db, secretOf({ mount }), versionOf(query));
      if (!stored) throw notFound();
      const json = openVersion(services.keyring, stored);
      const metadata = presentVersionMetadata(stored);
      if (json === null) return { status: 404, data: { subkeys: null, metadata } };
      return ok({ subkeys: blank(parseLossless(json), query.depth || Number.POSITIVE_INFINITY), metadata });
    },
  }),
];

function blank(value: unknown, depth: number): unknown {
  if (!isJsonObject(value) || depth === 0) return null;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, blank(inner, depth - 1)]));
}
