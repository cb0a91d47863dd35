import type { Channel, ChannelModel, ConfirmChannel } from 'amqplib';
import { splitHosts } from '../config/hosts.ts';
import { withTimeout } from '../time/with-timeout.ts';
import { closeConnection, openConnection } from './connection.ts';
import { describeBrokerError } from './refusals/describe.ts';
import {
  alarmed,
  BrokerRefusedError,
  nacked,
  unanswered,
  unconfirmed,
  type BrokerRefusal,
} from './refusals/refusal.ts';

const LIMIT_MS = 5000;
const KEPT_MS = 1000;

/** How many messages a queue holds, and how many consumers read it. */
export type QueueState = { messages: number; consumers: number };

/**
 * A queue or exchange, how it is declared (absent: it is only looked at), and a message to try. `ours`: nobody else reads the
 * queue, so the message is taken back.
 */
export type Declared = {
  name: string;
  kind: 'queue' | 'exchange';
  declare?: (channel: Channel, name: string) => Promise<unknown>;
  message?: { body: string; ours: boolean };
};

/**
 * What a broker says about itself and the queues; null for a queue that nobody has declared yet. `refusals`: what it would
 * refuse a process.
 */
export type BrokerState = {
  version: string;
  queues: Map<string, QueueState | null>;
  refusals: BrokerRefusal[];
};

/**
 * Connects to the first host of a URL that answers. Declares again what is there, and sends the messages; creates nothing.
 * If no host answers, throws a BrokerRefusedError.
 */
export async function probeBroker(url: string, all: Declared[]): Promise<BrokerState> {
  const urls = splitHosts(url) ?? [url];
  for (const [index, one] of urls.entries()) {
    try {
      return await probe(one, all);
    } catch (error) {
      if (index === urls.length - 1) throw new BrokerRefusedError(describeBrokerError(error));
    }
  }
  throw new Error('the URL names no host');
}

async function probe(url: string, all: Declared[]): Promise<BrokerState> {
  const model = await openConnection(url, 'sealift-doctor');
  let alarm: BrokerRefusal | undefined;
  model.on('error', () => undefined);
  model.on('blocked', (reason: unknown) => {
    alarm = alarmed(reason);
  });
  try {
    const queues = new Map<string, QueueState | null>();
    const refusals: BrokerRefusal[] = [];
    for (const one of all) {
      const { state, refusal } = await look(model, one);
      if (one.kind === 'queue') queues.set(one.name, state);
      const found = refusal ?? (alarm || (!state && !one.message?.ours) ? null : await send(model, one));
      if (found && !alarm) refusals.push(found);
    }
    if (alarm) refusals.push(alarm);
    return { version: model.connection.serverProperties.version, queues, refusals };
  } finally {
    await closeConnection(model);
  }
}

/** `state` is null for what is not there. */
async function look(
  model: ChannelModel,
  { name, kind, declare }: Declared,
): Promise<{ state: QueueState | null; refusal: BrokerRefusal | null }> {
  let state: QueueState | null = null;
  // A refusal closes the channel, so each question gets a channel of its own.
  const missing = await ask(model, async (channel) => {
    if (kind === 'exchange') await channel.checkExchange(name);
    const found = kind === 'queue' ? await channel.checkQueue(name) : null;
    state = { messages: found?.messageCount ?? 0, consumers: found?.consumerCount ?? 0 };
  });
  if (missing) return { state, refusal: missing.code.startsWith('404') ? null : missing };
  return { state, refusal: declare ? await ask(model, (channel) => declare(channel, name)) : null };
}

async function send(model: ChannelModel, { name, message }: Declared): Promise<BrokerRefusal | null> {
  if (!message) return null;
  let answer: BrokerRefusal | null = unconfirmed(name);
  const blocked = new Promise<void>((resolve) => model.once('blocked', () => resolve()));
  const refusal = await ask(model, async (channel) => {
    const noted = new Promise<void>((resolve) => {
      channel.sendToQueue(name, Buffer.from(message.body), { expiration: KEPT_MS }, (refused: unknown) => {
        answer = refused ? nacked(name) : null;
        resolve();
      });
    });
    await withTimeout(LIMIT_MS, Promise.race([noted, blocked])).catch(() => undefined);
    if (message.ours && answer === null) await channel.get(name, { noAck: true });
  });
  return refusal ?? answer;
}

/** What the broker refuses of a question, null if it answers. */
async function ask(
  model: ChannelModel,
  question: (channel: ConfirmChannel) => Promise<unknown>,
): Promise<BrokerRefusal | null> {
  let lose: (error: unknown) => void = () => undefined;
  const lost = new Promise<never>((_, reject) => {
    lose = reject;
  });
  lost.catch(() => undefined);
  const answered = async (): Promise<void> => {
    const channel = await model.createConfirmChannel();
    channel.on('error', lose);
    await Promise.race([question(channel), lost]);
    await channel.close();
  };
  const timer = setTimeout(() => lose(new BrokerRefusedError(unanswered())), LIMIT_MS + 1000);
  try {
    await Promise.race([answered(), lost]);
    return null;
  } catch (error) {
    return describeBrokerError(error);
  } finally {
    clearTimeout(timer);
  }
}
