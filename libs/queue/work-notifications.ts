import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import type { Log } from '../log/log.ts';
import { traceFrom, traceHeaders, withSpan } from '../tracing/trace.ts';
import { createValidator } from '../validation/validator.ts';
import { Type } from 'typebox';
import type { Broker } from './broker.ts';
import { awaitConfirm } from './confirm.ts';
import { describeBrokerError } from './refusals/describe.ts';
import { cancelled } from './refusals/refusal.ts';
import type { Link } from './set-up.ts';
import { assertConnectorQueue, assertDeadLetters, type Topology } from './topology.ts';

// Several workers share a large change, and no message is larger than a kilobyte.
const DESTINATIONS_PER_MESSAGE = 50;
// A notification costs the broker more than the write that it reports, and notifications of one moment all say the same.
// So the first one goes out at once, and those that follow within this time go out together.
const GATHER_MS = 10;
// Until then, an upgrade or a change of the shape has replaced the processes that used the other queue.
const REPLACED_AFTER_MS = 10 * 60_000;

/** Destinations with due rows. A notification never holds a value, and the rows alone are the truth. */
const bodySchema = Type.Object({ destinations: Type.Array(Type.Integer(), { minItems: 1 }) });
const checkBody = createValidator(bodySchema);

/** Ids of destinations that have work, by destination type. */
export type DueWork = Map<string, number[]>;

/**
 * Notifies the workers about work, at most a hundred times a second for each type. If the broker is down, the work only
 * waits until the next sweep.
 */
export type NotifyWork = (due: DueWork) => void;

/** One or more messages. They belong to the trace of the request that began the notification. */
type Notification = { ids: Set<number>; headers: Record<string, string> };

/** Register before the broker starts. */
export function createWorkNotifier(broker: Broker, topology: Topology, log: Log): NotifyWork {
  const publish = createPublisher(broker, topology, log);
  // By type: the next notification, while GATHER_MS runs after the one before it.
  const gathering = new Map<string, Notification>();

  const sendNow = (type: string, notification: Notification): void => {
    gathering.set(type, { ids: new Set(), headers: {} });
    setTimeout(sendGathered, GATHER_MS, type);
    publish(type, notification);
  };

  const sendGathered = (type: string): void => {
    const notification = gathering.get(type);
    gathering.delete(type);
    if (notification && notification.ids.size > 0) sendNow(type, notification);
  };

  return (due) => {
    for (const [type, ids] of due) {
      const next = gathering.get(type);
      if (!next) {
        sendNow(type, { ids: new Set(ids), headers: traceHeaders() });
        continue;
      }
      if (next.ids.size === 0) next.headers = traceHeaders();
      for (const id of ids) next.ids.add(id);
    }
  };
}

function createPublisher(
  broker: Broker,
  topology: Topology,
  log: Log,
): (type: string, notification: Notification) => void {
  let current: { channel: ConfirmChannel; link: Link } | undefined;
  let declared = new Set<string>();
  broker.use(async (link) => {
    current = { channel: await link.confirmChannel(), link };
    declared = new Set();
    return () => {
      current = undefined;
    };
  });

  const publish = async (
    { channel, link }: NonNullable<typeof current>,
    type: string,
    notification: Notification,
  ): Promise<void> => {
    const queue = topology.connectorQueue(type);
    if (!declared.has(queue)) {
      await assertConnectorQueue(channel, queue, topology.workQueueKind);
      declared.add(queue);
    }
    const ids = [...notification.ids];
    for (let start = 0; start < ids.length; start += DESTINATIONS_PER_MESSAGE) {
      const body = JSON.stringify({ destinations: ids.slice(start, start + DESTINATIONS_PER_MESSAGE) });
      const properties = {
        // The sweep finds what a restart of the broker loses; a quorum queue keeps it all the same.
        persistent: false,
        contentType: 'application/json',
        headers: notification.headers,
      };
      channel.sendToQueue(queue, Buffer.from(body), properties, awaitConfirm(broker, link, { queue }));
    }
  };

  return (type, notification) => {
    // Notifications that wait for a blocked broker would take more and more memory.
    if (!current || broker.blocked) return;
    publish(current, type, notification).catch((error: unknown) => {
      log.warn(
        { ...describeBrokerError(error), type },
        'a work notification was not sent; the sweep will find the work',
      );
    });
  };
}

/**
 * What a consumer does with a work notification. When it resolves, the work is claimed in Postgres, and the message is
 * acknowledged.
 */
export type WorkHandler = (destinationIds: number[]) => Promise<void>;

/**
 * Consumes the work notifications of one type on every connection. An unreadable message goes to the dead letters, and
 * `onDeadLetter` is called.
 */
export function consumeWorkNotifications(
  broker: Broker,
  options: {
    topology: Topology;
    type: string;
    prefetch: number;
    log: Log;
    handle: WorkHandler;
    onDeadLetter?: () => void;
    /** When to delete the queue of another AMQP_URL, if nobody reads it. */
    replacedAfterMs?: number;
  },
): void {
  broker.use(async (link) => {
    const channel = await link.confirmChannel();
    const queue = options.topology.connectorQueue(options.type);
    await assertConnectorQueue(channel, queue, options.topology.workQueueKind);
    await assertDeadLetters(channel, options.topology.deadLetters);
    await channel.prefetch(options.prefetch);
    let open = true;
    const settle = async (message: ConsumeMessage): Promise<void> => {
      const ids = readDestinations(message);
      if (ids) {
        const parent = traceFrom(message.properties.headers);
        await withSpan(`work notification ${options.type}`, { parent, kind: 'consumer' }, () =>
          options.handle(ids),
        );
      } else {
        await deadLetter(channel, options.topology.deadLetters, queue, message);
        options.onDeadLetter?.();
      }
      if (open) channel.ack(message);
    };
    await channel.consume(queue, (message) => {
      if (message === null) return link.fail(cancelled(queue));
      settle(message).catch((error: unknown) => {
        options.log.warn({ error }, 'a work notification goes back to its queue');
        // Hand it back a second later: at once, it would fail again.
        setTimeout(() => {
          if (open) channel.nack(message);
        }, 1000).unref();
      });
    });
    const other = options.topology.otherConnectorQueue(options.type);
    const timer = setTimeout(
      () => void deleteUnread(link, other, options.log),
      options.replacedAfterMs ?? REPLACED_AFTER_MS,
    ).unref();
    return () => {
      open = false;
      clearTimeout(timer);
    };
  });
}

// Its messages may go: the sweep finds their work.
async function deleteUnread(link: Link, queue: string, log: Log): Promise<void> {
  try {
    await link.aside(async (channel) => {
      // Asked first, because a quorum queue knows no deletion on condition. A missing queue ends here.
      const { consumerCount } = await channel.checkQueue(queue);
      if (consumerCount > 0) return;
      await channel.deleteQueue(queue);
      log.info({ queue }, 'a queue that belongs to another AMQP_URL, and that nobody read, is deleted');
    });
  } catch (error) {
    const refusal = describeBrokerError(error);
    if (!refusal.code.startsWith('404')) log.warn(refusal, 'a queue of another AMQP_URL was not deleted');
  }
}

function readDestinations(message: ConsumeMessage): number[] | undefined {
  try {
    const checked = checkBody(JSON.parse(message.content.toString()));
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
