import type { Broker } from './broker.ts';
import type { Link } from './set-up.ts';

const LIMIT_MS = 5000;

/**
 * The callback of a publish. `confirmed` is called when the broker has the message. Where the broker refuses the message,
 * `refused` is called in place of a renewal of the channel. After a refusal, or without an answer for five seconds, the channel
 * is renewed: a channel that sent something before a queue had its new leader is refused everything until the old leader is
 * back, and a broker that has lost its majority confirms nothing.
 */
export function awaitConfirm(
  broker: Broker,
  fail: Link['fail'],
  { confirmed, refused }: { confirmed?: () => void; refused?: () => void } = {},
): (refusal: unknown) => void {
  const late = (): void => {
    // It confirms nothing for as long as it is short of memory or disk, on no channel.
    if (!broker.blocked) fail('a message is not confirmed');
  };
  const timer = setTimeout(late, LIMIT_MS);
  return (refusal) => {
    clearTimeout(timer);
    if (!refusal) confirmed?.();
    else if (refused) refused();
    else fail('a message was refused');
  };
}
