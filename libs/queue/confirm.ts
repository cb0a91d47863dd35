import type { Broker } from './broker.ts';
import { nacked, unconfirmed } from './refusals/refusal.ts';
import type { Link } from './set-up.ts';

/**
 * Makes the callback of a publish to a queue. `confirmed` is called when the broker has the message. If the broker refuses
 * it, `refused` is called; without `refused`, the channel is renewed. Without an answer within the broker's
 * `confirmLimitMs`, the channel is renewed too. There are two reasons: if the first message of a channel came before a
 * queue had its new leader, the broker refuses everything on it until the old leader is back; and messages without a
 * confirm must not pile up.
 */
export function awaitConfirm(
  broker: Broker,
  link: Link,
  { queue, confirmed, refused }: { queue: string; confirmed?: () => void; refused?: () => void },
): (refusal: unknown) => void {
  const late = (): void => {
    // A broker that is short of memory or disk confirms nothing on any channel, so a new channel would not help.
    if (!broker.blocked) link.fail(unconfirmed(queue));
  };
  const timer = setTimeout(late, broker.confirmLimitMs);
  return (refusal) => {
    clearTimeout(timer);
    if (!refusal) {
      broker.refusals.queue(queue, undefined);
      confirmed?.();
    } else if (refused) refused();
    else failRefused(broker, link, queue);
  };
}

/** Renews the channel after the broker refused a message, and records that. */
export function failRefused(broker: Broker, link: Link, queue: string): void {
  if (!link.isLost()) broker.refusals.queue(queue, nacked(queue));
  link.fail(nacked(queue));
}
