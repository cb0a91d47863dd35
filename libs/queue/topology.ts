import type { Channel } from 'amqplib';
import { splitHosts } from '../config/hosts.ts';

/**
 * Where work notifications wait. `classic`: in the memory of one node, at less than half the time for each message.
 * `quorum`: in several nodes, so that the loss of one is not noticed.
 */
type WorkQueueKind = 'classic' | 'quorum';

/** Names of queues and exchanges. The prefix separates several installations on one broker. */
export type Topology = {
  workQueueKind: WorkQueueKind;
  connectorQueue: (type: string) => string;
  /** The name that the same queue has where AMQP_URL names one host instead of several, or several instead of one. */
  otherConnectorQueue: (type: string) => string;
  commandQueue: (worker: string) => string;
  deadLetters: string;
  events: string;
  /** The queue of one process that follows events. */
  followerQueue: (id: string) => string;
  probe: string;
};

/** The topology of one installation; an AMQP_URL with several hosts is that of a cluster. */
export function createTopology(config: { AMQP_PREFIX: string; AMQP_URL: string }): Topology {
  const prefix = config.AMQP_PREFIX;
  const isCluster = (splitHosts(config.AMQP_URL)?.length ?? 1) > 1;
  // A queue cannot change its kind, and processes of the former version or shape may still read theirs: so each kind has a
  // name of its own.
  const quorumQueue = (type: string): string => `${prefix}.connector.${type}`;
  const classicQueue = (type: string): string => `${prefix}.connector.${type}.classic`;
  return {
    workQueueKind: isCluster ? 'quorum' : 'classic',
    connectorQueue: isCluster ? quorumQueue : classicQueue,
    otherConnectorQueue: isCluster ? classicQueue : quorumQueue,
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
 * nobody reads may drop its oldest messages, and a broker that restarts may forget them.
 */
export async function assertConnectorQueue(
  channel: Channel,
  name: string,
  kind: WorkQueueKind,
): Promise<void> {
  await channel.assertQueue(name, {
    durable: true,
    arguments: { 'x-queue-type': kind, 'x-max-length': 100_000, 'x-overflow': 'drop-head' },
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
