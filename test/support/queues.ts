import { connect } from 'amqplib';
import { createTopology } from '../../libs/queue/topology.ts';
import { catalog } from '../../services/connectors/catalog.ts';

/** Deletes the queues and exchanges that an installation with this prefix declared. */
export async function deleteQueues(amqpUrl: string, prefix: string): Promise<void> {
  const topology = createTopology({ AMQP_PREFIX: prefix, AMQP_URL: amqpUrl });
  const connection = await connect(amqpUrl);
  const channel = await connection.createChannel();
  const queues = [
    ...catalog.flatMap(({ type }) => [topology.connectorQueue(type), topology.otherConnectorQueue(type)]),
    ...['settings', 'key-maintenance'].map((worker) => topology.commandQueue(worker)),
    topology.deadLetters,
    topology.probe,
  ];
  for (const queue of queues) await channel.deleteQueue(queue);
  await channel.deleteExchange(topology.events);
  await connection.close();
}
