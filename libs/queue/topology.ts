import type { Channel } from 'amqplib';

/** Names of queues and exchanges; the prefix keeps several installations on one broker apart. */
export type Topology = {
  connectorQueue: (type: string) => string;
  commandQueue: (worker: string) => string;
  deadLetters: string;
  events: string;
};

/** The topology of one installation. */
export function createTopology(prefix: string): Topology {
  return {
    connectorQueue: (type) => `${prefix}.connector.${type}`,
    commandQueue: (worker) => `${prefix}.command.${worker}`,
    deadLetters: `${prefix}.dead-letters`,
    events: `${prefix}.events`,
  };
}

const QUORUM = { 'x-queue-type': 'quorum' };

/** Work notifications of one destination type. The rows are the truth, so the oldest may fall off a queue nobody reads. */
export async function assertConnectorQueue(channel: Channel, name: string): Promise<void> {
  await channel.assertQueue(name, {
    durable: true,
    arguments: { ...QUORUM, 'x-max-length': 100_000, 'x-overflow': 'drop-head' },
  });
}

/** Commands wait here for a worker for a moment only: each message carries its own expiry. Returns how many workers there are. */
export async function assertCommandQueue(channel: Channel, name: string): Promise<number> {
  return (await channel.assertQueue(name, { durable: true, arguments: QUORUM })).consumerCount;
}

/** Messages nobody could read, kept until a person looks. */
export async function assertDeadLetters(channel: Channel, name: string): Promise<void> {
  await channel.assertQueue(name, { durable: true, arguments: { ...QUORUM, 'x-max-length': 10_000 } });
}

/** Where every change is told, for other services to bind their queues to. */
export async function assertEvents(channel: Channel, name: string): Promise<void> {
  await channel.assertExchange(name, 'topic', { durable: true });
}
