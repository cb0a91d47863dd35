import { randomUUID } from 'node:crypto';
import type { Channel, ConsumeMessage } from 'amqplib';
import type { Keyring } from '../crypto/keyring.ts';
import { outcomeUnknown, unavailable } from '../errors/request-error.ts';
import type { Log } from '../log/log.ts';
import { traceFrom, withSpan } from '../tracing/trace.ts';
import { watchStalls } from '../time/stalls.ts';
import { withTimeout } from '../time/with-timeout.ts';
import type { Broker } from './broker.ts';
import {
  DATABASE_HEADER,
  decodeCommand,
  describeCommandError,
  encodeOutcome,
  ENDED,
  FOREIGN,
  TAKEN,
  type Command,
  type Outcome,
} from './commands-wire.ts';
import { cancelled } from './refusals/refusal.ts';
import { assertCommandQueue, type Topology } from './topology.ts';

const DEFAULT_PREFETCH = 8;
const CANCEL_LIMIT_MS = 2000;
// A command older than this lay in a broker that did not answer for a while. The clocks of two hosts differ far less.
const STALE_MS = 10_000;
// Callers wait a little longer than this to hear that a worker has taken the command.
const STALL_MS = 3000;

/**
 * Does what a command asks; the result must be JSON. A RequestError goes to the caller as it is, any other error as 500.
 */
export type CommandHandler = (body: unknown) => Promise<unknown>;

/** `stop` takes no more commands and resolves when the running ones are answered. */
export type CommandServer = { stop: () => Promise<void> };

type ServeOptions = {
  topology: Topology;
  /** Names the command queue; several processes may serve the same worker's queue. */
  worker: string;
  log: Log;
  keyring: Keyring;
  databaseId: string;
  /** The most commands that this process runs at a time; default 8. */
  prefetch?: number;
  /** By command name. */
  handlers: Record<string, CommandHandler>;
};

/** Serves the commands of a worker on every connection, each at most once. Register before the broker starts. */
export function serveCommands(broker: Broker, options: ServeOptions): CommandServer {
  const stalls = watchStalls(STALL_MS);
  const serve = async (message: ConsumeMessage, reply: Reply): Promise<void> => {
    if (isForeign(message, options.databaseId)) {
      options.log.warn(
        { worker: options.worker },
        'refused a command of an installation that uses the same queues with another database: set AMQP_PREFIX',
      );
      return reply(message, FOREIGN, Buffer.alloc(0));
    }
    // Reply before doing anything: a caller that gets no such reply may be told that nothing was done.
    reply(message, TAKEN, Buffer.alloc(0));
    const id = String(message.properties.correlationId);
    const outcome = await carryOut(message, {
      mute: broker.blocked,
      late: stalls.justEnded(),
      ...options,
    });
    reply(message, ENDED, encodeOutcome(options.keyring, id, outcome));
  };
  const consumer = consumeCommands(broker, options, serve);
  return {
    stop: async () => {
      await consumer.stop();
      stalls.stop();
    },
  };
}

type Reply = (message: ConsumeMessage, type: string, content: Buffer) => void;

