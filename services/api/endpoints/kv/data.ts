import { Type } from 'typebox';
import { notFound } from '../../../../libs/errors/request-error.ts';
import { changeSecret, findSecret, type SecretKey } from '../../../../libs/store/secrets/secrets.ts';
import { deleteVersions, versionsChange } from '../../../../libs/store/secrets/lifecycle.ts';
import { lookUpVersion, openVersion } from '../../../../libs/store/secrets/read.ts';
import {
  addVersion,
  findVersionToChange,
  type WrittenVersion,
} from '../../../../libs/store/secrets/write.ts';
import { parseLossless, parseStoredObject } from '../../../../libs/validation/lossless.ts';
import { tellChange } from '../../events/tell-change.ts';
import { endpoint, noContent, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { presentVersionMetadata } from '../../presenters/secret.ts';
import { patchOf } from './patch.ts';
import { casOf, dataOf, secretOf, serialise, versionOf, versionQuery } from './request.ts';
import { deletedDataAnswer, secretDataAnswer, versionMetadataAnswer } from '../../contract/secrets.ts';

const PATH = '/~kv2/data/*path';

const writeBody = Type.Object({
  data: Type.Optional(Type.Unknown({ description: 'The secret, an object. Numbers keep all their digits.' })),
  options: Type.Optional(
    Type.Unknown({
      description: '`cas`: the version that must be current. 0: the secret must have no version yet.',
    }),
  ),
});

const patchBody = Type.Object({
  data: Type.Optional(
    Type.Unknown({
      description:
        'A merge patch, an object: null removes a key, objects are merged. Numbers keep all their digits.',
    }),
  ),
  options: Type.Optional(
    Type.Unknown({
      description:
        '`cas`: the version that must be current. `replace`: true sets each key of `data` to exactly its value, null ' +
        'and objects too, instead of merging. `remove`: a list of keys to remove.',
    }),
  ),
});

/** The values of a version 2 mount. */
export const kvDataEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: PATH,
    access: 'policy',
    readsSecrets: true,
    summary: 'Read a version of a secret',
    answers: { 200: { data: secretDataAnswer }, 404: { data: deletedDataAnswer } },
    query: Type.Object({ version: versionQuery }),
    handle: async (request) => readData(request, secretOf(request), versionOf(request.query)),
  }),
  endpoint({
    method: 'POST',
    path: PATH,
    alsoMethods: ['PUT'],
    access: 'policy',
    summary: 'Write a new version of a secret',
    answers: { 200: { data: versionMetadataAnswer } },
    body: writeBody,
    exists: async (request) => (await findSecret(request.services.db, secretOf(request))) !== undefined,
    handle: async (request) => {
      const { services, caller, body, rawBody } = request;
      const secret = secretOf(request);
      const version = {
        json: serialise(dataOf(rawBody)),
        cas: casOf(body),
        createdBy: caller.token.display_name,
      };
      const result = await changeSecret(services.db, secret, caller.token.display_name, (transaction) =>
        addVersion(transaction, services.keyring, secret, version),
      );
      request.note({ version: result.version });
      tellChange(request, { operation: 'data-write', path: secret.path, versions: numbersOf(result) });
      return ok(presentVersionMetadata(result));
    },
  }),
  endpoint({
    method: 'PATCH',
    path: PATH,
    access: 'policy',
    summary: 'Merge fields into the current version of a secret; this writes a new version',
    answers: { 200: { data: versionMetadataAnswer }, 404: { data: versionMetadataAnswer } },
    body: patchBody,
    handle: patchData,
  }),
  endpoint({
    method: 'DELETE',
    path: PATH,
    access: 'policy',
    summary: 'Delete the current version of a secret; it can be undeleted',
    answers: { 204: {} },
    handle: async (request) => {
      const { services, caller } = request;
      const secret = secretOf(request);
      const result = await changeSecret(
        services.db,
        secret,
        caller.token.display_name,
        (transaction) => deleteVersions(transaction, secret, { actor: caller.token.display_name }),
        (deleted) => versionsChange('delete', deleted),
      );
      // None: it was deleted already, or there is none.
      request.note({ versions: result?.changed ?? [] });
      if (result && result.changed.length > 0)
        tellChange(request, { operation: 'data-delete', path: secret.path, versions: result.secret });
      return noContent();
    },
  }),
];

async function readData({ services, note }: ApiRequest, secret: SecretKey, version: number | undefined) {
  const stored = await lookUpVersion(services.db, secret, version);
  if (!stored) throw notFound();
  note({ version: stored.version });
  const json = openVersion(services.keyring, stored);
  const metadata = presentVersionMetadata(stored);
  // Clients accept a 404 with data as an answer: they show when the version was deleted.
  if (json === null) return { status: 404, data: { data: null, metadata } };
  return ok({ data: parseStoredObject(json), metadata });
}

async function patchData(request: ApiRequest) {
  const { services, caller, body, rawBody, note } = request;
  const secret = secretOf(request);
  const patch = dataOf(rawBody);
  const cas = casOf(body as { options?: unknown });
  const apply = patchOf(patch, body as { options?: unknown });
  const { reply, added } = await changeSecret(
    services.db,
    secret,
    caller.token.display_name,
    async (transaction) => {
      const stored = await findVersionToChange(transaction, secret);
      if (!stored) throw notFound();
      const json = openVersion(services.keyring, stored);
      if (json === null) return { reply: { status: 404, data: presentVersionMetadata(stored) } };
      const merged = serialise(apply(parseLossless(json)));
      const version = { json: merged, cas, createdBy: caller.token.display_name };
      const written = await addVersion(transaction, services.keyring, secret, version);
      note({ version: written.version });
      return { reply: ok(presentVersionMetadata(written)), added: written };
    },
  );
  if (added) tellChange(request, { operation: 'data-patch', path: secret.path, versions: numbersOf(added) });
  return reply;
}

// What events tell of the secret once a version is written.
function numbersOf({ version, oldest_version }: WrittenVersion) {
  return { current_version: version, oldest_version };
}
