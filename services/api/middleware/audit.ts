import type { Context as KoaContext, Middleware } from 'koa';
import { RequestError } from '../../../libs/errors/request-error.ts';
import type { AuditOutcome } from '../../../libs/store/audit/events.ts';
import type { Namespace } from '../../../libs/store/access/namespaces.ts';
import type { Caller } from '../access/caller.ts';
import type { Endpoint } from '../routing/endpoint.ts';
import { WRAP_HEADER } from '../routing/wrapping.ts';
import type { ApiServices } from '../services.ts';

// Who logs in has no token yet.
const STRANGER = { accessor: null, display_name: 'anonymous' };

const READS = new Set(['GET', 'LIST', 'HEAD', 'OPTIONS']);

/**
 * Leaves an entry for every request that could change something, reads values of secrets or has an answer wrapped, refused ones too; a caller without a token, whom
 * everything but a log-in refuses, leaves none. The entry is durable before the request is carried out, so that no change
 * can go unseen: it is written while the request is read and checked, and `untilAudited` waits for it. How it ended is
 * added when the answer is known. A part of each route, since a path that no route has changes nothing and may hold
 * anything.
 */
export function audit(
  row: Pick<Endpoint, 'path' | 'access' | 'readsSecrets'>,
  { audit: trail, config }: Pick<ApiServices, 'audit' | 'config'>,
): Middleware {
  const isRead = (method: string): boolean => READS.has(method) && !(row.readsSecrets && config.AUDIT_READS);
  // Mounts have any name, so the routes into them begin with a marker of the router.
  const route = row.path.replace(/^\/~kv\d/, '/:mount');
  return async (ctx, next) => {
    const { caller, namespace, path, requestId } = ctx.state as State;
    const known = caller?.token ?? (row.access === 'public' ? STRANGER : undefined);
    // A read whose answer is kept for somebody makes a token.
    const isWrapped = row.access !== 'public' && ctx.get(WRAP_HEADER) !== '';
    if (!known || (isRead(ctx.method) && !isWrapped)) return next();
    const begun = trail.begin({
      accessor: known.accessor,
      actor: known.display_name,
      // A namespace that nobody made has no path.
      namespace: namespace?.path ?? '?',
      action: `${ctx.method} ${route}`,
      path,
      requestId,
    });
    ctx.state['audited'] = begun;
    // It may fail while the request is still being read.
    begun.catch(() => undefined);
    try {
      await next();
      const detail = (ctx.state as State).auditedNames ?? null;
      trail.end({ id: await begun, outcome: outcomeOf(ctx.status), status: ctx.status, detail });
    } catch (error) {
      const status = error instanceof RequestError ? error.status : 500;
      trail.end({ id: await begun, outcome: outcomeOf(status), status });
      throw error;
    }
  };
}

/** Resolves when the request's entry is durable, if it leaves one; throws where that could not be written. */
export async function untilAudited(ctx: KoaContext): Promise<void> {
  await (ctx.state as State).audited;
}

type State = {
  caller?: Caller;
  namespace?: Namespace;
  path: string;
  requestId: string;
  audited?: Promise<number>;
  auditedNames?: Record<string, string>;
};

function outcomeOf(status: number): AuditOutcome {
  if (status < 400) return 'succeeded';
  return status < 500 ? 'refused' : 'failed';
}
