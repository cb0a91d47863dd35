import type { Channel } from 'amqplib';
import type { Broker } from './broker.ts';
import { assertEvents, type Topology } from './topology.ts';

/** Something that changed, without any secret. It is published to the topic exchange under `name`. */
export type Event = { name: string; data: Record<string, unknown> };

/** Tells other services what changed. An event is sent at most once, and not at all while the broker is down or blocked. */
export type EventSender = { send: (event: Event) => void };

export function createEventSender(broker: Broker, topology: Topology): EventSender {
  let channel: Channel | undefined;
  broker.use(async (link) => {
    const opened = await link.channel();
    await assertEvents(opened, topology.events);
    // Only now: if a set-up fails, nobody forgets its channel, and a closed channel throws at each event.
    channel = opened;
    return () => {
      channel = undefined;
    };
  });
  return {
    send: ({ name, data }) => {
      // Events that wait for the broker would take more and more memory.
      if (broker.blocked) return;
      const body = Buffer.from(JSON.stringify({ event: name, at: new Date().toISOString(), ...data }));
      channel?.publish(topology.events, name, body, { contentType: 'application/json' });
    },
  };
}
