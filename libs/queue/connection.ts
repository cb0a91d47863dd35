import type { Duplex } from 'node:stream';
import { connect, type ChannelModel } from 'amqplib';
import { withTimeout } from '../time/with-timeout.ts';
import { CLOSE_LIMIT_MS } from './limits.ts';
import { describeBrokerError } from './refusals/describe.ts';
import { BrokerRefusedError } from './refusals/refusal.ts';

const LIMIT_MS = 5000;

/** Connects to one host. Throws a BrokerRefusedError. */
export async function openConnection(url: string, name: string): Promise<ChannelModel> {
  try {
    // Nagle's algorithm costs 40 ms on every message of an idle connection.
    return await connect(url, {
      noDelay: true,
      timeout: LIMIT_MS,
      clientProperties: { connection_name: name },
    });
  } catch (error) {
    throw new BrokerRefusedError(describeBrokerError(withCode(error), vhostOf(url)));
  }
}

/** The virtual host that a URL names. */
export function vhostOf(url: string): string {
  const path = new URL(url).pathname.slice(1);
  return path === '' ? '/' : decodeURIComponent(path);
}

/** Closes a connection within a limit, whatever the broker does. */
export async function closeConnection(model: ChannelModel): Promise<void> {
  await withTimeout(CLOSE_LIMIT_MS, model.close()).catch(() => undefined);
  // A broker that reads nothing would keep the connection open, and so the process alive.
  streamOf(model)?.destroy(new Error('RabbitMQ does not answer'));
}

// amqplib's types omit the stream.
function streamOf(model: ChannelModel): Duplex | undefined {
  return (model.connection as { stream?: Duplex }).stream;
}

// RabbitMQ then closes the connection with 530, but the client drops the code.
const VHOST_REFUSED = /^Expected ConnectionOpenOk; got <ConnectionClose\b/;

// The client gives no code if the time is over, or if the other side does not speak AMQP.
function withCode(error: unknown): unknown {
  if (!(error instanceof Error) || 'code' in error || error.message.startsWith('Handshake')) return error;
  if (VHOST_REFUSED.test(error.message)) return Object.assign(error, { code: 530 });
  return Object.assign(error, { code: error.message === 'connect ETIMEDOUT' ? 'ETIMEDOUT' : 'no handshake' });
}
