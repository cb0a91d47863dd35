import type { Broker } from './broker.ts';
import type { Link } from './set-up.ts';

/**
 * Makes the callback of a publish. `confirmed` is called when the broker has the message. If the broker refuses it,
 * `refused` is called; without `refused`, the channel is renewed. Without an answer within the broker's `confirmLimitMs`,
 * the channel is renewed too. There are two reasons: if the first message of a channel came before a queue had its new
 * leader, the broker refuses everything on it until the old leader is back; and messages without a confirm must not pile up.
 */
export function awaitConfirm(
  broker: Broker,
  fail: Link['fail'],
  { confirmed, refused }: { confirmed?: () => void; refused?: () => void } = {},
): (refusal: unknown) => void {
  const late = (): void => {
    // A broker that is short of memory or disk confirms nothing on any channel, so a new channel would not help.
    if (!broker.blocked) fail('the broker did not confirm a message in time');
  };
  const timer = setTimeout(late, broker.confirmLimitMs);
  return (refusal) => {
    clearTimeout(timer);
    if (!refusal) confirmed?.();
    else if (refused) refused();
    else fail('the broker refused a message');
  };
}
