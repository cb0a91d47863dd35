import { randomUUID } from 'node:crypto';
import type { Channel } from 'amqplib';
import type { Context } from '../../libs/service/context.ts';

const REPLY_QUEUE = 'amq.rabbitmq.reply-to';
// As Sealift's own are; gone with the worker.
const QUEUE = { durable: true, autoDelete: true };

type Messaging = Pick<Context, 'broker' | 'topology'>;

/** A round trip over RabbitMQ and nothing else: no seal, expiry or limit. Register before the broker starts. */
export function createBareCaller({ broker, topology }: Messaging): (body: string) => Promise<string> {
  const queue = topology.commandQueue('bare');
  const waiting = new Map<string, (answer: string) => void>();
  let channel: Channel | undefined;
  broker.use(async (link) => {
    channel = await link.channel();
    await channel.assertQueue(queue, QUEUE);
    const settle = (id: string, answer: string): void => {
      waiting.get(id)?.(answer);
      waiting.delete(id);
    };
    await channel.consume(
      REPLY_QUEUE,
      (message) => message && settle(String(message.properties.correlationId), message.content.toString()),
      { noAck: true },
    );
  });
  return (body) =>
    new Promise((resolve) => {
      const correlationId = randomUUID();
      waiting.set(correlationId, resolve);
      channel?.sendToQueue(queue, Buffer.from(body), { correlationId, replyTo: REPLY_QUEUE });
    });
}

/** The other end of it. Register before the broker starts. */
export function serveBare({ broker, topology }: Messaging, answer: (body: string) => Promise<string>): void {
  broker.use(async (link) => {
    const queue = topology.commandQueue('bare');
    const channel = await link.channel();
    await channel.assertQueue(queue, QUEUE);
    await channel.consume(queue, (message) => {
      if (!message) return link.fail('cancelled');
      const { replyTo, correlationId } = message.properties as { replyTo: string; correlationId: string };
      const finish = (text: string): void => {
        channel.sendToQueue(replyTo, Buffer.from(text), { correlationId });
        channel.ack(message);
      };
      answer(message.content.toString()).then(finish, (error: unknown) => link.fail(String(error)));
    });
  });
}
