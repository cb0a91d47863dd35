import { randomUUID } from 'node:crypto';
import { connect, type ConsumeMessage } from 'amqplib';

const REPLIES = 'amq.rabbitmq.reply-to';
// A quorum queue, as Sealift's own queues for commands are: they survive the loss of a RabbitMQ node.
const QUEUE = { durable: true, arguments: { 'x-queue-type': 'quorum' } };

type Place = { url: string; queue: string };

/** Makes a round trip over RabbitMQ, without expiry or limit. */
export async function openCaller({ url, queue }: Place): Promise<(body: string) => Promise<string>> {
  const channel = await openChannel(url);
  const waiting = new Map<string, (answer: string) => void>();
  await channel.assertQueue(queue, QUEUE);
  await channel.consume(
    REPLIES,
    (message) => {
      const id = String(message?.properties.correlationId);
      waiting.get(id)?.(String(message?.content));
      waiting.delete(id);
    },
    { noAck: true },
  );
  return (body) =>
    new Promise((resolve) => {
      const correlationId = randomUUID();
      waiting.set(correlationId, resolve);
      channel.sendToQueue(queue, Buffer.from(body), { correlationId, replyTo: REPLIES });
    });
}

/** The other end of the round trip. */
export async function serveCalls(
  { url, queue }: Place,
  answer: (body: string) => Promise<string>,
): Promise<void> {
  const channel = await openChannel(url);
  await channel.assertQueue(queue, QUEUE);
  await channel.consume(queue, (message) => void (message && reply(message)));

  async function reply(message: ConsumeMessage): Promise<void> {
    const { replyTo, correlationId } = message.properties as { replyTo: string; correlationId: string };
    channel.sendToQueue(replyTo, Buffer.from(await answer(String(message.content))), { correlationId });
    channel.ack(message);
  }
}

async function openChannel(url: string) {
  const connection = await connect(url, { noDelay: true });
  return connection.createChannel();
}
