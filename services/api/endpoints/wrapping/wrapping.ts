import { Type } from 'typebox';
import { transact } from '../../../../libs/db/transact.ts';
import { badRequest } from '../../../../libs/errors/request-error.ts';
import {
  findWrapped,
  storeWrapped,
  takeWrapped,
  type WrappedResponse,
} from '../../../../libs/store/access/wrapped-responses.ts';
import { parseLossless } from '../../../../libs/validation/lossless.ts';
import { presentedToken } from '../../http/presented.ts';
import { endpoint, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { LIMITS } from '../../limits.ts';
import { readObject } from '../../routing/read-object.ts';
import { wrapReply } from '../../routing/wrapping.ts';
import { anyObject, closed, nullable, time } from '../../contract/schema.ts';

const body = Type.Object({
  token: Type.Optional(
    Type.String({
      sensitive: true,
      description: 'The wrapping token. Default: the token that authenticates the request.',
    }),
  ),
});

const lookUpAnswer = closed({
  creation_path: Type.String(),
  creation_time: time,
  creation_ttl: Type.Integer({ description: 'Seconds.' }),
});

type Request = ApiRequest<{ token?: string }>;

/** Wrapped answers. A caller who holds the token of an answer may fetch it, without any other right. */
export const wrappingEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/sys/wrapping/wrap',
    alsoMethods: ['PUT'],
    access: 'policy',
    summary: 'Wrap a JSON object that the caller sends',
    answers: { 200: { wraps: true } },
    describedBody: Type.Object({}, { additionalProperties: true }),
    handle: async ({ rawBody, wrapSeconds }) => {
      if (wrapSeconds === undefined)
        throw badRequest('endpoint requires response wrapping to be used: send X-Vault-Wrap-TTL');
      const isEmpty = Object.keys(readObject(rawBody, LIMITS.bodyValues)).length === 0;
      return ok(isEmpty ? {} : parseLossless(rawBody));
    },
  }),
  endpoint({
    method: 'POST',
    path: '/sys/wrapping/unwrap',
    alsoMethods: ['PUT'],
    access: 'public',
    summary: 'Fetch a wrapped answer; this works once',
    answers: { 200: { data: nullable(anyObject), grants: 'maybe' } },
    body,
    handle: async (request) => {
      await identifyHolder(request);
      const { content } = await take(request);
      const id = JSON.stringify(request.requestId);
      return {
        status: 200,
        plain: { type: 'application/json', body: `{"request_id":${id},${content.toString().slice(1)}` },
      };
    },
  }),
  endpoint({
    method: 'POST',
    path: '/sys/wrapping/lookup',
    alsoMethods: ['PUT', 'GET'],
    access: 'public',
    summary: 'Read the properties of a wrapping token; it stays valid',
    answers: { 200: { data: lookUpAnswer } },
    body,
    handle: async (request) => {
      const found = await identifyHolder(request);
      return ok({
        creation_path: found.creationPath,
        creation_time: found.createdAt.toISOString(),
        creation_ttl: found.ttlSeconds,
      });
    },
  }),
  endpoint({
    method: 'POST',
    path: '/sys/wrapping/rewrap',
    alsoMethods: ['PUT'],
    access: 'public',
    summary: 'Exchange a wrapping token for a new one with the same lifetime',
    answers: { 200: { wraps: true } },
    body,
    handle: async (request) => {
      const { db } = request.services;
      await identifyHolder(request);
      return transact(db, async (transaction) => {
        const taken = await take(request, transaction);
        request.note({ former_accessor: taken.accessor });
        return wrapReply(request, await storeWrapped(transaction, keysOf(request), taken));
      });
    },
  }),
];

// The audit trail names the holder of the wrapping token, unless the caller has another token.
async function identifyHolder(request: Request): Promise<WrappedResponse> {
  const { db, installation } = request.services;
  const found = await findWrapped(db, installation.hashKey, tokenOf(request));
  if (!found) throw notValid();
  request.note({ wrapping_accessor: found.accessor });
  request.noteSecret(found.secret);
  await request.identified({
    accessor: found.accessor,
    actor: 'response-wrapping',
    authMethod: 'wrapping',
    policies: [],
  });
  return found;
}

async function take(request: Request, db = request.services.db) {
  const taken = await takeWrapped(db, keysOf(request), tokenOf(request));
  if (!taken) throw notValid();
  return taken;
}

function keysOf({ services }: Request) {
  return { keyring: services.keyring, hashKey: services.installation.hashKey };
}

function tokenOf({ body: { token }, header }: Request): string {
  const given = token || presentedToken(header);
  if (!given) throw badRequest('the wrapping token is missing');
  return given;
}

// Clients look for this text.
function notValid(): Error {
  return badRequest('wrapping token is not valid or does not exist');
}
