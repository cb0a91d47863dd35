import { Type } from 'typebox';
import { badRequest, notFound } from '../../../../libs/errors/request-error.ts';
import type { Database } from '../../../../libs/db/connect.ts';
import {
  linkedSecretPages,
  type LinkedSecret,
  type SecretBefore,
} from '../../../../libs/store/associations/linked-secrets.ts';
import { findRecordsOfSecret } from '../../../../libs/store/associations/records.ts';
import { findMount, lookUpMount } from '../../../../libs/store/secrets/mounts.ts';
import { endpoint, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { begin, countedLater, streamedList, streamedObject, type Pages } from '../../routing/streamed.ts';
import { presentDestinationsOfSecret } from '../../presenters/association.ts';
import { namedSecret, secretQuery } from './common.ts';
import {
  destinationsOfSecretAnswer,
  linkedSecretsAnswer,
  type LinkedSecretsAnswer,
} from '../../contract/associations.ts';

const PATH = '/sys/sync/associations';

/** Which secrets are associated, and with what. */
export const associationLookupEndpoints: Endpoint[] = [
  endpoint({
    method: 'LIST',
    path: PATH,
    access: 'policy',
    summary: 'List all secrets that are associated with a destination',
    answers: { 200: { data: linkedSecretsAnswer } },
    query: Type.Object({
      after: Type.Optional(Type.String({ description: 'The last key of the previous page.' })),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 10_000,
          description: 'Maximum number of secrets. Default: all.',
        }),
      ),
    }),
    handle: async ({ services, namespace, query: { after, limit } }) => {
      const start = after ? await secretBefore(services.db, namespace.id, after) : undefined;
      const pages = await begin(() => linkedSecretPages(services.db, namespace.id, { after: start, limit }));
      if (!pages) throw notFound();
      return ok(presentLinkedSecrets(pages));
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

// Throws 400 for a key that no mount has.
async function secretBefore(db: Database, namespaceId: string, key: string): Promise<SecretBefore> {
  const mount = await lookUpMount(db, namespaceId, key);
  if (!mount || key === mount.path) throw badRequest('after must be the last key of an earlier page');
  return { mount: mount.path, secret_path: key.slice(mount.path.length + 1) };
}

// Both parts are read one after the other. A change in between shows in one of them, as between two requests.
function presentLinkedSecrets(pages: Pages<LinkedSecret>): LinkedSecretsAnswer {
  let [associations, secrets] = [0, 0];
  async function* members(): AsyncGenerator<[string, { mount: string; secret_path: string }[]][]> {
    for await (const page of pages()) {
      secrets += page.length;
      for (const secret of page) associations += secret.associations;
      yield page.map((secret) => [
        keyOf(secret),
        [{ mount: `${secret.mount}/`, secret_path: secret.secret_path }],
      ]);
    }
  }
  async function* keys(): AsyncGenerator<string[]> {
    for await (const page of pages()) yield page.map(keyOf);
  }
  return {
    keys: streamedList(keys),
    key_info: streamedObject(members),
    total_associations: countedLater(() => associations),
    total_secrets: countedLater(() => secrets),
  };
}

function keyOf({ mount, secret_path }: LinkedSecret): string {
  return `${mount}/${secret_path}`;
}

async function destinationsOf({ services }: ApiRequest, secret: { mountId: number; path: string }) {
  const records = await findRecordsOfSecret(services.db, secret);
  if (records.length === 0) throw notFound();
  return ok({ associated_destinations: presentDestinationsOfSecret(records) });
}
