import { Type } from 'typebox';
import { unsupportedOperation } from '../../../../libs/errors/request-error.ts';
import { INVALID_KV_PATH } from '../../http/allowed-methods.ts';
import { endpoint, type Endpoint, type Method } from '../../routing/endpoint.ts';

const COMMANDS: Record<Method, string> = {
  GET: 'get',
  LIST: 'list',
  POST: 'put',
  PUT: 'put',
  PATCH: 'patch',
  DELETE: 'delete',
};

const FOLDERS = new Set(['config', 'data', 'metadata', 'delete', 'undelete', 'destroy', 'subkeys']);

/**
 * Paths of a version 2 mount that have no meaning there, mostly from clients that take the mount for version 1. The
 * answer is a 404 with a warning that says what to do. Must come after the other rows of such mounts.
 */
export const kvInvalidEndpoints: Endpoint[] = (Object.keys(COMMANDS) as Method[]).map((method) =>
  endpoint({
    method,
    path: INVALID_KV_PATH,
    access: 'policy',
    summary: 'Refuse a path that a version 2 mount does not have, and name the right one',
    answers: { 404: { data: Type.Null() } },
    handle: async (request) => {
      const rest = request.mount?.rest ?? '';
      if (method !== 'LIST' && FOLDERS.has(rest) && rest !== 'config') {
        request.warn('Non-listing operations on the root of a K/V v2 mount are not supported.');
        return explain();
      }
      if (FOLDERS.has(rest.split('/')[0] ?? '')) {
        throw unsupportedOperation();
      }
      request.warn(
        'Invalid path for a versioned K/V secrets engine. ' +
          `Its secrets are below data/ and metadata/; on a command line, 'kv ${COMMANDS[method]}' adds that by itself.`,
      );
      return explain();
    },
  }),
);

function explain() {
  return { status: 404, data: null };
}