// Hands over the messages of the queue, at most `prefetch` at a time.
function consumeCommands(
  broker: Broker,
  { topology, worker, log, prefetch = DEFAULT_PREFETCH }: ServeOptions,
  serve: (message: ConsumeMessage, reply: Reply) => Promise<void>,
): CommandServer {
  const queue = topology.commandQueue(worker);
  const running = new Set<Promise<void>>();
  let current: { channel: Channel; consumerTag: string } | undefined;
  let stopping = false;

  // A command that outlived its connection is answered on the next connection.
  const reply: Reply = (message, type, content) => {
    const { replyTo, correlationId } = message.properties as { replyTo: string; correlationId: string };
    current?.channel.sendToQueue(replyTo, content, { correlationId, type });
  };
  const start = (channel: Channel, message: ConsumeMessage): void => {
    const work = serve(message, reply)
      .catch((error: unknown) => log.error({ error, worker }, 'a command was not answered'))
      .finally(() => {
        running.delete(work);
        // Acknowledge only now, so that at most `prefetch` commands run here and an idle worker gets the next one.
        if (current?.channel === channel) channel.ack(message);
      });
    running.add(work);
  };

  broker.use(async (link) => {
    if (stopping) return;
    const channel = await link.channel();
    await assertCommandQueue(channel, queue);
    await channel.prefetch(prefetch);
    const consumerTag = randomUUID();
    // Set before there is a consumer: messages that waited in the queue arrive together with the broker's confirmation of
    // the consumer.
    current = { channel, consumerTag };
    const forget = (): void => {
      current = undefined;
    };
    const consume = (message: ConsumeMessage | null): void => {
      if (message === null) link.fail(cancelled(queue));
      else start(channel, message);
    };
    await channel.consume(queue, consume, { consumerTag }).catch((error: unknown) => {
      forget();
      throw error;
    });
    return forget;
  });

  return {
    stop: async () => {
      stopping = true;
      if (current) {
        const ending = current.channel.cancel(current.consumerTag);
        await withTimeout(CANCEL_LIMIT_MS, ending).catch(() => undefined);
      }
      await Promise.all(running);
    },
  };
}

// `mute`: our reply that we took the command did not go out. `late`: the caller may have given up while this process
// stalled.
async function carryOut(
  message: ConsumeMessage,
  options: ServeOptions & { mute: boolean; late: boolean },
): Promise<Outcome> {
  const { worker, keyring, log, handlers } = options;
  const started = performance.now();
  let name = 'unknown';
  try {
    if (options.mute) throw unavailable('the message broker accepts no messages; nothing was done');
    refuseSecondRun(message);
    if (options.late) throw unavailable('the command came too late; nothing was done');
    if (isStale(message)) throw tooOld(message, log);
    const command: Command = decodeCommand(
      keyring,
      String(message.properties.correlationId),
      message.content,
    );
    const handle = Object.hasOwn(handlers, command.name) ? handlers[command.name] : undefined;
    if (!handle) throw new Error('this worker does not know the command');
    name = command.name;
    const parent = traceFrom(message.properties.headers);
    const result =
      (await withSpan(`command ${name}`, { parent, kind: 'consumer' }, () => handle(command.body))) ?? null;
    log.info({ worker, command: name, ms: Math.round(performance.now() - started) }, 'command done');
    return { result };
  } catch (error) {
    const outcome = describeCommandError(error);
    const status = 'refusal' in outcome ? outcome.refusal.status : 500;
    const level = status === 500 ? 'error' : 'info';
    log[level](
      { error, status, worker, command: name, ms: Math.round(performance.now() - started) },
      'command refused',
    );
    return outcome;
  }
}

// A message leaves the queue after a few seconds: far older ones are rare, clocks that differ are not.
function tooOld({ properties }: ConsumeMessage, log: Log): Error {
  const seconds = Math.round((Date.now() - Number(properties.timestamp)) / 1000);
  const text = `by the clock of the worker the command came ${seconds} s after it was sent: its clock and that of the API differ, or the message broker stood still`;
  log.warn({ seconds }, text);
  return unavailable(`${text}; nothing was done`);
}

// A redelivered command was with another worker. That worker is gone, and may have carried it out.
function refuseSecondRun({ fields }: ConsumeMessage): void {
  if (fields.redelivered)
    throw outcomeUnknown('the connection to the worker was lost while it processed the command');
}

// A restored backup or a second installation may use the queues of this one: what it asks must not happen here. A caller
// of an older version does not tell its database.
function isForeign({ properties }: ConsumeMessage, databaseId: string): boolean {
  const wantedDatabase: unknown = properties.headers?.[DATABASE_HEADER];
  return wantedDatabase !== undefined && wantedDatabase !== databaseId;
}

function isStale({ properties }: ConsumeMessage): boolean {
  return Date.now() - Number(properties.timestamp) > STALE_MS;
}
