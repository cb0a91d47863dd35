import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import type { Log } from '../log/log.ts';
import { traceFrom, traceHeaders, withSpan } from '../tracing/trace.ts';
import { createValidator } from '../validation/validator.ts';
import { Type } from 'typebox';
import type { Broker } from './broker.ts';
import { assertConnectorQueue, assertDeadLetters, type Topology } from './topology.ts';

const DESTINATIONS_PER_MESSAGE = 50;
// A call costs the broker more than the write that it tells of, and the calls of one moment all say the same: the first
// goes out at once, those that follow within this time go out together.
const GATHER_MS = 10;

/** A work notification: these destinations have work in their rows. Never a value, never the truth. */
const wakeSchema = Type.Object({ destinations: Type.Array(Type.Integer(), { minItems: 1 }) });
const checkWake = createValidator(wakeSchema);

/** Destination ids by destination type. */
export type Wakes = Map<string, number[]>;

/** Sends work notifications, a hundred a second and type at most; a broker that is down costs nothing but the time until the next sweep. */
export type WakeSender = { send: (wakes: Wakes) => void };

/** One message or more; it belongs to the trace of the request that it was begun for. */
type Call = { ids: Set<number>; headers: Record<string, string> };

export function createWakeSender(broker: Broker, topology: Topology, log: Log): WakeSender {
  let channel: ConfirmChannel | undefined;
  let declared = new Set<string>();
  // By type: the next call, while the time runs that the call before it began.
  const gathering = new Map<string, Call>();
  broker.use(async (link) => {
    channel = await link.confirmChannel();
    declared = new Set();
    return () => {
      channel = undefined;
    };
  });

  const publish = async (open: ConfirmChannel, type: string, call: Call): Promise<void> => {
    const queue = topology.connectorQueue(type);
    if (!declared.has(queue)) {
      await assertConnectorQueue(open, queue);
      declared.add(queue);
    }
    const ids = [...call.ids];
    for (let start = 0; start < ids.length; start += DESTINATIONS_PER_MESSAGE) {
      const body = JSON.stringify({ destinations: ids.slice(start, start + DESTINATIONS_PER_MESSAGE) });
      open.sendToQueue(queue, Buffer.from(body), {
        persistent: true,
        contentType: 'application/json',
        headers: call.headers,
      });
    }
  };

  const sendNow = (type: string, call: Call): void => {
    gathering.set(type, { ids: new Set(), headers: {} });
    setTimeout(sendGathered, GATHER_MS, type);
    // What waited for a broker that takes nothing would grow for as long as it does not.
    if (!channel || broker.blocked) return;
    publish(channel, type, call).catch((error: unknown) => {
      log.warn({ error, type }, 'a work notification was not sent; the sweep will find the work');
    });
  };

  const sendGathered = (type: string): void => {
    const call = gathering.get(type);
    gathering.delete(type);
    if (call && call.ids.size > 0) sendNow(type, call);
  };

  return {
    send: (wakes) => {
      for (const [type, ids] of wakes) {
        const next = gathering.get(type);
        if (!next) {
          sendNow(type, { ids: new Set(ids), headers: traceHeaders() });
          continue;
        }
        if (next.ids.size === 0) next.headers = traceHeaders();
        for (const id of ids) next.ids.add(id);
      }
    },
  };
}

/** What a consumer does with a work notification; resolves once the work is somebody's in Postgres, then the message is acknowledged. */
export type WakeHandler = (destinationIds: number[]) => Promise<void>;

/** Consumes the work notifications of one type on every connection; an unreadable message goes to the dead letters, and `onDeadLetter` is called. */
export function consumeWakes(
  broker: Broker,
  options: {
    topology: Topology;
    type: string;
    prefetch: number;
    log: Log;
    handle: WakeHandler;
    onDeadLetter?: () => void;
  },
): void {
  broker.use(async (link) => {
    const channel = await link.confirmChannel();
    const queue = options.topology.connectorQueue(options.type);
    await assertConnectorQueue(channel, queue);
    await assertDeadLetters(channel, options.topology.deadLetters);
    await channel.prefetch(options.prefetch);
    let open = true;
    const settle = async (message: ConsumeMessage): Promise<void> => {
      const ids = parseWake(message);
      if (ids) {
        const parent = traceFrom(message.properties.headers);
        await withSpan(`wake ${options.type}`, { parent, kind: 'consumer' }, () => options.handle(ids));
      } else {
        await deadLetter(channel, options.topology.deadLetters, queue, message);
        options.onDeadLetter?.();
      }
      if (open) channel.ack(message);
    };
    await channel.consume(queue, (message) => {
      if (message === null) return link.fail(`the consumer of ${queue} was cancelled`);
      settle(message).catch((error: unknown) => {
        options.log.warn({ error }, 'a work notification was handed back');
        // Not at once: what failed would fail again.
        setTimeout(() => {
          if (open) channel.nack(message);
        }, 1000).unref();
      });
    });
    return () => {
      open = false;
    };
  });
}

function parseWake(message: ConsumeMessage): number[] | undefined {
  try {
    const checked = checkWake(JSON.parse(message.content.toString()));
    return 'value' in checked ? checked.value.destinations : undefined;
  } catch {
    return undefined;
  }
}

async function deadLetter(
  channel: ConfirmChannel,
  deadLetters: string,
  queue: string,
  message: ConsumeMessage,
): Promise<void> {
  channel.sendToQueue(deadLetters, message.content, {
    persistent: true,
    headers: {
      'x-sealift-queue': queue,
      'x-sealift-reason': 'unreadable',
      'x-sealift-at': new Date().toISOString(),
    },
  });
  await channel.waitForConfirms();
}
