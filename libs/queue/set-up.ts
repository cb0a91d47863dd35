import { setTimeout as sleep } from 'node:timers/promises';
import type { Channel, ChannelModel, ConfirmChannel } from 'amqplib';
import type { Log } from '../log/log.ts';
import { withTimeout } from '../time/with-timeout.ts';
import { CLOSE_LIMIT_MS, LONGEST_DELAY_MS, SET_UP_LIMIT_MS } from './limits.ts';
import { describeBrokerError } from './refusals/describe.ts';
import type { RefusalRecord } from './refusals/record.ts';
import { BrokerRefusedError, unanswered, type BrokerRefusal } from './refusals/refusal.ts';

const FIRST_DELAY_MS = 100;

/**
 * What one live connection offers a set-up function: channels. If one of them fails, the set-up runs again with new ones.
 */
export type Link = {
  channel: () => Promise<Channel>;
  confirmChannel: () => Promise<ConfirmChannel>;
  /** Asks on a channel of its own: what the broker refuses there is thrown, and disturbs nothing else. */
  aside: (ask: (channel: Channel) => Promise<void>) => Promise<void>;
  /** Closes the channels of this set-up, so that it runs again. */
  fail: (reason: BrokerRefusal) => void;
  /** Whether the channels are lost; then unconfirmed messages count as refused, although the broker refused none. */
  isLost: () => boolean;
};

/**
 * Runs on every connect and reconnect, and again after its own failure. Returns a function that forgets its channels once
 * they are lost.
 */
export type SetUp = (link: Link) => Promise<(() => void) | void>;

/**
 * Keeps one set-up running on a connection until the connection ends. A failure (a channel, a cancelled consumer, a queue
 * that cannot be declared) does not affect the other set-ups. `standing` is called with whether the set-up is done. What the
 * broker refuses is recorded in `refusals`. Never throws.
 */
export async function keepSetUp(
  setUp: SetUp,
  options: {
    model: ChannelModel;
    ended: AbortSignal;
    log: Log;
    standing: (isDone: boolean) => void;
    refusals: RefusalRecord;
  },
): Promise<void> {
  const { model, ended, log, standing, refusals } = options;
  for (let failures = 0; !ended.aborted; failures += 1) {
    const part = createPart(model, ended);
    let forget: (() => void) | void = undefined;
    let stood = false;
    const startedAt = Date.now();
    const timer = setTimeout(() => part.link.fail(unanswered()), SET_UP_LIMIT_MS);
    try {
      forget = await Promise.race([setUp(part.link), part.lost]);
      clearTimeout(timer);
      stood = true;
      standing(true);
      refusals.setUp(setUp, undefined);
      await part.lost;
    } catch (error) {
      const refusal = describeBrokerError(error);
      if (stood) refusals.message(refusal);
      refusals.setUp(setUp, ended.aborted ? undefined : refusal);
      if (!ended.aborted) log.warn({ ...refusal, failures }, 'opening the channels to RabbitMQ again');
    }
    clearTimeout(timer);
    standing(false);
    forget?.();
    await part.close();
    if (Date.now() - startedAt > LONGEST_DELAY_MS) failures = 0;
    const longest = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(failures, 10));
    await sleep(Math.random() * longest, undefined, { signal: ended }).catch(() => undefined);
  }
}

type Part = { link: Link; lost: Promise<never>; close: () => Promise<void> };

function createPart(model: ChannelModel, ended: AbortSignal): Part {
  const channels: Channel[] = [];
  let isOver = false;
  let isLost = false;
  let lose: (reason: unknown) => void = () => undefined;
  const lost = new Promise<never>((_, reject) => {
    lose = (reason) => {
      isLost = true;
      reject(reason instanceof Error ? reason : new Error('the channel was closed'));
    };
  });
  // Prevents an unhandled rejection while nobody awaits this promise.
  lost.catch(() => undefined);
  const end = (): void => lose(new Error('the connection ended'));
  ended.addEventListener('abort', end, { once: true });
  if (ended.aborted) end();
  const watch = <Kind extends Channel>(channel: Kind): Kind => {
    channel.on('error', lose);
    // Before the client's own listener, which calls back for each unconfirmed message.
    channel.prependListener('close', lose);
    channels.push(channel);
    // The channel opened too late: its set-up was given up meanwhile.
    if (isOver) void closeChannel(channel);
    return channel;
  };
  return {
    link: {
      channel: async () => watch(await model.createChannel()),
      confirmChannel: async () => watch(await model.createConfirmChannel()),
      aside: (ask) => askAside(model, ask),
      fail: (reason) => lose(new BrokerRefusedError(reason)),
      isLost: () => isLost,
    },
    lost,
    close: async () => {
      isOver = true;
      ended.removeEventListener('abort', end);
      await withTimeout(CLOSE_LIMIT_MS, Promise.all(channels.map(closeChannel))).catch(() => undefined);
    },
  };
}

async function askAside(model: ChannelModel, ask: (channel: Channel) => Promise<void>): Promise<void> {
  const channel = await withTimeout(SET_UP_LIMIT_MS, model.createChannel());
  channel.on('error', () => undefined);
  try {
    await withTimeout(SET_UP_LIMIT_MS, ask(channel));
  } finally {
    await withTimeout(CLOSE_LIMIT_MS, closeChannel(channel)).catch(() => undefined);
  }
}

// Closing a channel that is already closed throws.
async function closeChannel(channel: Channel): Promise<void> {
  try {
    await channel.close();
  } catch {
    // The channel is closed, as wanted.
  }
}
