import { describeLoss } from '../store/maintenance/lost-writes.ts';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LRUCache } from 'lru-cache';
import { connect, isExhausted, type Database } from '../db/connect.ts';
import type { Cluster } from '../db/failover/cluster.ts';
import { brokerSentenceOf } from '../queue/refusals/refusal.ts';
import { hasWaitingCommit, tryChange } from '../store/maintenance/server-state.ts';
import { withTimeout } from '../time/with-timeout.ts';
import type { Context } from './context.ts';
import { databaseFault } from './database-fault.ts';
import { listen } from './listen.ts';

const POSTGRES_LIMIT_MS = 2000;
// Probes of several monitors share one look.
const FRESH_MS = 1000;
const kept = new LRUCache<Database, Promise<string[]>>({ max: 4, ttl: FRESH_MS });

/** What a process lacks to do its work, one word or sentence each; empty when ready. */
export type Readiness = () => Promise<string[]>;

/**
 * Postgres must answer and be the primary. If it waits for a synchronous standby, there must be one. The broker must
 * confirm a message only if the process cannot work without it.
 */
export function contextReadiness(context: Context, options: { needsBroker: boolean }): Readiness {
  return async () => {
    const missing: string[] = [];
    missing.push(...(await databaseFaults(context)));
    if (context.loss.isRefusing())
      missing.push(`${describeLoss(context.loss.present())}: decide with sealift recover lost-writes`);
    if (options.needsBroker) missing.push(...(await brokerFaults(context)));
    return missing;
  };
}

async function brokerFaults({ broker, tryBroker }: Context): Promise<string[]> {
  const refusals = await tryBroker();
  if (refusals.length > 0) return refusals.map(brokerSentenceOf);
  return broker.ready ? [] : ['not connected to RabbitMQ'];
}

function databaseFaults({ db, cluster }: Context): Promise<string[]> {
  const known = kept.get(db) ?? findDatabaseFaultsBeside(db, cluster);
  kept.set(db, known, { noUpdateTTL: true });
  return known;
}

// Commits that wait for a standby can hold every connection of the pool: then the question needs one of its own.
async function findDatabaseFaultsBeside(db: Database, cluster: Cluster): Promise<string[]> {
  if (!isExhausted(db)) return findDatabaseFaults(db);
  const own = connect({ cluster, poolSize: 1, name: 'sealift-health', silenceMs: POSTGRES_LIMIT_MS });
  try {
    return await findDatabaseFaults(own);
  } finally {
    await own.destroy();
  }
}

async function findDatabaseFaults(db: Database): Promise<string[]> {
  try {
    const waits = await withTimeout(POSTGRES_LIMIT_MS, hasWaitingCommit(db));
    if (waits) return ['Postgres waits for a synchronous standby'];
    await withTimeout(POSTGRES_LIMIT_MS, tryChange(db));
    return [];
  } catch (error) {
    return [databaseFault(error)];
  }
}

/** Serves `/health/live`, `/health/ready` (which lists what is missing) and the paths of `extra`. Undo: `close`. */
export async function startHealthServer(options: {
  host: string;
  port: number;
  readiness: Readiness;
  extra?: Record<string, () => Promise<{ type: string; body: string }>>;
}): Promise<{ port: number; close: () => Promise<void> }> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const extra = options.extra?.[path];
    if (extra) {
      const { type, body } = await extra();
      response.writeHead(200, { 'content-type': type }).end(body);
      return;
    }
    if (path === '/health/live') return send(response, 200, { status: 'live' });
    if (path !== '/health/ready') return send(response, 404, { status: 'not found' });
    const missing = await options.readiness();
    send(response, missing.length === 0 ? 200 : 503, {
      status: missing.length === 0 ? 'ready' : 'not ready',
      missing,
    });
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => send(response, 500, { status: 'failed' }));
  });
  await listen(server, options, { host: 'HEALTH_HOST', port: 'HEALTH_PORT' });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}
