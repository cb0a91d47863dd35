import { stringify } from 'lossless-json';
import { badRequest, permissionDenied, RequestError } from '../../../libs/errors/request-error.ts';
import type { AuditSecret } from '../../../libs/store/audit/events.ts';
import { lockToken } from '../../../libs/store/access/tokens.ts';
import {
  countWrapped,
  deleteExpiredWrapped,
  storeWrapped,
  type WrappedResponse,
} from '../../../libs/store/access/wrapped-responses.ts';
import { parseDuration } from '../../../libs/validation/duration.ts';
import { isLogIn } from '../http/log-in-path.ts';
import { LIMITS, requireWithin } from '../limits.ts';
import { envelope } from './dialects/secrets.ts';
import type { Dialect } from './dialects/dialect.ts';
import type { WrapInfoAnswer } from '../contract/tokens.ts';
import type { ApiRequest, Endpoint, Reply } from './endpoint.ts';
import { isStreamed, piecesOf } from './streamed.ts';

/** With this header a caller asks for a token that can fetch the answer once, instead of the answer. */
export const WRAP_HEADER = 'x-vault-wrap-ttl';

// 768 hours, the lifetime of a token that was requested without one.
const LONGEST_SECONDS = 2_764_800;

/**
 * For how many seconds the answer can be fetched; undefined if the caller does not ask for wrapping. Throws 400 if
 * wrapping is asked for and is not possible.
 */
export function wrapSecondsOf(
  row: Pick<Endpoint, 'access' | 'isLogIn'>,
  dialect: Dialect,
  header: ApiRequest['header'],
): number | undefined {
  const lifetime = header(WRAP_HEADER);
  const seconds = parseDuration(lifetime);
  // An empty header and 0 ask for nothing.
  if (seconds === 0) return undefined;
  if (dialect.name === 'admin') throw unsupported('responses of site administration cannot be wrapped');
  if (row.access === 'public' && !row.isLogIn)
    throw unsupported('responses that need no token cannot be wrapped');
  if (seconds !== undefined && seconds > 0 && seconds <= LONGEST_SECONDS) return seconds;
  throw badRequest(
    `X-Vault-Wrap-TTL must be seconds or a duration such as 5m, more than 0 and at most ${LONGEST_SECONDS / 3600}h`,
  );
}

/**
 * Returns the reply itself, or, if the caller asked for wrapping, a reply that tells how to fetch it. Empty replies and
 * errors are not wrapped.
 */
export async function wrapped(
  request: ApiRequest,
  reply: Reply,
  { warnings, secret }: { warnings: string[]; secret: AuditSecret },
): Promise<Reply> {
  const { wrapSeconds, services, namespace, path, mount, authMount } = request;
  const isEmpty = reply.data === undefined && reply.auth === undefined;
  if (wrapSeconds === undefined || isEmpty || reply.status >= 400) return reply;
  const ownerId = isLogIn(path) ? null : request.caller.token.id;
  const content = await contentOf(envelope(reply, warnings, mount !== undefined), isStreamed(reply.data));
  const keys = { keyring: services.keyring, hashKey: services.installation.hashKey };
  return services.db.transaction(async (transaction) => {
    if (ownerId !== null && !(await lockToken(transaction, ownerId))) throw permissionDenied();
    const stored = await storeWrapped(transaction, keys, {
      namespaceId: namespace.id,
      creationPath: path,
      wrappedAccessor: accessorIn(reply, authMount !== undefined),
      ttlSeconds: wrapSeconds,
      ownerId,
      secret,
      content: Buffer.from(content),
    });
    if (ownerId !== null) requireRoom(await countWrapped(transaction, ownerId));
    return wrapReply(request, stored);
  });
}

/**
 * Throws if an answer must not be wrapped: in a browser session, which reads no values, or if the answers of the token
 * that wait are too many. It is asked before the call is carried out.
 */
export async function refuseToWrap({ caller, services, wrapSeconds, path }: ApiRequest): Promise<void> {
  if (wrapSeconds === undefined || isLogIn(path)) return;
  if (caller.session || !caller.token.reads_values)
    throw permissionDenied('a session reads no values, and so wraps none: leave X-Vault-Wrap-TTL out');
  const { id } = caller.token;
  const { responses, bytes } = await countWrapped(services.db, id);
  if (responses < LIMITS.wrappedAnswers.value && bytes < LIMITS.wrappedBytes.value) return;
  await deleteExpiredWrapped(services.db, id);
  const left = await countWrapped(services.db, id);
  requireRoom({ ...left, responses: left.responses + 1 });
}

function requireRoom({ responses, bytes }: { responses: number; bytes: number }): void {
  requireWithin(LIMITS.wrappedAnswers, responses);
  requireWithin(LIMITS.wrappedBytes, bytes);
}

// What is streamed is read until it is too long to be kept.
async function contentOf(answer: Record<string, unknown>, isLong: boolean): Promise<string> {
  if (!isLong) return stringify(answer) ?? '';
  let text = '';
  for await (const piece of piecesOf(answer)) {
    text += piece;
    requireWithin(LIMITS.wrappedBytes, text.length);
  }
  return text;
}

/** 200 with the token that fetches a stored answer. */
export function wrapReply(
  { note }: Pick<ApiRequest, 'note'>,
  stored: WrappedResponse & { secret: string },
): Reply<never> {
  note({ wrapping_accessor: stored.accessor });
  const wrapInfo: WrapInfoAnswer = {
    token: stored.secret,
    accessor: stored.accessor,
    ttl: stored.ttlSeconds,
    creation_time: stored.createdAt.toISOString(),
    creation_path: stored.creationPath,
    wrapped_accessor: stored.wrappedAccessor,
  };
  return { status: 200, wrapInfo };
}

// Of the credential in the answer: a token, or the secret id that an auth method made.
function accessorIn({ auth, data }: Reply, isOfMethod: boolean): string {
  const { accessor } = (auth ?? {}) as { accessor?: unknown };
  const { secret_id_accessor: ofSecretId } = ((isOfMethod && data) || {}) as { secret_id_accessor?: unknown };
  return [accessor, ofSecretId].find((found) => typeof found === 'string') ?? '';
}

function unsupported(reason: string): RequestError {
  return new RequestError('unsupported_header', [`${reason}: leave X-Vault-Wrap-TTL out`]);
}
