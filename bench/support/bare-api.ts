import { createServer } from 'node:http';
import Koa, { type Context as KoaContext } from 'koa';
import { loadConfig } from '../../libs/config/config.ts';
import { createLog } from '../../libs/log/log.ts';
import { openContext } from '../../libs/service/context.ts';
import { contextReadiness, startHealthServer } from '../../libs/service/health.ts';
import { findTokenBySecret, type Token } from '../../libs/store/access/tokens.ts';
import { createAuditTrail, type AuditTrail } from '../../services/api/audit/trail.ts';
import { createBareCaller } from './bare-commands.ts';
import { bareRoutes } from './bare-routes.ts';

// The floor of the API: Koa and the statements that a request needs (Sealift's, at the same batch sizes), without
// router, policies, validation, presenters, metrics or log. Each read is its own statement: where Sealift's reads share
// one, the gain is Sealift's. A token is looked up once a second, as in Sealift: a look-up at each request would make
// the floor of a plain read slower than Sealift itself.
const TOKEN_FRESH_MS = 1000;
const tokens = new Map<string, { token: Token; until: number }>();
const config = loadConfig(process.env);
const log = createLog({ service: 'bare', level: 'silent' });
const context = await openContext({ config, log, name: 'bare' });
const callWorker = createBareCaller(context);
context.broker.start();
const trail = createAuditTrail(context.db, log);

const app = new Koa();
app.silent = true;
app.use(async (ctx) => {
  const secret = ctx.get('authorization').slice(7);
  const token = await findToken(secret);
  const route = bareRoutes.find(({ method, path }) => ctx.method === method && path.test(ctx.path));
  if (!token || !route) return void (ctx.status = 404);
  const body = ctx.method === 'GET' ? '' : await readText(ctx);
  const carryOut = (): Promise<unknown> => route.answer({ ...context, callWorker }, ctx, body);
  ctx.body = ctx.method === 'GET' ? await carryOut() : await audited(trail, ctx, token.accessor, carryOut);
});
const handle = app.callback();
createServer((message, response) => void handle(message, response)).listen(config.PORT, '127.0.0.1');
await startHealthServer({
  host: '127.0.0.1',
  port: config.HEALTH_PORT,
  readiness: contextReadiness(context, { needsBroker: true }),
});

async function findToken(secret: string): Promise<Token | undefined> {
  const known = tokens.get(secret);
  if (known && known.until > performance.now()) return known.token;
  const token = await findTokenBySecret(context.db, context.installation.hashKey, secret);
  if (token) tokens.set(secret, { token, until: performance.now() + TOKEN_FRESH_MS });
  return token;
}

async function readText(ctx: KoaContext): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of ctx.req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

async function audited(
  audit: AuditTrail,
  ctx: KoaContext,
  accessor: string,
  answer: () => Promise<unknown>,
): Promise<unknown> {
  const event = { at: new Date(), accessor, actor: 'bench', namespace: '', action: ctx.method };
  const id = await audit.begin({ ...event, path: ctx.path, requestId: null });
  const body = await answer();
  audit.end({ id, outcome: 'succeeded', status: 200 });
  return body;
}
