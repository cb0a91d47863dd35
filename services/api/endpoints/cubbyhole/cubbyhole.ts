import { Type } from 'typebox';
import { badRequest, notFound, permissionDenied } from '../../../../libs/errors/request-error.ts';
import {
  deleteFromCubbyhole,
  isInCubbyhole,
  listCubbyhole,
  readCubbyhole,
  writeCubbyhole,
  type CubbyholeKey,
} from '../../../../libs/store/access/cubbyhole.ts';
import { isJsonObject, parseStoredObject } from '../../../../libs/validation/lossless.ts';
import { LIMITS, requireWithin } from '../../limits.ts';
import { endpoint, noContent, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { parseText, serialise } from '../kv/request.ts';
import { anyObject, keysAnswer } from '../../contract/schema.ts';

const PREFIX = 'cubbyhole/';
const PATH = '/cubbyhole/*path';

/** A small store of each token, which no other token sees. It is never synced, and ends with the token. */
export const cubbyholeEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: PATH,
    access: 'policy',
    readsSecrets: true,
    summary: "Read a value of the caller's own store",
    answers: { 200: { data: anyObject } },
    handle: async (request) => {
      const { db, keyring } = request.services;
      const json = await readCubbyhole(db, keyring, keyOf(request));
      if (json === undefined) throw notFound();
      return { ...ok(parseStoredObject(json)), keepsDigits: true };
    },
  }),
  endpoint({
    method: 'POST',
    path: PATH,
    alsoMethods: ['PUT'],
    access: 'policy',
    summary: "Write a value to the caller's own store; it ends with the token",
    answers: { 204: {} },
    describedBody: Type.Object(
      {},
      { additionalProperties: true, description: 'The value, an object. Numbers keep all their digits.' },
    ),
    exists: async (request) => isInCubbyhole(request.services.db, keyOf(request)),
    handle: async (request) => {
      const { db, keyring } = request.services;
      const data = parseText(request.rawBody);
      if (!isJsonObject(data)) throw badRequest('the body must be an object');
      if (Object.keys(data).length === 0) throw badRequest('missing data fields');
      const isStored = await writeCubbyhole(db, keyring, {
        key: keyOf(request),
        json: serialise(data),
        check: ({ entries, bytes }) => {
          requireWithin(LIMITS.cubbyholeEntries, entries);
          requireWithin(LIMITS.cubbyholeBytes, bytes);
        },
      });
      // The token was revoked meanwhile.
      if (!isStored) throw permissionDenied();
      return noContent();
    },
  }),
  endpoint({
    method: 'DELETE',
    path: PATH,
    access: 'policy',
    summary: "Delete a value of the caller's own store; succeeds if there is none",
    answers: { 204: {} },
    handle: async (request) => {
      await deleteFromCubbyhole(request.services.db, keyOf(request));
      return noContent();
    },
  }),
  endpoint({
    method: 'LIST',
    path: '/cubbyhole{/*path}',
    access: 'policy',
    summary: "List the names in a folder of the caller's own store",
    answers: { 200: { data: keysAnswer } },
    handle: async (request) => {
      const keys = await listCubbyhole(request.services.db, keyOf(request));
      if (keys.length === 0) throw notFound();
      return ok({ keys });
    },
  }),
];

function keyOf({ caller, path }: Pick<ApiRequest, 'caller' | 'path'>): CubbyholeKey {
  const own = path.slice(PREFIX.length);
  requireWithin(LIMITS.secretPathBytes, Buffer.byteLength(own));
  return { tokenId: caller.token.id, path: own };
}
