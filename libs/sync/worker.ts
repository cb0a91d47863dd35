import { setMaxListeners } from 'node:events';
import { createBatcher } from '../batching/batcher.ts';
import { listSetting, readEnvironment } from '../config/config.ts';
import { connect } from '../db/connect.ts';
import { serveWorker } from '../commands/commands.ts';
import { createEventSender, type EventSender } from '../queue/events.ts';
import { consumeWorkNotifications, createWorkNotifier } from '../queue/work-notifications.ts';
import type { Database } from '../db/connect.ts';
import type { Context } from '../service/context.ts';
import type { ServicePart } from '../service/parts.ts';
import { runService, type Service } from '../service/run-service.ts';
import { measureBacklog, measureQueue } from '../service/measure-backlog.ts';
import { findRevisions } from '../store/destinations/destinations.ts';
import { notifyOnCommit } from '../store/due/announce.ts';
import { findPushable } from '../store/orders/due.ts';
import { claimWork, type Claim } from '../store/orders/claim.ts';
import type { ClaimRequest } from '../store/orders/rate-limit.ts';
import { measureContainer } from '../store/orders/reserve.ts';
import type { Connector, ConnectorContext, Destination } from '../connector/contract.ts';
import { createConnectorHandlers } from './commands/handlers.ts';
import type { Engine } from './engine.ts';
import type { Checkpoint } from './order.ts';
import { Sessions } from './sessions.ts';
import { createCapacityFinder } from './capacity.ts';
import { preparePush } from './push/prepare.ts';
import { push } from './push/push.ts';
import { createResultStore } from './results/result-store.ts';
import { rateLimitOf } from './push/conclude.ts';
import { Scheduler } from './scheduler/scheduler.ts';
import { startSweep } from './sweep.ts';

// One claim serves that many destinations, so more notifications would only wait here.
const PREFETCH = 500;
// One connection stores the batches, the other stores the results that a locked row kept back.
const RESULT_CONNECTIONS = 2;
// A row that is locked for longer must not hold up the results of other orders.
const RESULT_LOCK_MS = 250;
// Commands wait for stores nearly all of the time. A command to a store that hangs waits until its time limit.
const MOST_COMMANDS = 64;
// No more pushes are in flight.
const MOST_ASKED = 500;

/** What tests may replace: the environment that a connector sees, and what happens at the checkpoints of a push. */
export type WorkerOptions = {
  environment?: (name: string) => string | undefined;
  checkpoint?: (checkpoint: Checkpoint) => Promise<void>;
};

/** Runs one worker process of a destination type until it is told to stop. */
export async function runConnector(destination: Destination, connector: Connector): Promise<void> {
  const { name, start } = connectorPart(destination, connector);
  await runService(name, start);
}

/** A worker of a destination type, by the name of its process. */
export function connectorPart(destination: Destination, connector: Connector): ServicePart {
  return {
    name: `connector-${destination.type}`,
    start: (context) => startConnectorWorker(context, { destination, connector }),
  };
}

/**
 * Starts one worker of a destination type. Work notifications and the sweep tell it which destinations have work, and
 * rows say what the work is. Any number of workers may run side by side.
 */
export async function startConnectorWorker(
  context: Context,
  parts: { destination: Destination; connector: Connector },
  options: WorkerOptions = {},
): Promise<Service> {
  const { destination, connector } = parts;
  const { type } = destination;
  const { config, log, broker, topology } = context;
  const stop = new AbortController();
  // Each call listens to it; Node warns of more than ten listeners.
  setMaxListeners(0, stop.signal);
  const drain = new AbortController();
  const notifyWork = createWorkNotifier(broker, topology, log);
  const connectorContext = createConnectorContext(context, type, options.environment);
  const events = createEventSender(broker, topology);
  const sessions = new Sessions({ context, destination, connector, connectorContext, events });
  context.cluster.onNewBranch(() => void sessions.closeAll());
  const checkpoint = options.checkpoint ?? (() => Promise.resolve());
  const resultsDb = connect({
    cluster: context.cluster,
    poolSize: RESULT_CONNECTIONS,
    name: `sealift-connector-${type}-results`,
    lockTimeoutMs: RESULT_LOCK_MS,
  });
  notifyOnCommit(context.db, notifyWork);
  notifyOnCommit(resultsDb, notifyWork);
  const engine: Engine = {
    context,
    resultsDb,
    destination,
    sessions,
    stop: stop.signal,
    drain: drain.signal,
    findCapacity: createCapacityFinder(destination.limits, (container) =>
      measureContainer(context.db, container),
    ),
    mayStillPush: askTogether(context.db),
    checkpoint,
  };

  const scheduler = createScheduler(engine, events);
  const commands = listen(engine, scheduler);
  broker.start();
  const sweep = startSweep(engine, scheduler);

  return {
    stop: async () => {
      drain.abort();
      // Calls in flight may end by themselves for half of the time. Then they are aborted, and their orders are handed
      // back.
      const limit = setTimeout(() => stop.abort(), config.SHUTDOWN_TIMEOUT / 2);
      await Promise.all([scheduler.drain(), commands.stop(), sweep.stop()]);
      clearTimeout(limit);
      await sessions.closeAll();
      await resultsDb.destroy();
    },
  };
}

