import { Type } from 'typebox';
import { transact } from '../../../../libs/db/transact.ts';
import { badRequest, notFound } from '../../../../libs/errors/request-error.ts';
import { findSecret } from '../../../../libs/store/secrets/secrets.ts';
import { deleteSecret } from '../../../../libs/store/secrets/lifecycle.ts';
import { lookUpVersion, openVersion } from '../../../../libs/store/secrets/read.ts';
import { replaceValue } from '../../../../libs/store/secrets/write.ts';
import { isJsonObject, parseStoredObject } from '../../../../libs/validation/lossless.ts';
import { endpoint, noContent, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { listRow } from './list.ts';
import { parseText, secretAt, serialise } from './request.ts';
import { anyObject } from '../../contract/schema.ts';

const PATH = '/~kv1/*path';

/** Mounts without versions: the path names the secret, and the body is its data. */
export const kv1Endpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: PATH,
    access: 'policy',
    readsSecrets: true,
    summary: 'Read a secret',
    answers: { 200: { data: anyObject } },
    handle: async (request) => {
      const { db, keyring } = request.services;
      const stored = await lookUpVersion(db, secretOf(request));
      const json = stored && openVersion(keyring, stored);
      if (!json) throw notFound();
      return ok(parseStoredObject(json));
    },
  }),
  endpoint({
    method: 'POST',
    path: PATH,
    alsoMethods: ['PUT'],
    access: 'policy',
    summary: 'Write a secret; this replaces its former value',
    answers: { 204: {} },
    describedBody: Type.Object(
      {},
      { additionalProperties: true, description: 'The secret, an object. Numbers keep all their digits.' },
    ),
    exists: async (request) => (await findSecret(request.services.db, secretOf(request))) !== undefined,
    handle: async (request) => {
      const { db, keyring } = request.services;
      const data = parseText(request.rawBody);
      if (!isJsonObject(data)) throw badRequest('the body must be an object');
      if (Object.keys(data).length === 0) throw badRequest('missing data fields');
      const value = { json: serialise(data), createdBy: request.caller.token.display_name };
      const secret = secretOf(request);
      const isNew = await transact(db, (transaction) => replaceValue(transaction, keyring, secret, value));
      request.note({ change: isNew ? 'created' : 'replaced' });
      return noContent();
    },
  }),
  endpoint({
    method: 'DELETE',
    path: PATH,
    access: 'policy',
    summary: 'Delete a secret for good',
    answers: { 204: {} },
    handle: async (request) => {
      const count = await deleteSecret(request.services.db, secretOf(request));
      request.note({ change: count > 0 ? 'deleted' : 'none' });
      return noContent();
    },
  }),
  listRow('/~kv1{/*path}', (rest) => rest),
];

function secretOf(request: Pick<ApiRequest, 'mount'>) {
  return secretAt(request, request.mount?.rest ?? '');
}
