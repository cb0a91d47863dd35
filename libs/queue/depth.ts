import type { Channel } from 'amqplib';
import { withTimeout } from '../time/with-timeout.ts';
import type { Broker } from './broker.ts';

const LIMIT_MS = 5000;

/** How many messages wait in a queue that is declared already; throws where the broker does not answer. Register before it starts. */
export function createDepthReader(broker: Broker, queue: string): () => Promise<number> {
  let channel: Channel | undefined;
  broker.use(async (link) => {
    channel = await link.channel();
    return () => {
      channel = undefined;
    };
  });
  return async () => {
    if (!channel) throw new Error('not connected to rabbitmq');
    return (await withTimeout(LIMIT_MS, channel.checkQueue(queue))).messageCount;
  };
}
