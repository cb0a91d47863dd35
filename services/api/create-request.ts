import type { Context as KoaContext } from 'koa';
import { ROOT_NAMESPACE } from '../../libs/store/access/namespaces.ts';
import { browserOf } from './access/browser.ts';
import { capabilitiesOf, type Caller } from './access/caller.ts';
import { identified, note, noteSecret, noteSecrets } from './audit/audit.ts';
import { isUpgrade } from './http/upgrade.ts';
import type { ApiRequest } from './routing/endpoint.ts';
import type { ApiServices } from './services.ts';

/** The caller of a request without a valid token. */
export const NOBODY = {} as Caller;

/** The request of an endpoint, before it is authorised and validated. */
export function createRequest(
  ctx: KoaContext,
  services: ApiServices,
  warn: (warning: string) => void,
): ApiRequest {
  const caller: Caller = ctx.state['caller'] ?? NOBODY;
  const namespace = ctx.state['namespace'] ?? ROOT_NAMESPACE;
  const state = ctx.state as { path: string; requestId: string };
  return {
    services,
    namespace,
    caller,
    may: (path, capability, below = namespace) =>
      capabilitiesOf(caller, below, path, { isList: capability === 'list' }).has(capability),
    params: { ...(ctx as unknown as { params: Record<string, string> }).params },
    query: {},
    body: {},
    rawBody: '',
    header: (name) => ctx.get(name),
    address: ctx.ip,
    browser: () => browserOf(ctx, services.config),
    path: state.path,
    warn,
    requestId: state.requestId,
    note: (names) => note(ctx, names),
    noteSecret: (secret) => noteSecret(ctx, secret),
    noteSecrets: (secrets) => noteSecrets(ctx, secrets),
    identified: (who) => identified(ctx, who),
    mount: ctx.state['mount'],
    authMount: ctx.state['authMount'],
    isUpgrade: isUpgrade(ctx.req),
    wrapSeconds: undefined,
  };
}
