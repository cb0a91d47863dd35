import { setTimeout as sleep } from 'node:timers/promises';
import type { ChannelModel } from 'amqplib';
import { splitHosts } from '../config/hosts.ts';
import type { Log } from '../log/log.ts';
import { closeConnection, openConnection } from './connection.ts';
import { CONFIRM_LIMIT_MS, LONGEST_DELAY_MS } from './limits.ts';
import { describeBrokerError } from './refusals/describe.ts';
import { RefusalRecord } from './refusals/record.ts';
import { alarmed } from './refusals/refusal.ts';
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
  /** What the broker refuses now, and why. */
  readonly refusals = new RefusalRecord();
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
        if (!signal.aborted) this.#lose(error, failures);
      }
      if (signal.aborted) return;
      if (Date.now() - startedAt > LONGEST_DELAY_MS) failures = 0;
      const longest = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(failures, 10));
      await sleep(Math.random() * longest, undefined, { signal }).catch(() => undefined);
    }
  }

  #lose(error: unknown, failures: number): void {
    const refusal = describeBrokerError(error);
    this.refusals.connection(refusal);
    this.#options.log.warn({ ...refusal, failures }, 'waiting for RabbitMQ');
  }

  // Runs as long as one connection lasts; throws the reason of its end.
  async #session(): Promise<void> {
    const url = this.#urls[this.#turn % this.#urls.length] ?? '';
    this.#turn += 1;
    const model = await openConnection(withHeartbeat(url), this.#options.name);
    const over = new AbortController();
    let keeping: Promise<unknown> = Promise.resolve();
    let closing: Promise<void> | undefined;
    // Close the channels first: the end of the connection overtakes what the channels sent last, such as an answer or an
    // acknowledgement.
    const close = (): Promise<void> => {
      over.abort();
      return (closing ??= keeping.then(() => closeConnection(model)));
    };
    this.#close = close;
    const ended = new Promise<never>((_, reject) => {
      const end = (reason: unknown) =>
        reject(reason instanceof Error ? reason : new Error('connection closed'));
      model.on('error', end);
      model.on('close', end);
      model.on('blocked', (reason: unknown) => this.#setBlocked(true, reason));
      model.on('unblocked', () => this.#setBlocked(false));
    });
    // If we are already stopping, nobody awaits this promise.
    ended.catch(() => undefined);
    try {
      if (this.#stopping.signal.aborted) return;
      this.#connected = true;
      this.refusals.connection(undefined);
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
    const { log } = this.#options;
    return keepSetUp(setUp, { model, ended, log, standing, refusals: this.refusals });
  }

  #setBlocked(blocked: boolean, reason?: unknown): void {
    this.#blocked = blocked;
    const { log } = this.#options;
    const refusal = blocked ? alarmed(reason) : undefined;
    this.refusals.alarm(refusal);
    if (refusal) log.warn(refusal, 'RabbitMQ accepts no messages');
    else log.info('RabbitMQ accepts messages again');
  }
}

// A heartbeat in the operator's URL stays as it is.
function withHeartbeat(text: string): string {
  const url = new URL(text);
  if (!url.searchParams.has('heartbeat')) url.searchParams.set('heartbeat', String(HEARTBEAT_S));
  return url.href;
}
