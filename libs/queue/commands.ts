import { randomUUID } from 'node:crypto';
import type { ConfirmChannel, ConsumeMessage, Options } from 'amqplib';
import type { Keyring } from '../crypto/keyring.ts';
import { outcomeUnknown, RequestError, unavailable } from '../errors/request-error.ts';
import type { Log } from '../log/log.ts';
import { withTimeout } from '../time/with-timeout.ts';
import type { Broker } from './broker.ts';
import { awaitConfirm, failRefused } from './confirm.ts';
import { describeBrokerError, NO_CONNECTION } from './refusals/describe.ts';
import { alarmed, BrokerRefusedError, cancelled, nacked, type BrokerRefusal } from './refusals/refusal.ts';
import type { Link } from './set-up.ts';
import { traceHeaders } from '../tracing/trace.ts';
import {
  DATABASE_HEADER,
  decodeOutcome,
  encodeCommand,
  FOREIGN,
  readOutcome,
  TAKEN,
  type Command,
} from './commands-wire.ts';
import { assertCommandQueue, type Topology } from './topology.ts';

export { serveCommands, type CommandHandler, type CommandServer } from './commands-serve.ts';
export type { Command } from './commands-wire.ts';

const REPLY_QUEUE = 'amq.rabbitmq.reply-to';
// Together they stay below the 5 s that a caller waits at most to hear that there is no worker. A command expires before
// its caller gives up: a command that the caller believes failed never runs.
const CONNECT_LIMIT_MS = 1000;
const EXPIRY_MS = 3000;
const TAKEN_LIMIT_MS = 3500;
const OTHER_DATABASE =
  'the worker that got the command works on another database: give each installation an AMQP_PREFIX or a virtual host of its own; nothing was done';
const REFUSED_TRIES = 3;
const REFUSED_WAIT_MS = 150;

/**
 * Sends a command to a worker and waits for the result. `worker` names its command queue. Throws the RequestError if the
 * worker refuses. Throws 503 if no worker takes the command within 4.5 s, if the broker is down, or if the result does
 * not come within `timeoutMs`; its text says whether the command may have been carried out. The command runs at most
 * once.
 */
export type CommandCaller = {
  call: (worker: string, command: Command, options?: { timeoutMs?: number }) => Promise<unknown>;
  /** Whether any worker is connected to take commands now, busy or not; null if the broker cannot say. */
  hasWorker: (worker: string) => Promise<boolean | null>;
};

/**
 * A running call. `taken` starts the time that the command may run. `lost` ends the call; the error depends on whether
 * the command was `sent`. `queued`: the broker has confirmed the command, which from then on expires by itself.
 */
type Waiting = {
  reply: Promise<ConsumeMessage>;
  sent: () => void;
  queued: () => void;
  taken: () => void;
  foreign: () => void;
  settle: (message: ConsumeMessage) => void;
  lost: (reason?: unknown) => void;
  /** The broker says that it did not take the command. */
  refused: (refusal: BrokerRefusal) => void;
};

/** `timeoutMs` is how long a taken command may run unless a call says otherwise. Register before the broker starts. */
export function createCommandCaller(
  broker: Broker,
  options: { topology: Topology; log: Log; keyring: Keyring; databaseId: string; timeoutMs: number },
): CommandCaller {
  const { log, keyring } = options;
  const calls = new Map<string, Waiting>();
  const receive = (message: ConsumeMessage): void => {
    const call = calls.get(String(message.properties.correlationId));
    if (message.properties.type === FOREIGN) call?.foreign();
    else if (message.properties.type === TAKEN) call?.taken();
    else call?.settle(message);
  };
  const lose = (): void => {
    for (const call of calls.values()) call.lost();
  };
  const queues = openCommandQueues(broker, options.topology, { receive, lose });
  const send = async (worker: string, id: string, command: Command, tries = REFUSED_TRIES): Promise<void> => {
    const { channel, queue, link } = await queues.open(worker);
    const call = calls.get(id);
    // The caller has meanwhile been told that nothing was done.
    if (!call) return;
    // If two processes declare a queue at the same moment, it refuses messages until its leader is ready.
    const refused = (): void => {
      if (tries <= 1) {
        call.refused(nacked(queue));
        return failRefused(broker, link, queue);
      }
      setTimeout(() => void send(worker, id, command, tries - 1).catch(call.lost), REFUSED_WAIT_MS);
    };
    const noted = awaitConfirm(broker, link, { queue, confirmed: call.queued, refused });
    const properties = propertiesOf(id, command, options.databaseId);
    channel.sendToQueue(queue, encodeCommand(keyring, id, command), properties, noted);
    call.sent();
  };

  return {
    hasWorker: async (worker) => {
      const count = await withTimeout(CONNECT_LIMIT_MS, queues.countWorkers(worker)).catch(() => null);
      return count === null ? null : count > 0;
    },
    call: async (worker, command, { timeoutMs = options.timeoutMs } = {}) => {
      const id = randomUUID();
      const call = startWaiting(worker, timeoutMs);
      calls.set(id, call);
      try {
        send(worker, id, command).catch(call.lost);
        const { content } = await call.reply;
        return readOutcome(decodeOutcome(keyring, id, content));
      } catch (error) {
        const refused = error instanceof RequestError && error.status !== 503;
        if (!refused) log.warn({ error, worker, command: command.name }, 'a command failed');
        throw error;
      } finally {
        calls.delete(id);
      }
    },
  };
}

