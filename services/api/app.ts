import Koa from 'koa';
import { adminDialect } from './routing/dialects/admin.ts';
import { canonicalPath } from './http/canonical-path.ts';
import { adminEndpoints, publicEndpoints, secretsEndpoints } from './endpoints/index.ts';
import { serveConsole } from './console/serve.ts';
import type { Dialect } from './routing/dialects/dialect.ts';
import { recordOutcome } from './audit/outcome.ts';
import { findAddress } from './middleware/find-address.ts';
import { logAccess } from './middleware/access-log.ts';
import { authenticate } from './middleware/authenticate.ts';
import { checkHead } from './middleware/check-head.ts';
import { limitRate } from './middleware/rate-limit.ts';
import { handleErrors } from './middleware/error-handler.ts';
import { refuseAfterLoss } from './middleware/refuse-after-loss.ts';
import { assignRequestId } from './middleware/request-id.ts';
import { resolvePath } from './middleware/resolve-path.ts';
import { setSecurityHeaders } from './middleware/security-headers.ts';
import { traceRequest } from './middleware/trace-request.ts';
import { mountEndpoints, refuseUnknown } from './mount-endpoints.ts';
import { createRouters } from './routing/routers.ts';
import { showRefusals } from './saml/show-refusals.ts';
import { secretsDialect } from './routing/dialects/secrets.ts';
import type { ApiServices } from './services.ts';

/** The order of the middleware, and nothing else. */
export function createApp(services: ApiServices): Koa {
  // Each trusted proxy appends the address that it saw. Earlier addresses come from the client and prove nothing.
  const { TRUST_PROXY: proxies } = services.config;
  const app = new Koa({ proxy: proxies > 0, maxIpsCount: proxies });
  app.silent = true;
  const routers = createRouters();
  mountEndpoints(routers, secretsDialect, publicEndpoints, services);
  mountEndpoints(routers, secretsDialect, secretsEndpoints, services);
  mountEndpoints(routers, adminDialect, adminEndpoints, services);

  app.use(findAddress());
  app.use(recordOutcome(services));
  app.use(traceRequest());
  app.use(assignRequestId());
  app.use(setSecurityHeaders());
  app.use(logAccess(services));
  app.use(showRefusals(services));
  app.use(handleErrors(services.log, dialectOf));
  app.use(checkHead());
  app.use(serveConsole(services.config));
  app.use(async (ctx, next) => {
    ctx.state['path'] = canonicalPath(ctx.path);
    await next();
  });
  app.use(authenticate(services));
  app.use(limitRate(services.rateLimit));
  app.use(refuseAfterLoss(services.loss));
  app.use(resolvePath(services));
  app.use(routers.routes());
  app.use(refuseUnknown(dialectOf));
  return app;
}

function dialectOf(path: string): Dialect {
  return path === 'api' || path.startsWith('api/') ? adminDialect : secretsDialect;
}