// Registers the consumers of notifications and commands. The caller starts the broker afterwards.
function listen(engine: Engine, scheduler: Scheduler): ReturnType<typeof serveWorker> {
  const { context, destination } = engine;
  const { broker, topology, log } = context;
  const { type } = destination;
  const notify = async (ids: number[]): Promise<void> => {
    // The message stays unacknowledged: the broker gives it to another worker when our connection closes.
    if (engine.drain.aborted) throw new Error('stopping');
    await scheduler.notify(ids);
    await engine.checkpoint('before-ack');
  };
  const onDeadLetter = (): void => context.metrics.deadLetters.inc({ queue: `connector.${type}` });
  consumeWorkNotifications(broker, { topology, type, prefetch: PREFETCH, log, handle: notify, onDeadLetter });
  measureBacklog(context, type);
  measureQueue(context, { queue: topology.connectorQueue(type), label: `connector.${type}` });
  return serveWorker(broker, {
    topology,
    worker: `connector.${type}`,
    log,
    keyring: context.keyring,
    databaseId: context.databaseId,
    prefetch: MOST_COMMANDS,
    handlers: createConnectorHandlers(engine),
  });
}

function askTogether(db: Database): Engine['mayStillPush'] {
  return createBatcher(
    async (ids: number[]) => {
      const pushable = await findPushable(db, ids);
      return ids.map((id) => pushable.has(id));
    },
    { most: MOST_ASKED },
  );
}

function createConnectorContext(
  { config, installation, metrics }: Context,
  type: string,
  environment = readEnvironment,
): ConnectorContext {
  return {
    installation: installation.id,
    callTimeoutMs: config.CALL_TIMEOUT,
    environment,
    egressAllow: listSetting(config.EGRESS_ALLOW),
    noteClockOffset: (milliseconds) => metrics.storeClockOffset.set({ type }, milliseconds / 1000),
  };
}

function createScheduler(engine: Engine, events: EventSender): Scheduler {
  const { context, destination } = engine;
  const { db, log, broker, topology } = context;
  const { type } = destination;
  const { CONCURRENCY: concurrency, LEASE: leaseMs } = context.config;
  const notifyWork = createWorkNotifier(broker, topology, log);
  return new Scheduler({
    concurrency,
    batchSize: destination.batchSize ?? 1,
    leaseMs,
    claim: (requests) => claim(requests, engine),
    prepare: (orders) => preparePush(orders, engine),
    push: (plans, lease) => push(plans, lease, engine),
    store: createResultStore(engine, events),
    findRevisions: (ids) => findRevisions(db, ids),
    notifyWorkers: (id) => notifyWork(new Map([[type, [id]]])),
  });
}

async function claim(requests: ClaimRequest[], engine: Engine): Promise<Claim | undefined> {
  const { context, destination, checkpoint } = engine;
  const { LEASE: leaseMs } = context.config;
  const options = { type: destination.type, leaseMs, rateLimit: rateLimitOf(destination) };
  await checkpoint('before-claim');
  const claimed = await claimWork(context.db, requests, options).catch((error: unknown) => {
    context.log.warn({ error }, 'work could not be claimed');
    return undefined;
  });
  if (claimed) await checkpoint('after-claim');
  return claimed;
}
