import { listSetting, readEnvironment } from '../config/config.ts';
import { connect } from '../db/connect.ts';
import { serveCommands } from '../queue/commands.ts';
import { createEventSender } from '../queue/events.ts';
import { consumeWakes, createWakeSender } from '../queue/wakes.ts';
import type { Context } from '../service/context.ts';
import type { Service } from '../service/run-service.ts';
import { watchBacklog, watchQueue } from '../service/watch-backlog.ts';
import { findRevisions } from '../store/destinations/destinations.ts';
import { claimWork } from '../store/orders/claim.ts';
import { measurePlace } from '../store/orders/reserve.ts';
import type { Connector, ConnectorContext, Destination } from '../connector/contract.ts';
import { createCommandHandlers } from './commands.ts';
import type { EngineParts, Step } from './push/call.ts';
import { preparePush, push } from './push/push.ts';
import { createResultStore } from './results/result-store.ts';
import { rateLimitOf } from './scheduler/rate-limiter.ts';
import { Scheduler } from './scheduler/scheduler.ts';
import { Sessions } from './sessions/sessions.ts';
import { announce } from './announce.ts';
import { createMeter } from './metrics.ts';
import { createCapacityFinder } from './push/reserve.ts';
import { createRollouts } from './rollouts.ts';
import { startSweep } from './sweep.ts';

const PREFETCH = 500;
// One batch at a time, and beside it what a held row kept back.
const RESULT_CONNECTIONS = 2;
const RESULT_LOCK_MS = 250;
// They wait for stores nearly all of the time, a hanging one's until they are given up.
const MOST_COMMANDS = 64;

/** What tests may put in: the environment a connector sees, and what happens at the steps of a push. */
export type WorkerOptions = {
  environment?: (name: string) => string | undefined;
  step?: (step: Step) => Promise<void>;
};

/**
 * One worker of a destination type: wake-up calls and the sweep tell it which destinations have work, rows say what.
 * Any number may run side by side.
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
  let draining = false;
  const connectorContext: ConnectorContext = {
    installation: context.installation.id,
    callTimeoutMs: config.CALL_TIMEOUT,
    environment: options.environment ?? readEnvironment,
    egressAllow: listSetting(config.EGRESS_ALLOW),
    noteClockOffset: (milliseconds) =>
      context.metrics.storeClockOffset.set({ type: destination.type }, milliseconds / 1000),
  };
  const events = createEventSender(broker, topology);
  const wakes = createWakeSender(broker, topology, log);
  const sessions = new Sessions({ context, destination, connector, connectorContext });
  const step = options.step ?? (() => Promise.resolve());
  const resultsDb = connect({
    url: config.DATABASE_URL,
    poolSize: RESULT_CONNECTIONS,
    name: `sealift-connector-${type}-results`,
    lockTimeoutMs: RESULT_LOCK_MS,
  });
  const notifyWorkers = (id: number): void => wakes.send(new Map([[type, [id]]]));
  const engine: EngineParts = {
    context,
    resultsDb,
    destination,
    sessions,
    stop: stop.signal,
    draining: () => draining,
    notifyWorkers,
    step,
  };

  const measure = createMeter(context.metrics, destination.type);
  const findCapacity = createCapacityFinder(destination.limits, (container) =>
    measurePlace(context.db, container),
  );
  const scheduler = new Scheduler({
    concurrency: config.CONCURRENCY,
    batchSize: destination.batchSize ?? 1,
    leaseMs: config.LEASE,
    claim: (demands) =>
      claimWork(context.db, demands, { type, leaseMs: config.LEASE, rateLimit: rateLimitOf(destination) }),
    prepare: (orders) => preparePush(orders, engine, findCapacity),
    push: (plans, lease) => push(plans, lease, engine),
    store: createResultStore(engine, (results) => {
      measure(results);
      announce(results, engine, events);
    }),
    findRevisions: (ids) => findRevisions(context.db, ids),
    notifyWorkers,
    warn: (error, message) => log.warn({ error }, message),
    step,
  });
  const wake = async (ids: number[]): Promise<void> => {
    // Not acknowledged: the broker gives it to another worker when our connection closes.
    if (draining) throw new Error('stopping');
    await scheduler.notify(ids);
    await step('before-ack');
  };
  const onDeadLetter = (): void => context.metrics.deadLetters.inc({ queue: `connector.${type}` });
  consumeWakes(broker, { topology, type, prefetch: PREFETCH, log, handle: wake, onDeadLetter });
  watchBacklog(context, type);
  watchQueue(context, { queue: topology.connectorQueue(type), label: `connector.${type}` });
  const commands = serveCommands(broker, {
    topology,
    worker: `connector.${type}`,
    log,
    keyring: context.keyring,
    prefetch: MOST_COMMANDS,
    handlers: createCommandHandlers(engine),
  });
  broker.start();
  const rollouts = createRollouts(engine, (ids) => scheduler.notify(ids));
  const sweep = startSweep(engine, (ids) => scheduler.notify(ids), rollouts);

  return {
    stop: async () => {
      draining = true;
      sweep.stop();
      // What is in flight may end by itself; what does not is cut and handed back.
      const limit = setTimeout(() => stop.abort(), config.SHUTDOWN_TIMEOUT / 2);
      await Promise.all([scheduler.drain(), commands.stop(), rollouts.stop()]);
      clearTimeout(limit);
      await sessions.closeAll();
      await resultsDb.destroy();
    },
  };
}
