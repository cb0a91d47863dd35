import { Type } from 'typebox';
import { notFound } from '../../../../libs/errors/request-error.ts';
import { findRecordsOfSecret, listAssociatedSecrets } from '../../../../libs/store/associations/records.ts';
import { findMount, lookUpMount } from '../../../../libs/store/secrets/mounts.ts';
import { endpoint, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { presentDestinationsOfSecret } from '../../presenters/association.ts';
import { namedSecret, secretQuery } from './common.ts';
import { destinationsOfSecretAnswer, linkedSecretsAnswer } from '../../contract/associations.ts';

const PATH = '/sys/sync/associations';

/** Which secrets are associated, and with what. */
export const associationLookupEndpoints: Endpoint[] = [
  endpoint({
    method: 'LIST',
    path: PATH,
    access: 'policy',
    summary: 'List all secrets that are associated with a destination',
    answers: { 200: { data: linkedSecretsAnswer } },
    handle: async ({ services, namespace }) => {
      const secrets = await listAssociatedSecrets(services.db, namespace.id);
      if (secrets.length === 0) throw notFound();
      const found = secrets.map(({ mount, secret_path }) => ({ mount: `${mount}/`, secret_path }));
      const keyOf = ({ mount, secret_path }: (typeof found)[number]): string => `${mount}${secret_path}`;
      return ok({
        keys: found.map(keyOf),
        key_info: Object.fromEntries(found.map((secret) => [keyOf(secret), [secret]])),
        total_associations: secrets.reduce((total, { associations }) => total + associations, 0),
        total_secrets: secrets.length,
      });
    },
  }),
  endpoint({
    method: 'GET',
    path: `${PATH}/destinations`,
    access: 'policy',
    summary: 'Read the destinations of a secret; mount and name may contain slashes',
    answers: { 200: { data: destinationsOfSecretAnswer } },
    query: Type.Object(secretQuery),
    handle: async (request) => {
      const secret = namedSecret(request.query);
      const mount = await findMount(request.services.db, request.namespace.id, secret.mount);
      if (!mount) throw notFound();
      return destinationsOf(request, { mountId: mount.id, path: secret.path });
    },
  }),
  endpoint({
    method: 'GET',
    path: `${PATH}/*secret`,
    access: 'policy',
    summary: 'Read the destinations of a secret by mount and name; the longest matching mount is used',
    answers: { 200: { data: destinationsOfSecretAnswer } },
    handle: async (request) => {
      const path = request.path.slice(PATH.length);
      const mount = await lookUpMount(request.services.db, request.namespace.id, path);
      if (!mount || path === mount.path) throw notFound();
      return destinationsOf(request, { mountId: mount.id, path: path.slice(mount.path.length + 1) });
    },
  }),
];

async function destinationsOf({ services }: ApiRequest, secret: { mountId: number; path: string }) {
  const records = await findRecordsOfSecret(services.db, secret);
  if (records.length === 0) throw notFound();
  return ok({ associated_destinations: presentDestinationsOfSecret(records) });
}
