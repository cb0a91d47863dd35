import { connect, type ChannelModel } from 'amqplib';
import { splitHosts } from '../config/hosts.ts';

const LIMIT_MS = 5000;

/** How many messages a queue holds, and how many consumers read it. */
export type QueueState = { messages: number; consumers: number };

/** What a broker says about itself and the named queues; null for a queue that nobody has declared yet. */
export type BrokerState = { version: string; queues: Map<string, QueueState | null> };

/**
 * Connects to the first host of a URL that answers, and looks; declares nothing. If no host answers, throws the client's
 * error, whose text may hold names of the connection.
 */
export async function probeBroker(url: string, queues: string[]): Promise<BrokerState> {
  const urls = splitHosts(url) ?? [url];
  for (const [index, one] of urls.entries()) {
    try {
      return await probe(one, queues);
    } catch (error) {
      if (index === urls.length - 1) throw error;
    }
  }
  throw new Error('the URL names no host');
}

async function probe(url: string, queues: string[]): Promise<BrokerState> {
  const model = await connect(url, {
    timeout: LIMIT_MS,
    clientProperties: { connection_name: 'sealift-doctor' },
  });
  model.on('error', () => undefined);
  try {
    const states = new Map<string, QueueState | null>();
    for (const queue of queues) states.set(queue, await look(model, queue));
    const { version } = model.connection.serverProperties;
    return { version, queues: states };
  } finally {
    await model.close().catch(() => undefined);
  }
}

// A missing queue closes the channel, so each queue gets a channel of its own.
async function look(model: ChannelModel, queue: string): Promise<QueueState | null> {
  const channel = await model.createChannel();
  channel.on('error', () => undefined);
  try {
    const { messageCount, consumerCount } = await channel.checkQueue(queue);
    await channel.close();
    return { messages: messageCount, consumers: consumerCount };
  } catch {
    return null;
  }
}
