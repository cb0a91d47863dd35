import { stringify } from 'lossless-json';
import { badRequest, RequestError } from '../../../libs/errors/request-error.ts';
import { storeWrapped, type WrappedResponse } from '../../../libs/store/access/wrapped-responses.ts';
import { parseDuration } from '../../../libs/validation/duration.ts';
import { envelope } from './dialects/secrets.ts';
import type { Dialect } from './dialects/dialect.ts';
import type { ApiRequest, Endpoint, Reply, WrapInfo } from './endpoint.ts';

/** With this header a caller asks for a token that can fetch the answer once, instead of the answer. */
export const WRAP_HEADER = 'x-vault-wrap-ttl';

// 768 hours, the lifetime of a token that was requested without one.
const LONGEST_SECONDS = 2_764_800;

/**
 * For how many seconds the answer can be fetched; undefined if the caller does not ask for wrapping. Throws 400 if
 * wrapping is asked for and is not possible.
 */
export function wrapSecondsOf(
  row: Pick<Endpoint, 'access'>,
  dialect: Dialect,
  header: ApiRequest['header'],
): number | undefined {
  const asked = header(WRAP_HEADER);
  const seconds = parseDuration(asked);
  // An empty header and 0 ask for nothing.
  if (seconds === 0) return undefined;
  if (dialect.name === 'admin') throw unsupported('responses of site administration cannot be wrapped');
  if (row.access === 'public') throw unsupported('responses that need no token cannot be wrapped');
  if (seconds !== undefined && seconds > 0 && seconds <= LONGEST_SECONDS) return seconds;
  throw badRequest(
    `X-Vault-Wrap-TTL must be seconds or a duration such as 5m, more than 0 and at most ${LONGEST_SECONDS / 3600}h`,
  );
}

/**
 * Returns the reply itself, or, if the caller asked for wrapping, a reply that tells how to fetch it. Empty replies and
 * errors are not wrapped.
 */
export async function wrapped(request: ApiRequest, reply: Reply, warnings: string[]): Promise<Reply> {
  const { wrapSeconds, services, namespace, path, mount } = request;
  const isEmpty = reply.data === undefined && reply.auth === undefined;
  if (wrapSeconds === undefined || isEmpty || reply.status >= 400) return reply;
  const stored = await storeWrapped(
    services.db,
    { keyring: services.keyring, hashKey: services.installation.hashKey },
    {
      namespaceId: namespace.id,
      creationPath: path,
      wrappedAccessor: accessorIn(reply.auth),
      ttlSeconds: wrapSeconds,
      content: Buffer.from(stringify(envelope(reply, warnings, mount !== undefined)) ?? ''),
    },
  );
  return wrapReply(stored);
}

/** 200 with the token that fetches a stored answer. */
export function wrapReply(stored: WrappedResponse & { secret: string }): Reply {
  const wrapInfo: WrapInfo = {
    token: stored.secret,
    accessor: stored.accessor,
    ttl: stored.ttlSeconds,
    creation_time: stored.createdAt.toISOString(),
    creation_path: stored.creationPath,
    wrapped_accessor: stored.wrappedAccessor,
  };
  return { status: 200, wrapInfo, audited: { wrapping_accessor: stored.accessor } };
}

function accessorIn(auth: unknown): string {
  const { accessor } = (auth ?? {}) as { accessor?: unknown };
  return typeof accessor === 'string' ? accessor : '';
}

function unsupported(reason: string): RequestError {
  return new RequestError(400, 'unsupported_header', [`${reason}: leave X-Vault-Wrap-TTL out`]);
}
