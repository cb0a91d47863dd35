import { stringify } from 'lossless-json';
import { badRequest, permissionDenied, RequestError } from '../../../../libs/errors/request-error.ts';
import { isJsonObject } from '../../../../libs/validation/lossless.ts';
import type { Reply } from '../endpoint.ts';
import { isStreamed, streamedBody } from '../streamed.ts';
import { JSON_TYPE, writePlain, type Dialect } from './dialect.ts';

const PATCH_TYPES = new Set(['application/merge-patch+json', 'application/json']);

/** The envelope of every answer of the dialect, without the id of the request. */
export function envelope(reply: Reply, warnings: string[], isOfMount: boolean): Record<string, unknown> {
  return {
    lease_id: '',
    renewable: false,
    lease_duration: 0,
    data: reply.data ?? null,
    wrap_info: reply.wrapInfo ?? null,
    warnings: warnings.length > 0 ? warnings : null,
    auth: reply.auth ?? null,
    mount_type: isOfMount ? 'kv' : 'system',
  };
}

// Older clients look for the data of these beside `data`. Names of the envelope win.
const COPIED =
  /^sys\/(?:(?:audit|auth|mounts|policy)(?:\/|$)|(?:capabilities(?:-self|-accessor)?|key-status|remount)$)/;

/** Whether the answers of a path have the keys of `data` beside the envelope too. */
export function copiesData(path: string): boolean {
  return COPIED.test(path);
}

function copyOf({ data }: Reply, path: string): object {
  return copiesData(path) && isJsonObject(data) ? data : {};
}

/** The KV store, the sync endpoints and everything beside them: enveloped answers, `{"errors":[…]}`, weak typing. */
export const secretsDialect: Dialect = {
  name: 'secrets',
  weak: true,
  checkContentType: (ctx) => {
    // We check the header even without a body: such a PATCH must have the right type too.
    if (ctx.method !== 'PATCH' || PATCH_TYPES.has(ctx.request.type.trim().toLowerCase())) return;
    const given = ctx.get('content-type') || 'none';
    throw new RequestError('unsupported_media_type', [
      `PATCH requires Content-Type of application/merge-patch+json, provided ${given.slice(0, 100)}`,
    ]);
  },
  present: async (ctx, reply, warnings) => {
    writePlain(ctx, reply);
    const isSilent = reply.data === undefined && reply.auth === undefined && reply.wrapInfo === undefined;
    if (reply.plain || (isSilent && warnings.length === 0)) return;
    // A 204 has no body that could carry a warning.
    if (ctx.status === 204) ctx.status = 200;
    ctx.set('Content-Type', JSON_TYPE);
    const body = {
      ...(reply.wrapInfo ? {} : copyOf(reply, ctx.state['path'] as string)),
      request_id: ctx.state['requestId'],
      ...envelope(reply, warnings, ctx.state['mount'] !== undefined),
    };
    // Only secrets can hold numbers of any size. For everything else plain JSON is cheaper.
    const write = ctx.state['mount'] || reply.keepsDigits ? stringify : JSON.stringify;
    ctx.body = isStreamed(reply.data) ? await streamedBody(body) : write(body);
  },
  refuse: (ctx, error) => {
    ctx.status = error.status;
    ctx.set(error.headers);
    ctx.set('Content-Type', JSON_TYPE);
    ctx.body = JSON.stringify({ errors: error.problems.map((problem) => problem.detail) });
  },
  denied: (_callerIsKnown, hint) => permissionDenied(hint),
  invalid: (faults) =>
    badRequest(
      ...faults.map(({ pointer, place = pointer.slice(1), message }) => `${place || 'the body'} ${message}`),
    ),
};
