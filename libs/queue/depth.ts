import type { Channel } from 'amqplib';
import { withTimeout } from '../time/with-timeout.ts';
import type { Broker } from './broker.ts';

const LIMIT_MS = 5000;

/**
 * Reads how many messages wait in a queue that is already declared; throws if the broker does not answer. Register before
 * the broker starts.
 */
export function createDepthReader(broker: Broker, queue: string): () => Promise<number> {
  let channel: Channel | undefined;
  broker.use(async (link) => {
    channel = await link.channel();
    return () => {
      channel = undefined;
    };
  });
  return async () => {
    if (!channel) throw new Error('not connected to RabbitMQ');
    return (await withTimeout(LIMIT_MS, channel.checkQueue(queue))).messageCount;
  };
}
