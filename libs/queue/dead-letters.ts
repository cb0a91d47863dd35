import type { ConfirmChannel, GetMessage } from 'amqplib';
import pWaitFor from 'p-wait-for';
import { unavailable } from '../errors/request-error.ts';
import { withTimeout } from '../time/with-timeout.ts';
import type { Broker } from './broker.ts';
import { assertDeadLetters, type Topology } from './topology.ts';

const CONNECT_LIMIT_MS = 5000;
const POLL_MS = 50;
const CONFIRM_LIMIT_MS = 10_000;

/** An unreadable message: its queue, the reason and time of its dead-lettering, and its first bytes. */
export type DeadLetter = { queue: string; reason: string; at: string; bytes: number; beginning: string };

/**
 * Goes once through the dead letters and asks what to do with each: `replay` puts it back into its queue, unless that
 * queue is gone; `discard` deletes it. Throws 503 without the broker.
 */
export type DeadLetters = {
  visit: (decide: (letter: DeadLetter) => 'keep' | 'replay' | 'discard') => Promise<DeadLetterCounts>;
};

export type DeadLetterCounts = { kept: number; replayed: number; discarded: number };

/** Register before the broker starts. */
export function createDeadLetters(broker: Broker, topology: Topology): DeadLetters {
  let channel: ConfirmChannel | undefined;
  const queue = topology.deadLetters;
  broker.use(async (link) => {
    const opened = await link.confirmChannel();
    await assertDeadLetters(opened, queue);
    channel = opened;
    return () => {
      channel = undefined;
    };
  });

  const connected = async (): Promise<ConfirmChannel> => {
    const message = unavailable('the message broker cannot be reached');
    const timeout = { milliseconds: CONNECT_LIMIT_MS, message };
    return pWaitFor(() => channel !== undefined && pWaitFor.resolveWith(channel), {
      interval: POLL_MS,
      timeout,
    });
  };

  return {
    visit: async (decide) => {
      const open = await connected();
      const counts: DeadLetterCounts = { kept: 0, replayed: 0, discarded: 0 };
      // A kept message goes to the end of the queue, so we stop after the number of messages at the beginning: each is
      // seen once.
      const { messageCount } = await open.checkQueue(queue);
      for (let seen = 0; seen < messageCount; seen += 1) {
        const message = await open.get(queue);
        if (message === false) break;
        const letter = describe(message);
        counts[await carryOut(open, message, { letter, decided: decide(letter), queue })] += 1;
        // Acknowledge only now: if the process dies before, the message exists twice, but is never lost.
        open.ack(message);
      }
      await open.waitForConfirms();
      return counts;
    },
  };
}

async function carryOut(
  channel: ConfirmChannel,
  message: GetMessage,
  { letter, decided, queue }: { letter: DeadLetter; decided: string; queue: string },
): Promise<keyof DeadLetterCounts> {
  if (decided === 'discard') return 'discarded';
  const isReplayed =
    decided === 'replay' && letter.queue !== '' && (await send(channel, letter.queue, message, {}));
  if (isReplayed) return 'replayed';
  await send(channel, queue, message, message.properties.headers ?? {});
  return 'kept';
}

// Returns false if no queue of that name took the message: the broker returns it before it confirms.
async function send(
  channel: ConfirmChannel,
  queue: string,
  message: GetMessage,
  headers: Record<string, unknown>,
): Promise<boolean> {
  let returned = false;
  const note = () => {
    returned = true;
  };
  channel.once('return', note);
  try {
    const { contentType } = message.properties;
    channel.sendToQueue(queue, message.content, { persistent: true, mandatory: true, contentType, headers });
    await withTimeout(CONFIRM_LIMIT_MS, channel.waitForConfirms());
    return !returned;
  } finally {
    channel.removeListener('return', note);
  }
}

function describe({ content, properties }: GetMessage): DeadLetter {
  const header = (name: string) => String(properties.headers?.[name] ?? '');
  return {
    queue: header('x-sealift-queue'),
    reason: header('x-sealift-reason'),
    at: header('x-sealift-at'),
    bytes: content.length,
    beginning: content.subarray(0, 200).toString(),
  };
}
