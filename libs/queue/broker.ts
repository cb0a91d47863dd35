import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Channel, type ChannelModel, type ConfirmChannel } from 'amqplib';
import type { Log } from '../log/log.ts';
import { withTimeout } from '../time/with-timeout.ts';

const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 5000;
const CLOSE_LIMIT_MS = 2000;
// A machine that vanished closes nothing: its silence is noticed after two or three of these. RabbitMQ asks for 60.
const HEARTBEAT_S = 10;

/** What one live connection offers a set-up function: channels whose failure rebuilds the whole connection. */
export type Link = {
  channel: () => Promise<Channel>;
  confirmChannel: () => Promise<ConfirmChannel>;
  /** Gives the connection up; it is built anew with every set-up run again. */
  fail: (reason: string) => void;
};

/** Runs on every (re)connect; returns what to forget when the connection is lost. */
export type SetUp = (link: Link) => Promise<(() => void) | void>;

/**
 * One supervised connection to RabbitMQ. Whatever breaks (socket, channel, a consumer cancelled because its queue was
 * deleted), everything is closed and built again with exponential backoff, for ever, until `stop`.
 */
export class Broker {
  readonly #options: { url: string; name: string; log: Log };
  readonly #setUps: SetUp[] = [];
  #close: (() => Promise<void>) | undefined;
  #forget: (() => void)[] = [];
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #ready = false;
  #blocked = false;

  constructor(options: { url: string; name: string; log: Log }) {
    this.#options = options;
  }

  /** Registers a set-up; must come before `start`. */
  use(setUp: SetUp): void {
    this.#setUps.push(setUp);
  }

  /** Begins to connect in the background; never throws for a broker that is down. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** True while connected with every set-up done, and the broker reads what it is sent. */
  get ready(): boolean {
    return this.#ready && !this.#blocked;
  }

  /** True while the broker, short of memory or disk, reads nothing on this connection: whatever is sent waits here. */
  get blocked(): boolean {
    return this.#blocked;
  }

  /** Idempotent; resolves when the connection is closed. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#close?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    for (let failures = 0; !signal.aborted; failures += 1) {
      const startedAt = Date.now();
      try {
        await this.#session();
      } catch (error) {
        if (!signal.aborted) this.#options.log.warn({ error, failures }, 'waiting for RabbitMQ');
      }
      if (signal.aborted) return;
      if (Date.now() - startedAt > LONGEST_DELAY_MS) failures = 0;
      const longest = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(failures, 10));
      await sleep(Math.random() * longest, undefined, { signal }).catch(() => undefined);
    }
  }

  // Lives as long as one connection does; throws the reason of its end.
  async #session(): Promise<void> {
    // Nagle's algorithm costs 40 ms on every message of an idle connection.
    const model = await connect(withHeartbeat(this.#options.url), {
      noDelay: true,
      timeout: 5000,
      clientProperties: { connection_name: this.#options.name },
    });
    const channels: Channel[] = [];
    let closing: Promise<void> | undefined;
    const close = (): Promise<void> => (closing ??= closeQuietly(model, channels));
    this.#close = close;
    const ended = new Promise<never>((_, reject) => {
      const end = (reason: unknown) =>
        reject(reason instanceof Error ? reason : new Error('connection closed'));
      model.on('error', end);
      model.on('close', end);
      model.on('blocked', () => this.#setBlocked(true));
      model.on('unblocked', () => this.#setBlocked(false));
      void this.#setUpAll(model, channels, end).catch(end);
    });
    // Nobody waits for it where we are stopping already.
    ended.catch(() => undefined);
    try {
      if (this.#stopping.signal.aborted) return;
      await ended;
    } finally {
      this.#ready = false;
      this.#blocked = false;
      for (const forget of this.#forget.splice(0)) forget();
      await close();
    }
  }

  async #setUpAll(model: ChannelModel, channels: Channel[], end: (reason: unknown) => void): Promise<void> {
    const watch = <Kind extends Channel>(channel: Kind): Kind => {
      channels.push(channel);
      channel.on('error', end);
      channel.on('close', end);
      return channel;
    };
    const link: Link = {
      channel: async () => watch(await model.createChannel()),
      confirmChannel: async () => watch(await model.createConfirmChannel()),
      fail: (reason) => end(new Error(reason)),
    };
    for (const setUp of this.#setUps) {
      const forget = await setUp(link);
      if (forget) this.#forget.push(forget);
    }
    this.#ready = true;
    this.#options.log.info('connected to RabbitMQ');
  }

  #setBlocked(blocked: boolean): void {
    this.#blocked = blocked;
    const { log } = this.#options;
    if (blocked) log.warn('RabbitMQ takes no messages: it is short of memory or disk');
    else log.info('RabbitMQ takes messages again');
  }
}

// What the operator has set in the URL stays.
function withHeartbeat(text: string): string {
  const url = new URL(text);
  if (!url.searchParams.has('heartbeat')) url.searchParams.set('heartbeat', String(HEARTBEAT_S));
  return url.href;
}

// Channels first: the word that ends a connection overtakes what they sent last, be it an answer or an acknowledgement.
async function closeQuietly(model: ChannelModel, channels: Channel[]): Promise<void> {
  const closed = Promise.allSettled(channels.map(async (channel) => channel.close())).then(() =>
    model.close(),
  );
  // Closing waits for the broker's answer, which a dead one never gives.
  await withTimeout(CLOSE_LIMIT_MS, closed).catch(() => undefined);
  // A broker that reads nothing would keep it open, and with it the process.
  streamOf(model)?.destroy(new Error('RabbitMQ does not answer'));
}

// amqplib's types leave it out.
function streamOf(model: ChannelModel): Duplex | undefined {
  return (model.connection as { stream?: Duplex }).stream;
}
