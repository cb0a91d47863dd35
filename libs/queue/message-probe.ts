import type { ConfirmChannel } from 'amqplib';
import { LRUCache } from 'lru-cache';
import { withTimeout } from '../time/with-timeout.ts';
import type { Broker } from './broker.ts';
import { awaitConfirm } from './confirm.ts';
import { unconfirmed, type BrokerRefusal } from './refusals/refusal.ts';
import type { Link } from './set-up.ts';
import { assertProbe, type Topology } from './topology.ts';

// A broker that confirms later than this confirms too late for a probe of readiness.
const LIMIT_MS = 2000;
// Probes of several monitors share one message.
const FRESH_MS = 1000;
const KEPT_MS = 60_000;

/**
 * Sends a message to a queue of its own and takes it back, at most once a second. Returns what the broker refuses now; empty
 * if it has confirmed the message.
 */
export type MessageProbe = () => Promise<BrokerRefusal[]>;

/** Register before the broker starts. */
export function createMessageProbe(broker: Broker, topology: Topology): MessageProbe {
  const queue = topology.probe;
  const kept = new LRUCache<string, Promise<BrokerRefusal[]>>({ max: 1, ttl: FRESH_MS });
  let current: { channel: ConfirmChannel; link: Link } | undefined;
  // Never two messages at once: those without a confirm must not pile up.
  let sending: Promise<void> | undefined;
  broker.use(async (link) => {
    const channel = await link.confirmChannel();
    await assertProbe(channel, queue);
    current = { channel, link };
    return () => {
      current = undefined;
    };
  });

  const look = async (): Promise<BrokerRefusal[]> => {
    if (current && !broker.blocked) {
      sending ??= sendAndTake(broker, current, queue).finally(() => {
        sending = undefined;
      });
      const isLate = await withTimeout(LIMIT_MS, sending).then(
        () => false,
        () => true,
      );
      if (isLate && broker.refusals.list().length === 0) return [unconfirmed(queue)];
    }
    return broker.refusals.list();
  };

  return () => {
    const known = kept.get(queue) ?? look();
    kept.set(queue, known, { noUpdateTTL: true });
    return known;
  };
}

// Never rejects: the broker's refusals are recorded.
async function sendAndTake(
  broker: Broker,
  { channel, link }: { channel: ConfirmChannel; link: Link },
  queue: string,
): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      const noted = awaitConfirm(broker, link, { queue });
      channel.sendToQueue(queue, Buffer.alloc(0), { expiration: KEPT_MS }, (refusal: unknown) => {
        noted(refusal);
        if (refusal) reject(new Error('refused'));
        else resolve();
      });
    });
    await channel.get(queue, { noAck: true });
    broker.refusals.passed(queue);
  } catch {
    // The channel is lost, and its set-up has recorded why.
  }
}
