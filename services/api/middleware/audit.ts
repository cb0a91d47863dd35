import type { Context as KoaContext, Middleware } from 'koa';
import { RequestError } from '../../../libs/errors/request-error.ts';
import type { AuditOutcome } from '../../../libs/store/audit/events.ts';
import type { Namespace } from '../../../libs/store/access/namespaces.ts';
import type { Caller } from '../access/caller.ts';
import type { Endpoint } from '../routing/endpoint.ts';
import { WRAP_HEADER } from '../routing/wrapping.ts';
import type { ApiServices } from '../services.ts';

// A caller who logs in has no token yet.
const STRANGER = { accessor: null, display_name: 'anonymous' };

const READS = new Set(['GET', 'LIST', 'HEAD', 'OPTIONS']);

/**
 * Writes an entry for every request that could change something, reads values of secrets or asks for a wrapped answer,
 * even if the request is refused. A caller without a token leaves no entry: only a log-in accepts such a caller. The
 * entry is durable before the request is carried out, so that no change can go unseen. It is written while the request
 * is read and checked, and `untilAudited` waits for it. The outcome is added when the answer is known. This middleware
 * is part of each route, because a path without a route changes nothing and may contain anything.
 */
export function audit(
  row: Pick<Endpoint, 'path' | 'access' | 'readsSecrets'>,
  { audit: trail, config }: Pick<ApiServices, 'audit' | 'config'>,
): Middleware {
  const isRead = (method: string): boolean => READS.has(method) && !(row.readsSecrets && config.AUDIT_READS);
  // A mount can have any name, so routes into mounts begin with a marker of the router.
  const route = row.path.replace(/^\/~kv\d/, '/:mount');
  return async (ctx, next) => {
    const { caller, namespace, path, requestId } = ctx.state as State;
    const known = caller?.token ?? (row.access === 'public' ? STRANGER : undefined);
    // A read with a wrapped answer makes a token.
    const isWrapped = row.access !== 'public' && ctx.get(WRAP_HEADER) !== '';
    if (!known || (isRead(ctx.method) && !isWrapped)) return next();
    const begun = trail.begin({
      accessor: known.accessor,
      actor: known.display_name,
      // A namespace that does not exist has no path.
      namespace: namespace?.path ?? '?',
      action: `${ctx.method} ${route}`,
      path,
      requestId,
    });
    ctx.state['audited'] = begun;
    // The write may fail before anything waits for it.
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

/** Resolves when the request's entry is durable, if it leaves one. Throws if the entry could not be written. */
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