function propertiesOf(id: string, { name }: Command, databaseId: string): Options.Publish {
  return {
    correlationId: id,
    replyTo: REPLY_QUEUE,
    type: name,
    timestamp: Date.now(),
    expiration: EXPIRY_MS,
    headers: { ...traceHeaders(), [DATABASE_HEADER]: databaseId },
  };
}

type CommandQueues = {
  /** Declares the queue of a worker, and returns it with the channel to it; waits at most a second for a connection. */
  open: (worker: string) => Promise<{ channel: ConfirmChannel; queue: string; link: Link }>;
  countWorkers: (worker: string) => Promise<number>;
};

// Replies come back on the channel that sent the command: if the connection is lost, all awaited replies are lost.
function openCommandQueues(
  broker: Broker,
  topology: Topology,
  { receive, lose }: { receive: (message: ConsumeMessage) => void; lose: () => void },
): CommandQueues {
  let opened = createDeferred<{ channel: ConfirmChannel; link: Link }>();
  let declared = new Set<string>();

  broker.use(async (link) => {
    const channel = await link.confirmChannel();
    declared = new Set();
    const consume = (message: ConsumeMessage | null) =>
      message === null ? link.fail(cancelled(REPLY_QUEUE)) : receive(message);
    await channel.consume(REPLY_QUEUE, consume, { noAck: true });
    opened.resolve({ channel, link });
    return () => {
      opened = createDeferred();
      lose();
    };
  });

  return {
    open: async (worker) => {
      const { channel, link } = await withTimeout(CONNECT_LIMIT_MS, opened.promise);
      const queue = topology.commandQueue(worker);
      if (broker.blocked) throw new BrokerRefusedError(alarmed(''));
      if (!declared.has(queue)) {
        await assertCommandQueue(channel, queue);
        declared.add(queue);
      }
      return { channel, queue, link };
    },
    countWorkers: async (worker) =>
      assertCommandQueue((await opened.promise).channel, topology.commandQueue(worker)),
  };
}

function startWaiting(worker: string, timeoutMs: number): Waiting {
  const { promise, resolve, reject } = createDeferred<ConsumeMessage>();
  let wasSent = false;
  let queuedAt = Infinity;
  const giveUp = (): void => {
    const isOver = !wasSent || performance.now() - queuedAt > EXPIRY_MS;
    const notTaken = `no ${worker} worker accepted the command in time: none is running, or all are busy; nothing was done`;
    // The broker took the command late or not at all, so it may still give it to a worker.
    reject(isOver ? unavailable(notTaken) : outcomeUnknown('the message broker did not answer in time'));
  };
  let timer = setTimeout(giveUp, CONNECT_LIMIT_MS + TAKEN_LIMIT_MS);
  return {
    reply: promise,
    sent: () => {
      wasSent = true;
    },
    queued: () => {
      queuedAt = performance.now();
    },
    taken: () => {
      clearTimeout(timer);
      const late = () => reject(outcomeUnknown(`the ${worker} worker did not answer in time`));
      timer = setTimeout(late, timeoutMs);
    },
    foreign: () => {
      clearTimeout(timer);
      reject(unavailable(OTHER_DATABASE));
    },
    settle: (message) => {
      clearTimeout(timer);
      resolve(message);
    },
    refused: (refusal) => {
      clearTimeout(timer);
      reject(unavailable(`${describeUnsent(new BrokerRefusedError(refusal))}; nothing was done`));
    },
    lost: (reason) => {
      clearTimeout(timer);
      const error = wasSent
        ? outcomeUnknown('the connection to the message broker was lost')
        : unavailable(`${describeUnsent(reason)}; nothing was done`);
      reject(error);
    },
  };
}

// Callers need no names of queues; the log has them.
function describeUnsent(reason: unknown): string {
  const { code } = describeBrokerError(reason);
  return code === NO_CONNECTION
    ? 'the message broker cannot be reached'
    : `the message broker refuses the command (${code})`;
}

type Deferred<Result> = {
  promise: Promise<Result>;
  resolve: (result: Result) => void;
  reject: (error: Error) => void;
};

// Promise.withResolvers needs Node 22.
function createDeferred<Result>(): Deferred<Result> {
  let resolve: (result: Result) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<Result>((onResult, onError) => {
    resolve = onResult;
    reject = onError;
  });
  return { promise, resolve, reject };
}
