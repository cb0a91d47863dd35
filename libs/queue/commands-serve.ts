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
  decodeCommand,
  describeRefusal,
  encodeOutcome,
  ENDED,
  TAKEN,
  type Command,
  type Outcome,
} from './commands-wire.ts';
import { assertCommandQueue, type Topology } from './topology.ts';

const DEFAULT_PREFETCH = 8;
const CANCEL_LIMIT_MS = 2000;
// What lay in a broker that did not answer for a while; far above what clocks of two hosts differ by.
const STALE_MS = 10_000;
// Callers wait longer than this to hear that a command is taken, and not much longer.
const STALL_MS = 3000;

/** Does what a command asks; the result must be JSON. A RequestError travels to the caller, any other error as 500. */
export type CommandHandler = (body: unknown) => Promise<unknown>;

/** `stop` takes no more commands and resolves when those under way are answered. */
export type CommandServer = { stop: () => Promise<void> };

type ServeOptions = {
  topology: Topology;
  /** Names the command queue; several processes may serve one worker's. */
  worker: string;
  log: Log;
  keyring: Keyring;
  /** Commands under way in this process at most; default 8. */
  prefetch?: number;
  /** By command name. */
  handlers: Record<string, CommandHandler>;
};

/** Serves the commands of a worker on every connection, each at most once. Register before the broker starts. */
export function serveCommands(broker: Broker, options: ServeOptions): CommandServer {
  const stalls = watchStalls(STALL_MS);
  const serve = async (message: ConsumeMessage, reply: Reply): Promise<void> => {
    // Before anything is done: whoever hears nothing of it may be told that nothing was.
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

// Hands over the messages of the queue, `prefetch` at most at a time.
function consumeCommands(
  broker: Broker,
  { topology, worker, log, prefetch = DEFAULT_PREFETCH }: ServeOptions,
  serve: (message: ConsumeMessage, reply: Reply) => Promise<void>,
): CommandServer {
  const queue = topology.commandQueue(worker);
  const running = new Set<Promise<void>>();
  let current: { channel: Channel; consumerTag: string } | undefined;
  let stopping = false;

  // A command that outlived its connection is answered on the next one.
  const reply: Reply = (message, type, content) => {
    const { replyTo, correlationId } = message.properties as { replyTo: string; correlationId: string };
    current?.channel.sendToQueue(replyTo, content, { correlationId, type });
  };
  const start = (channel: Channel, message: ConsumeMessage): void => {
    const work = serve(message, reply)
      .catch((error: unknown) => log.error({ error, worker }, 'a command was not answered'))
      .finally(() => {
        running.delete(work);
        // Only now, so that no more commands than `prefetch` run here and an idle worker gets the next one.
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
    // Before there is a consumer, since what waited in the queue comes together with the word that there is one.
    current = { channel, consumerTag };
    const forget = (): void => {
      current = undefined;
    };
    const consume = (message: ConsumeMessage | null): void => {
      if (message === null) link.fail(`the consumer of ${queue} was cancelled`);
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
        const cancelled = current.channel.cancel(current.consumerTag);
        await withTimeout(CANCEL_LIMIT_MS, cancelled).catch(() => undefined);
      }
      await Promise.all(running);
    },
  };
}

// `mute`: nobody has heard that the command is ours. `late`: its caller may have given up while we stood still.
async function carryOut(
  message: ConsumeMessage,
  options: ServeOptions & { mute: boolean; late: boolean },
): Promise<Outcome> {
  const { worker, keyring, log, handlers } = options;
  const started = performance.now();
  let name = 'unknown';
  try {
    if (options.mute) throw unavailable('the message broker takes no messages; nothing was done');
    refuseSecondRun(message);
    if (options.late || isStale(message)) throw unavailable('the command came too late; nothing was done');
    const command: Command = decodeCommand(
      keyring,
      String(message.properties.correlationId),
      message.content,
    );
    const handle = Object.hasOwn(handlers, command.name) ? handlers[command.name] : undefined;
    if (!handle) throw new Error('a command that this worker does not know');
    name = command.name;
    const parent = traceFrom(message.properties.headers);
    const result =
      (await withSpan(`command ${name}`, { parent, kind: 'consumer' }, () => handle(command.body))) ?? null;
    log.info({ worker, command: name, ms: Math.round(performance.now() - started) }, 'command done');
    return { result };
  } catch (error) {
    const outcome = describeRefusal(error);
    const status = 'refusal' in outcome ? outcome.refusal.status : 500;
    const level = status === 500 ? 'error' : 'info';
    log[level](
      { error, status, worker, command: name, ms: Math.round(performance.now() - started) },
      'command refused',
    );
    return outcome;
  }
}

// Delivered before: the worker that had it is gone, and may have carried it out.
function refuseSecondRun({ fields }: ConsumeMessage): void {
  if (fields.redelivered) throw outcomeUnknown('the worker was lost while it worked');
}

function isStale({ properties }: ConsumeMessage): boolean {
  return Date.now() - Number(properties.timestamp) > STALE_MS;
}
