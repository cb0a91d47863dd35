import { queueObject, type BrokerRefusal } from './refusal.ts';

// A refusal that comes only with a message: whether it is over shows with the next one.
const REMEMBERED_MS = 60_000;
// Rights and declarations stay as they are until a person changes them.
const LASTING = /^(403|406) /;
// Messages to a queue go through it.
const DEFAULT_EXCHANGE = "exchange 'amq.default'";

/** What RabbitMQ refuses this process now, as far as the process has noticed. */
export class RefusalRecord {
  #session: BrokerRefusal | undefined;
  #alarm: BrokerRefusal | undefined;
  readonly #setUps = new Map<unknown, BrokerRefusal>();
  readonly #queues = new Map<string, BrokerRefusal>();
  readonly #recent = new Map<string, { refusal: BrokerRefusal; until: number }>();

  /** The reason why there is no connection; undefined once there is one. */
  connection(refusal: BrokerRefusal | undefined): void {
    this.#session = refusal;
    this.#alarm = undefined;
    this.#queues.clear();
  }

  alarm(refusal: BrokerRefusal | undefined): void {
    this.#alarm = refusal;
  }

  /** The reason why a set-up does not stand; undefined once it stands. */
  setUp(setUp: unknown, refusal: BrokerRefusal | undefined): void {
    if (refusal) this.#setUps.set(setUp, refusal);
    else this.#setUps.delete(setUp);
  }

  /** What ended a set-up that stood. It will stand again at once, but the next message would be refused like this one. */
  message(refusal: BrokerRefusal): void {
    if (refusal.object === null || !LASTING.test(refusal.code)) return;
    this.#recent.set(keyOf(refusal), { refusal, until: Date.now() + REMEMBERED_MS });
  }

  /** A message was sent to this queue and taken from it, so what was refused of it before is over. */
  passed(queue: string): void {
    const over = new Set<string | null>([queueObject(queue), DEFAULT_EXCHANGE]);
    for (const [key, { refusal }] of this.#recent) if (over.has(refusal.object)) this.#recent.delete(key);
  }

  /** How the broker answered the last message to a queue; undefined if it confirmed it. */
  queue(queue: string, refusal: BrokerRefusal | undefined): void {
    if (refusal) this.#queues.set(queue, refusal);
    else this.#queues.delete(queue);
  }

  /** Each once. */
  list(): BrokerRefusal[] {
    const now = Date.now();
    for (const [key, { until }] of this.#recent) if (until < now) this.#recent.delete(key);
    const all = [
      ...(this.#session ? [this.#session] : []),
      ...(this.#alarm ? [this.#alarm] : []),
      ...this.#setUps.values(),
      ...this.#queues.values(),
      ...[...this.#recent.values()].map(({ refusal }) => refusal),
    ];
    return [...new Map(all.map((refusal) => [keyOf(refusal), refusal])).values()];
  }
}

function keyOf({ code, object }: BrokerRefusal): string {
  return `${code} ${object}`;
}
