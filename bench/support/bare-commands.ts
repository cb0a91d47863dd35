import { randomUUID } from 'node:crypto';
import type { Channel } from 'amqplib';
import { seal, unseal } from '../../libs/crypto/seal.ts';
import { describeBrokerError } from '../../libs/queue/refusals/describe.ts';
import { cancelled } from '../../libs/queue/refusals/refusal.ts';
import type { Context } from '../../libs/service/context.ts';

const REPLY_QUEUE = 'amq.rabbitmq.reply-to';
// A quorum queue, as Sealift's own command queues are: they survive the loss of a RabbitMQ node.
const QUEUE = { durable: true, arguments: { 'x-queue-type': 'quorum' } };

type Messaging = Pick<Context, 'broker' | 'topology' | 'keyring'>;

/**
 * A bare round trip over RabbitMQ: no expiry, limit or start message. The content is sealed, like the floor's rows:
 * sealing is work that cannot be left out. Register before the broker starts.
 */
export function createBareCaller({
  broker,
  topology,
  keyring,
}: Messaging): (body: string) => Promise<string> {
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
      (message) => {
        if (!message) return;
        const id = String(message.properties.correlationId);
        settle(id, unseal(keyring, message.content, id).toString());
      },
      { noAck: true },
    );
  });
  return (body) =>
    new Promise((resolve) => {
      const correlationId = randomUUID();
      waiting.set(correlationId, resolve);
      channel?.sendToQueue(queue, seal(keyring, body, correlationId), {
        correlationId,
        replyTo: REPLY_QUEUE,
      });
    });
}

/** The worker's end of the round trip. Register before the broker starts. */
export function serveBare(
  { broker, topology, keyring }: Messaging,
  answer: (body: string) => Promise<string>,
): void {
  broker.use(async (link) => {
    const queue = topology.commandQueue('bare');
    const channel = await link.channel();
    await channel.assertQueue(queue, QUEUE);
    await channel.consume(queue, (message) => {
      if (!message) return link.fail(cancelled(queue));
      const { replyTo, correlationId } = message.properties as { replyTo: string; correlationId: string };
      const finish = (text: string): void => {
        channel.sendToQueue(replyTo, seal(keyring, text, correlationId), { correlationId });
        channel.ack(message);
      };
      const question = unseal(keyring, message.content, correlationId).toString();
      answer(question).then(finish, (error: unknown) => link.fail(describeBrokerError(error)));
    });
  });
}
