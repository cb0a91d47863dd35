import { randomUUID } from 'node:crypto';
import type { ConfirmChannel, ConsumeMessage, Options } from 'amqplib';
import type { Keyring } from '../crypto/keyring.ts';
import { outcomeUnknown, RequestError, unavailable } from '../errors/request-error.ts';
import type { Log } from '../log/log.ts';
import { withTimeout } from '../time/with-timeout.ts';
import type { Broker } from './broker.ts';
import { awaitConfirm } from './confirm.ts';
import type { Link } from './set-up.ts';
import { traceHeaders } from '../tracing/trace.ts';
import { decodeOutcome, encodeCommand, readOutcome, TAKEN, type Command } from './commands-wire.ts';
import { assertCommandQueue, type Topology } from './topology.ts';

export { serveCommands, type CommandHandler, type CommandServer } from './commands-serve.ts';
export type { Command } from './commands-wire.ts';

const REPLY_QUEUE = 'amq.rabbitmq.reply-to';
// Together below the 5 s that a caller waits at most to hear that nobody is there. A command expires before its caller
// gives up: what the caller was told has failed is never run.
const CONNECT_LIMIT_MS = 1000;
const EXPIRY_MS = 3000;
const TAKEN_LIMIT_MS = 3500;
const REFUSED_TRIES = 3;
const REFUSED_WAIT_MS = 150;

/**
 * Has a worker do something and waits for the result. `worker` names its command queue. Throws the RequestError the
 * worker refuses with, and 503 where no worker takes the command within 4.5 s, the broker is down, or the result does
 * not come within `timeoutMs`; its text says whether the command may have been carried out. It runs at most once.
 */
export type CommandCaller = {
  call: (worker: string, command: Command, options?: { timeoutMs?: number }) => Promise<unknown>;
  /** Whether any worker is there to take commands now, busy or not; false where the broker cannot say. */
  hasWorker: (worker: string) => Promise<boolean>;
};

/**
 * A call under way: `taken` begins the time that it may run, `lost` ends it, depending on whether it was `sent`. From
 * `queued` on, when the broker has confirmed it, it expires by itself.
 */
type Waiting = {
  reply: Promise<ConsumeMessage>;
  sent: () => void;
  queued: () => void;
  taken: () => void;
  settle: (message: ConsumeMessage) => void;
  lost: () => void;
};

/** `timeoutMs` is how long a taken command may run unless a call says otherwise. Register before the broker starts. */
export function createCommandCaller(
  broker: Broker,
  options: { topology: Topology; log: Log; keyring: Keyring; timeoutMs: number },
): CommandCaller {
  const { log, keyring } = options;
  const calls = new Map<string, Waiting>();
  const receive = (message: ConsumeMessage): void => {
    const call = calls.get(String(message.properties.correlationId));
    if (message.properties.type === TAKEN) call?.taken();
    else call?.settle(message);
  };
  const lose = (): void => {
    for (const call of calls.values()) call.lost();
  };
  const queues = openCommandQueues(broker, options.topology, { receive, lose });

  const send = async (worker: string, id: string, command: Command, tries = REFUSED_TRIES): Promise<void> => {
    const { channel, queue, fail } = await queues.open(worker);
    const call = calls.get(id);
    // The caller has been told meanwhile that nothing was done.
    if (!call) return;
    // A queue that two declare at one moment refuses what comes before its leader is there.
    const refused = (): void => {
      if (tries <= 1) return fail('a command was refused');
      setTimeout(() => void send(worker, id, command, tries - 1).catch(call.lost), REFUSED_WAIT_MS);
    };
    const noted = awaitConfirm(broker, fail, { confirmed: call.queued, refused });
    channel.sendToQueue(queue, encodeCommand(keyring, id, command), propertiesOf(id, command), noted);
    call.sent();
  };

  return {
    hasWorker: async (worker) => {
      const count = await withTimeout(CONNECT_LIMIT_MS, queues.countWorkers(worker)).catch(() => 0);
      return count > 0;
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

function propertiesOf(id: string, { name }: Command): Options.Publish {
  return {
    correlationId: id,
    replyTo: REPLY_QUEUE,
    type: name,
    timestamp: Date.now(),
    expiration: EXPIRY_MS,
    headers: traceHeaders(),
  };
}

type CommandQueues = {
  /** The queue of a worker, declared, and the channel to it; waits a second at most for a connection. */
  open: (worker: string) => Promise<{ channel: ConfirmChannel; queue: string; fail: Link['fail'] }>;
  countWorkers: (worker: string) => Promise<number>;
};

// Replies come back on the channel that the command went out on: with the connection, every reply under way is lost.
function openCommandQueues(
  broker: Broker,
  topology: Topology,
  { receive, lose }: { receive: (message: ConsumeMessage) => void; lose: () => void },
): CommandQueues {
  let opened = createDeferred<ConfirmChannel>();
  let fail: Link['fail'] = () => undefined;
  let declared = new Set<string>();

  broker.use(async (link) => {
    const channel = await link.confirmChannel();
    declared = new Set();
    fail = link.fail;
    const consume = (message: ConsumeMessage | null) =>
      message === null ? link.fail('the consumer of replies was cancelled') : receive(message);
    await channel.consume(REPLY_QUEUE, consume, { noAck: true });
    opened.resolve(channel);
    return () => {
      opened = createDeferred();
      lose();
    };
  });

  return {
    open: async (worker) => {
      const channel = await withTimeout(CONNECT_LIMIT_MS, opened.promise);
      const queue = topology.commandQueue(worker);
      if (broker.blocked) throw new Error('the broker takes no messages');
      if (!declared.has(queue)) {
        await assertCommandQueue(channel, queue);
        declared.add(queue);
      }
      return { channel, queue, fail };
    },
    countWorkers: async (worker) => assertCommandQueue(await opened.promise, topology.commandQueue(worker)),
  };
}

function startWaiting(worker: string, timeoutMs: number): Waiting {
  const { promise, resolve, reject } = createDeferred<ConsumeMessage>();
  let wasSent = false;
  let queuedAt = Infinity;
  const giveUp = (): void => {
    const isOver = !wasSent || performance.now() - queuedAt > EXPIRY_MS;
    const notTaken = `no ${worker} worker took the command in time: none runs, or all are busy; nothing was done`;
    // What the broker was slow to take may be given to a worker still.
    reject(isOver ? unavailable(notTaken) : outcomeUnknown('the message broker is slow'));
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
    settle: (message) => {
      clearTimeout(timer);
      resolve(message);
    },
    lost: () => {
      clearTimeout(timer);
      const error = wasSent
        ? outcomeUnknown('the connection to the message broker was lost')
        : unavailable('the message broker cannot be reached; nothing was done');
      reject(error);
    },
  };
}

type Deferred<Result> = {
  promise: Promise<Result>;
  resolve: (result: Result) => void;
  reject: (error: Error) => void;
};

// Promise.withResolvers came with Node 22.
function createDeferred<Result>(): Deferred<Result> {
  let resolve: (result: Result) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<Result>((onResult, onError) => {
    resolve = onResult;
    reject = onError;
  });
  return { promise, resolve, reject };
}
