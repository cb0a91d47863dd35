import type { Context as KoaContext } from 'koa';
import type { RequestError } from '../../../libs/errors/request-error.ts';
import type { Namespace } from '../../../libs/store/access/namespaces.ts';
import type { AuditWho } from '../../../libs/store/audit/events.ts';
import type { Caller } from '../access/caller.ts';
import { plainAddress } from '../access/client-address.ts';
import { actionOf } from './action.ts';
import type { Endpoint } from '../routing/endpoint.ts';
import { RESERVED_SEGMENTS } from '../routing/reserved-segments.ts';
import type { RefusedRequest, RefusalKind } from './refusals.ts';
import { toldPath } from './told-path.ts';
import { whoIs } from './who.ts';

/** What the middleware has learned about a refused request. */
type State = {
  requestId: string;
  path?: string;
  route?: string;
  row?: Pick<Endpoint, 'method' | 'path'>;
  caller?: Caller;
  namespace?: Namespace;
  /** Why a presented token does not count. */
  refusedToken?: 'bad_token' | 'ended_token' | 'wrong_address' | 'no_csrf' | 'foreign_page';
  /** Whose token it is, if that is known. */
  refusedWho?: AuditWho;
  /** The caller lacks a right; in site administration the answer does not tell. */
  denied?: boolean;
  /** A log-in whose caller is still unknown. */
  begin?: unknown;
  /** Begins the entry of a caller who was refused very often; absent once it has begun. */
  beginLate?: unknown;
  refusal?: RequestError;
  auditedNames?: Record<string, unknown>;
};

/** Why a request was refused; undefined if it was not, or if the caller merely sent a wrong request. */
export function refusalKind(ctx: KoaContext): RefusalKind | undefined {
  const { caller, namespace, refusedToken, denied, begin, beginLate, row, refusal } = ctx.state as State;
  if (!refusal || refusal.status >= 500) return undefined;
  if (refusal.status === 429) return 'rate_limited';
  if (begin) return row?.path.startsWith('/sys/wrapping/') ? 'bad_wrapping_token' : 'log_in_failed';
  if (!denied && refusal.status !== 401 && refusal.status !== 403)
    return beginLate ? 'refused_change' : undefined;
  if (!caller) return refusedToken ?? 'no_token';
  return namespace ? 'permission_denied' : 'unknown_namespace';
}

/** The refused request for the audit trail. Only callers that are known, on a route, may have their path kept. */
export function describeRefusedRequest(ctx: KoaContext, kind: RefusalKind): RefusedRequest {
  const state = ctx.state as State;
  const { caller, route } = state;
  const who = caller ? whoIs(caller) : (state.refusedWho ?? { accessor: null, actor: 'anonymous' });
  const { method } = ctx;
  const [first = ''] = (state.path ?? '').split('/', 1);
  const isOwn = RESERVED_SEGMENTS.has(first);
  return {
    ...who,
    kind,
    status: ctx.status,
    address: plainAddress(ctx.ip),
    namespace: state.namespace?.path ?? '?',
    action: state.row ? actionOf(state.row, method) : method,
    path: caller && route ? toldPath(state.path ?? '') : isOwn ? `${first}/…` : '…',
    ...(caller || isOwn || first === '' ? {} : { mountName: first }),
    noted: kind === 'log_in_failed' ? state.auditedNames : undefined,
    requestId: state.requestId,
  };
}
