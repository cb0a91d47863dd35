import { createLog } from '../log/log.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { Broker } from '../queue/broker.ts';
import { createMessageProbe } from '../queue/message-probe.ts';
import type { Context } from './context.ts';
import type { Service } from './run-service.ts';
import { measureBroker } from './measure.ts';

/** A service that can share a process with others. */
export type ServicePart = { name: string; start: (context: Context) => Promise<Service> };

/**
 * Starts services that share the process and the database connections. Each has a log, metrics and a connection to RabbitMQ
 * of its own, so that what one waits for is told by its name. The process is ready as the first one is; it starts last, so
 * that it opens when the others work.
 */
export async function startParts(
  context: Context,
  { first, others }: { first: ServicePart['start']; others: ServicePart[] },
): Promise<Service> {
  const brokers: Broker[] = [];
  const services: Service[] = [];
  for (const { name, start } of others) {
    const own = openPart(context, name);
    brokers.push(own.broker);
    services.push(await start(own));
  }
  const { needsBroker = true, stop } = await first(context);
  return {
    needsBroker,
    stop: async () => {
      await Promise.all([stop(), ...services.map((service) => service.stop())]);
      await Promise.all(brokers.map((broker) => broker.stop()));
    },
  };
}

function openPart(context: Context, name: string): Context {
  const { config, topology } = context;
  const log = createLog({ service: name, level: config.LOG_LEVEL });
  const broker = new Broker({ url: config.AMQP_URL, name: `sealift-${name}`, log });
  const metrics = createMetrics({ service: name });
  context.metrics.include(metrics);
  measureBroker({ broker, metrics });
  return { ...context, log, broker, metrics, tryBroker: createMessageProbe(broker, topology) };
}
