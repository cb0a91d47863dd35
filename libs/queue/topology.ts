import type { Channel } from 'amqplib';

/** Names of queues and exchanges. The prefix separates several installations on one broker. */
export type Topology = {
  connectorQueue: (type: string) => string;
  commandQueue: (worker: string) => string;
  deadLetters: string;
  events: string;
  /** The queue of one process that follows events. */
  followerQueue: (id: string) => string;
  probe: string;
};

/** The topology of one installation. */
export function createTopology(prefix: string): Topology {
  return {
    connectorQueue: (type) => `${prefix}.connector.${type}`,
    commandQueue: (worker) => `${prefix}.command.${worker}`,
    deadLetters: `${prefix}.dead-letters`,
    events: `${prefix}.events`,
    followerQueue: (id) => `${prefix}.follower.${id}`,
    probe: `${prefix}.probe`,
  };
}

const QUORUM = { 'x-queue-type': 'quorum' };

/**
 * Declares the queue for work notifications of one destination type. The rows in Postgres are the truth, so a queue that
 * nobody reads may drop its oldest messages.
 */
export async function assertConnectorQueue(channel: Channel, name: string): Promise<void> {
  await channel.assertQueue(name, {
    durable: true,
    arguments: { ...QUORUM, 'x-max-length': 100_000, 'x-overflow': 'drop-head' },
  });
}

/**
 * Declares a command queue, where commands wait only a moment for a worker: each message has its own expiry. Returns how
 * many workers consume from it.
 */
export async function assertCommandQueue(channel: Channel, name: string): Promise<number> {
  return (await channel.assertQueue(name, { durable: true, arguments: QUORUM })).consumerCount;
}

/** Declares the queue for messages that nobody could read; they stay until a person looks. */
export async function assertDeadLetters(channel: Channel, name: string): Promise<void> {
  await channel.assertQueue(name, { durable: true, arguments: { ...QUORUM, 'x-max-length': 10_000 } });
}

/** Declares the queue whose messages only show that the broker takes and keeps them. */
export async function assertProbe(channel: Channel, name: string): Promise<void> {
  await channel.assertQueue(name, { durable: true, arguments: { ...QUORUM, 'x-max-length': 100 } });
}

/**
 * Declares the queue of one process that follows events. It goes with the connection. If nobody reads it for long, it drops
 * its oldest messages.
 */
export async function assertFollowerQueue(channel: Channel, name: string): Promise<void> {
  await channel.assertQueue(name, {
    exclusive: true,
    autoDelete: true,
    durable: false,
    arguments: { 'x-max-length': 10_000 },
  });
}

/** Declares the exchange for events about every change; other services bind their queues to it. */
export async function assertEvents(channel: Channel, name: string): Promise<void> {
  await channel.assertExchange(name, 'topic', { durable: true });
}
