import type { Context as KoaContext, Middleware } from 'koa';
import type { AuditSecret, AuditWho } from '../../../libs/store/audit/events.ts';
import type { Namespace } from '../../../libs/store/access/namespaces.ts';
import type { Caller } from '../access/caller.ts';
import { plainAddress } from '../access/client-address.ts';
import type { AuditedSecret, Endpoint, RequestMount } from '../routing/endpoint.ts';
import { WRAP_HEADER } from '../routing/wrapping.ts';
import type { ApiServices } from '../services.ts';
import { actionOf } from './action.ts';
import type { AuditState } from './outcome.ts';
import { boundedName, auditNamesOf } from './secret-names.ts';
import { toldPath } from './told-path.ts';
import { whoIs } from './who.ts';

const READS = new Set(['GET', 'LIST', 'HEAD', 'OPTIONS']);

// Endpoints whose path ends in the path of a secret within its mount.
const OF_SECRET = /^\/~kv(?:1|2\/[a-z-]+)\/\*path$/;

/**
 * Writes an entry for every request that could change something, reads values of secrets or asks for a wrapped answer,
 * even if the request is refused. The entry is durable before the request is carried out, so that no change can go
 * unseen. It is written while the request is read and checked, and `untilAudited` waits for it. A caller without a token
 * gets an entry only when a log-in has told who it is: the handler waits for `identified` before it changes anything.
 * A caller who was refused very often gets an entry only once a request is allowed. `recordOutcome` adds the outcome. This
 * middleware is part of each route, because a path without a route changes nothing and may contain anything.
 */
export function audit(
  row: Pick<
    Endpoint,
    'method' | 'path' | 'access' | 'changesNothing' | 'readsSecrets' | 'isOfSecret' | 'isAuditedRead'
  >,
  { audit: trail, config }: Pick<ApiServices, 'audit' | 'config'>,
): Middleware {
  const isRead = (method: string): boolean =>
    row.changesNothing === true || (READS.has(method) && !(row.readsSecrets && config.AUDIT_READS));
  return async (ctx, next) => {
    const state = ctx.state as State;
    // A read with a wrapped answer makes a token.
    const isWrapped = row.access !== 'public' && ctx.get(WRAP_HEADER) !== '';
    const isTold = isWrapped || row.isAuditedRead?.(ctx.query) === true;
    if (isRead(ctx.method) && !isTold) return next();
    const begin = (who: AuditWho): void => {
      state.auditEvent = {
        ...who,
        address: plainAddress(ctx.ip),
        // A namespace that does not exist has no path.
        namespace: state.namespace?.path ?? '?',
        action: actionOf(row, ctx.method),
        path: toldPath(state.path),
        ...secretOf(ctx, row),
        requestId: state.requestId,
      };
      state.audited = trail.begin(state.auditEvent);
      // The write may fail before anything waits for it.
      state.audited.catch(() => undefined);
    };
    if (state.caller) {
      const who = whoIs(state.caller);
      if (trail.ownRefusals.hasRoom(who.accessor)) begin(who);
      else state.beginLate = () => begin(who);
    } else if (row.access === 'public') state.begin = begin;
    try {
      await next();
    } finally {
      state.auditEntry = await state.audited;
    }
  };
}

/** Resolves when the request's entry is durable, if it leaves one. Throws if the entry could not be written. */
export async function untilAudited(ctx: KoaContext): Promise<void> {
  const state = ctx.state as State;
  state.beginLate?.();
  delete state.beginLate;
  await state.audited;
}

/** Whether the request has an entry already, which names can be added to. */
export function isAudited(ctx: KoaContext): boolean {
  return (ctx.state as State).audited !== undefined;
}

/** Adds names to the entry of a request. */
export function note(ctx: KoaContext, names: Record<string, unknown>): void {
  const state = ctx.state as State;
  state.auditedNames = { ...state.auditedNames, ...names };
}

/** Names the secret of a request, if its path does not. */
export function noteSecret(ctx: KoaContext, secret: AuditSecret): void {
  (ctx.state as State).auditedSecret = secret;
}

/** The secret that the request's entry names. */
export function auditedSecretOf(ctx: KoaContext): AuditSecret {
  const { auditedSecret, auditEvent } = ctx.state as State;
  if (auditedSecret) return auditedSecret;
  const { secret = null, mountId = null, secretPath = null } = auditEvent ?? {};
  return { secret, mountId, secretPath };
}

/** Names secrets of a request about many: each gets an entry too, so that a search for the secret finds it. */
export function noteSecrets(ctx: KoaContext, secrets: AuditedSecret[]): void {
  (ctx.state as State).auditedSecrets = secrets;
}

/** Resolves when the entry of a log-in is durable. A caller with a token has an entry already. */
export async function identified(ctx: KoaContext, who: AuditWho): Promise<void> {
  const state = ctx.state as State;
  state.begin?.(who);
  delete state.begin;
  await state.audited;
}

type State = AuditState & {
  caller?: Caller;
  namespace?: Namespace;
  mount?: RequestMount;
  path: string;
  requestId: string;
  audited?: Promise<number>;
  begin?: (who: AuditWho) => void;
  beginLate?: () => void;
};

function secretOf(ctx: KoaContext, row: Pick<Endpoint, 'path' | 'isOfSecret'>): AuditSecret {
  const { path } = (ctx as unknown as { params: Record<string, string> }).params;
  if (!path) return {};
  // The handler looks up the mount, and adds it.
  if (row.isOfSecret) return { secret: boundedName(path) };
  const { mount } = ctx.state as State;
  return mount && OF_SECRET.test(row.path)
    ? auditNamesOf(mount.mount, { mount: mount.mount.path, path })
    : {};
}
