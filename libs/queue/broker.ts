import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type ChannelModel } from 'amqplib';
import { splitHosts } from '../config/hosts.ts';
import type { Log } from '../log/log.ts';
import { withTimeout } from '../time/with-timeout.ts';
import { CLOSE_LIMIT_MS, CONFIRM_LIMIT_MS, LONGEST_DELAY_MS } from './limits.ts';
import { keepSetUp, type SetUp } from './set-up.ts';

const FIRST_DELAY_MS = 200;
// A machine that vanished closes no connection: we notice its silence after two or three heartbeats. RabbitMQ suggests 60
// s.
const HEARTBEAT_S = 10;

type BrokerOptions = { url: string; name: string; log: Log; confirmLimitMs?: number };

/**
 * One supervised connection to RabbitMQ. Its URL may name several hosts: each attempt goes to the next host, for ever,
 * with exponential backoff, until `stop`. If the channel of a set-up breaks, the set-up runs again by itself.
 */
export class Broker {
  /** How long a message may stay unconfirmed before its channel is renewed. */
  readonly confirmLimitMs: number;
  readonly #options: BrokerOptions;
  readonly #urls: string[];
  // A random start, so that processes that start together do not all go to the first host.
  #turn = Math.floor(Math.random() * 1000);
  readonly #setUps: SetUp[] = [];
  #close: (() => Promise<void>) | undefined;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  readonly #standing = new Set<SetUp>();
  #connected = false;
  #blocked = false;

  constructor(options: BrokerOptions) {
    this.#options = options;
    this.confirmLimitMs = options.confirmLimitMs ?? CONFIRM_LIMIT_MS;
    this.#urls = splitHosts(options.url) ?? [options.url];
  }

  /** Registers a set-up; must come before `start`. */
  use(setUp: SetUp): void {
    this.#setUps.push(setUp);
  }

  /** Begins to connect in the background; never throws for a broker that is down. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** True while connected with every set-up done, and while the broker reads what we send. */
  get ready(): boolean {
    return this.#connected && this.#standing.size === this.#setUps.length && !this.#blocked;
  }

  /**
   * True while the broker is short of memory or disk and reads nothing on this connection. Whatever we send then waits in
   * this process.
   */
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

  // Runs as long as one connection lasts; throws the reason of its end.
  async #session(): Promise<void> {
    const url = this.#urls[this.#turn % this.#urls.length] ?? '';
    this.#turn += 1;
    // Nagle's algorithm costs 40 ms on every message of an idle connection.
    const model = await connect(withHeartbeat(url), {
      noDelay: true,
      timeout: 5000,
      clientProperties: { connection_name: this.#options.name },
    });
    const over = new AbortController();
    let keeping: Promise<unknown> = Promise.resolve();
    let closing: Promise<void> | undefined;
    // Close the channels first: the end of the connection overtakes what the channels sent last, such as an answer or an
    // acknowledgement.
    const close = (): Promise<void> => {
      over.abort();
      return (closing ??= keeping.then(() => closeQuietly(model)));
    };
    this.#close = close;
    const ended = new Promise<never>((_, reject) => {
      const end = (reason: unknown) =>
        reject(reason instanceof Error ? reason : new Error('connection closed'));
      model.on('error', end);
      model.on('close', end);
      model.on('blocked', () => this.#setBlocked(true));
      model.on('unblocked', () => this.#setBlocked(false));
    });
    // If we are already stopping, nobody awaits this promise.
    ended.catch(() => undefined);
    try {
      if (this.#stopping.signal.aborted) return;
      this.#connected = true;
      keeping = Promise.all(this.#setUps.map((setUp) => this.#keep(setUp, model, over.signal)));
      await ended;
    } finally {
      this.#connected = false;
      this.#blocked = false;
      await close();
    }
  }

  #keep(setUp: SetUp, model: ChannelModel, ended: AbortSignal): Promise<void> {
    const standing = (isDone: boolean): void => {
      if (!isDone) return void this.#standing.delete(setUp);
      this.#standing.add(setUp);
      if (this.#standing.size === this.#setUps.length) this.#options.log.info('connected to RabbitMQ');
    };
    return keepSetUp(setUp, { model, ended, log: this.#options.log, standing });
  }

  #setBlocked(blocked: boolean): void {
    this.#blocked = blocked;
    const { log } = this.#options;
    if (blocked) log.warn('RabbitMQ accepts no messages: it is short of memory or disk space');
    else log.info('RabbitMQ accepts messages again');
  }
}

// A heartbeat in the operator's URL stays as it is.
function withHeartbeat(text: string): string {
  const url = new URL(text);
  if (!url.searchParams.has('heartbeat')) url.searchParams.set('heartbeat', String(HEARTBEAT_S));
  return url.href;
}

async function closeQuietly(model: ChannelModel): Promise<void> {
  await withTimeout(CLOSE_LIMIT_MS, model.close()).catch(() => undefined);
  // A broker that reads nothing would keep the connection open, and so the process alive.
  streamOf(model)?.destroy(new Error('RabbitMQ does not answer'));
}

// amqplib's types omit the stream.
function streamOf(model: ChannelModel): Duplex | undefined {
  return (model.connection as { stream?: Duplex }).stream;
}
