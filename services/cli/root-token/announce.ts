import pWaitFor from 'p-wait-for';
import type { Config } from '../../../libs/config/config.ts';
import { createLog } from '../../../libs/log/log.ts';
import { Broker } from '../../../libs/queue/broker.ts';
import { createEventSender } from '../../../libs/queue/events.ts';
import { createTopology } from '../../../libs/queue/topology.ts';
import type { RecoveredToken } from './recover.ts';

const POLL_MS = 50;
const BROKER_LIMIT_MS = 5000;

/** Publishes the event of a recovered token; false if RabbitMQ did not accept it in time. */
export async function announceRecovery(
  config: Config,
  { accessor, ttlSeconds }: Omit<RecoveredToken, 'token'>,
): Promise<boolean> {
  const log = createLog({ service: 'recover', level: 'fatal' });
  const broker = new Broker({ url: config.AMQP_URL, name: 'sealift-recover', log });
  const events = createEventSender(broker, createTopology(config));
  broker.start();
  try {
    await pWaitFor(() => broker.ready, {
      interval: POLL_MS,
      timeout: { milliseconds: BROKER_LIMIT_MS, fallback: () => undefined },
    });
    if (!broker.ready) return false;
    events.send({ name: 'root-token.recovered', data: { accessor, ttl_seconds: ttlSeconds } });
    return true;
  } finally {
    await broker.stop();
  }
}
