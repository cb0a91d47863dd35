import { randomUUID } from 'node:crypto';
import type { Channel, ConsumeMessage } from 'amqplib';
import type { Log } from '../log/log.ts';
import type { Broker } from './broker.ts';
import { cancelled } from './refusals/refusal.ts';
import { assertEvents, assertFollowerQueue, type Topology } from './topology.ts';

/** Something that changed, without any secret. It is published to the topic exchange under `name`. */
export type Event = { name: string; data: Record<string, unknown> };

/** Tells other services what changed. An event is sent at most once, and not at all while the broker is down or blocked. */
export type EventSender = { send: (event: Event) => void };

// How many events may wait in this process for a broker that reads slowly.
const MOST_WAITING = 1000;
// How many events this process takes before it has handled the first of them. The others wait at the broker.
const PREFETCH = 100;

/** `send` never throws: what it tells of has happened, whether anybody hears of it or not. */
export function createEventSender(broker: Broker, topology: Topology): EventSender {
  let channel: Channel | undefined;
  let waiting = 0;
  broker.use(async (link) => {
    const opened = await link.channel();
    await assertEvents(opened, topology.events);
    // Only now: if a set-up fails, nobody forgets its channel, and a closed channel throws at each event.
    channel = opened;
    waiting = 0;
    opened.on('drain', () => {
      waiting = 0;
    });
    return () => {
      channel = undefined;
    };
  });
  return {
    send: ({ name, data }) => {
      // Events that wait for the broker would take more and more memory.
      if (broker.blocked || waiting > MOST_WAITING) return;
      const body = Buffer.from(JSON.stringify({ event: name, at: new Date().toISOString(), ...data }));
      try {
        const isFlowing = channel?.publish(topology.events, name, body, { contentType: 'application/json' });
        if (isFlowing === false) waiting += 1;
      } catch {
        // The channel has closed, and is forgotten in a moment.
      }
    },
  };
}

/**
 * Calls `handle` for each event with the name, one after the other, as long as the broker is there. What is sent while it is
 * away, or while nothing is handled for so long that the queue is full, is never heard.
 */
export function followEvents(
  broker: Broker,
  options: {
    topology: Topology;
    name: string;
    log: Log;
    handle: (data: Record<string, unknown>) => Promise<void>;
  },
): void {
  const { topology, name, log } = options;
  broker.use(async (link) => {
    const channel = await link.channel();
    await assertEvents(channel, topology.events);
    // A new name each time: the broker may still have the queue of a connection that it believes alive.
    const queue = topology.followerQueue(randomUUID());
    await assertFollowerQueue(channel, queue);
    await channel.bindQueue(queue, topology.events, name);
    await channel.prefetch(PREFETCH);
    let open = true;
    let handling = Promise.resolve();
    const settle = async (message: ConsumeMessage): Promise<void> => {
      try {
        await options.handle(JSON.parse(message.content.toString()) as Record<string, unknown>);
      } catch (error) {
        log.warn({ error, event: name }, 'an event was not handled');
      }
      if (open) channel.ack(message);
    };
    await channel.consume(queue, (message) => {
      if (message === null) return link.fail(cancelled(queue));
      handling = handling
        .then(() => settle(message))
        .catch((error: unknown) => log.warn({ error }, 'an event stays unacknowledged'));
    });
    return () => {
      open = false;
    };
  });
}
