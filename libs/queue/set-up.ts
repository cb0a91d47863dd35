import { setTimeout as sleep } from 'node:timers/promises';
import type { Channel, ChannelModel, ConfirmChannel } from 'amqplib';
import type { Log } from '../log/log.ts';
import { withTimeout } from '../time/with-timeout.ts';

const LIMIT_MS = 5000;
const CLOSE_LIMIT_MS = 2000;
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5000;

/** What one live connection offers a set-up function: channels whose failure has the set-up run again, with new ones. */
export type Link = {
  channel: () => Promise<Channel>;
  confirmChannel: () => Promise<ConfirmChannel>;
  /** Gives the channels of this set-up up. */
  fail: (reason: string) => void;
};

/** Runs on every (re)connect, and again after a failure of its own; returns what to forget when its channels are lost. */
export type SetUp = (link: Link) => Promise<(() => void) | void>;

/**
 * Keeps one set-up standing on a connection until that ends: what breaks it (a channel, a cancelled consumer, a queue that
 * cannot be declared) concerns none of the others. `standing` hears whether it is done. Never throws.
 */
export async function keepSetUp(
  setUp: SetUp,
  options: { model: ChannelModel; ended: AbortSignal; log: Log; standing: (isDone: boolean) => void },
): Promise<void> {
  const { model, ended, log, standing } = options;
  for (let failures = 0; !ended.aborted; failures += 1) {
    const part = createPart(model, ended);
    let forget: (() => void) | void = undefined;
    const startedAt = Date.now();
    try {
      forget = await withTimeout(LIMIT_MS, Promise.race([setUp(part.link), part.lost]));
      standing(true);
      await part.lost;
    } catch (error) {
      if (!ended.aborted) log.warn({ error, failures }, 'channels of RabbitMQ are opened anew');
    }
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
  let lose: (reason: unknown) => void = () => undefined;
  const lost = new Promise<never>((_, reject) => {
    lose = (reason) => reject(reason instanceof Error ? reason : new Error('the channel was closed'));
  });
  // Nobody waits for it while the set-up runs.
  lost.catch(() => undefined);
  const end = (): void => lose(new Error('the connection ended'));
  ended.addEventListener('abort', end, { once: true });
  if (ended.aborted) end();
  const watch = <Kind extends Channel>(channel: Kind): Kind => {
    channel.on('error', lose);
    channel.on('close', lose);
    channels.push(channel);
    // It was opened for a set-up that was given up meanwhile.
    if (isOver) void closeChannel(channel);
    return channel;
  };
  return {
    link: {
      channel: async () => watch(await model.createChannel()),
      confirmChannel: async () => watch(await model.createConfirmChannel()),
      fail: (reason) => lose(new Error(reason)),
    },
    lost,
    close: async () => {
      isOver = true;
      ended.removeEventListener('abort', end);
      await withTimeout(CLOSE_LIMIT_MS, Promise.all(channels.map(closeChannel))).catch(() => undefined);
    },
  };
}

// One that is closed already says so by throwing.
async function closeChannel(channel: Channel): Promise<void> {
  try {
    await channel.close();
  } catch {
    // That is what was wanted.
  }
}
