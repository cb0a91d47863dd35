import { connect, type ConfirmChannel } from 'amqplib';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTopology } from '../../../libs/queue/topology.ts';
import type { Fault } from '../fault.ts';
import { kinds } from '../kinds.ts';
import type { World } from '../world.ts';

const TYPES = kinds.map(({ type }) => type);

/** All faults of RabbitMQ, and unexpected messages. */
export const brokerFaults: Fault[] = [
  { name: 'broker restarted', strike: ({ servers }) => servers.restartRabbitmq('stop') },
  { name: 'broker killed', strike: ({ servers }) => servers.restartRabbitmq('kill') },
  {
    name: 'queues deleted',
    strike: (world) =>
      withChannel(world, (channel, queues) =>
        world.poison.whileLosing(channel, async () => {
          for (const queue of queues) await channel.deleteQueue(queue);
        }),
      ),
  },
  {
    name: 'messages lost',
    strike: (world) =>
      withChannel(world, (channel, queues) =>
        world.poison.whileLosing(channel, async () => {
          for (let times = 0; times < 20; times += 1) {
            for (const queue of queues) await channel.purgeQueue(queue);
            await sleep(30);
          }
        }),
      ),
  },
  {
    name: 'messages doubled, reordered and for destinations that are not there',
    strike: (world, random) =>
      withChannel(world, async (channel, queues) => {
        for (let count = 0; count < 200; count += 1) {
          const destinations = Array.from({ length: 1 + random.integer(4) }, () => 1 + random.integer(9));
          channel.sendToQueue(random.pick(queues), Buffer.from(JSON.stringify({ destinations })));
        }
        await channel.waitForConfirms();
      }),
  },
  {
    name: 'poison messages',
    strike: (world, random) =>
      withChannel(world, (channel, queues) => world.poison.send(channel, queues, random, 30)),
  },
];

async function withChannel(
  { servers, prefix, environment }: World,
  use: (channel: ConfirmChannel, queues: string[]) => Promise<void>,
): Promise<void> {
  const connection = await connect(servers.amqpUrl(), { timeout: 5000 }).catch(() => undefined);
  // If the broker is down as well, the messages are already lost.
  if (!connection) return;
  connection.on('error', () => undefined);
  try {
    const channel = await connection.createConfirmChannel();
    channel.on('error', () => undefined);
    const topology = createTopology({ AMQP_PREFIX: prefix, AMQP_URL: environment['AMQP_URL'] ?? '' });
    await use(channel, TYPES.map(topology.connectorQueue));
  } catch {
    // Another fault has removed the queue or stopped the broker meanwhile.
  } finally {
    await connection.close().catch(() => undefined);
  }
}
