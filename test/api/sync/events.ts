import { connect } from 'amqplib';
import type { Sealift } from '../../support/sealift.ts';
import { eventually } from '../../support/eventually.ts';

export type Told = Record<string, unknown>;

/** What came. `left`: the number of events that were not taken. */
export type Heard = {
  take: (count: number) => Promise<Told[]>;
  left: () => number;
  stop: () => Promise<void>;
};

/** Collects the events with one name from now on. Undo: `stop`. */
export async function listen(sealift: Sealift, name: string): Promise<Heard> {
  const exchange = `${sealift.config.AMQP_PREFIX}.events`;
  // The API declares the exchange after it has connected. A channel closes when it uses a missing exchange.
  await eventually(() => sealift.context.broker.ready || undefined);
  const connection = await connect(sealift.config.AMQP_URL);
  const channel = await connection.createChannel();
  const { queue } = await channel.assertQueue('', { exclusive: true });
  await channel.bindQueue(queue, exchange, name);
  const events: Told[] = [];
  await channel.consume(queue, (message) => {
    if (message) events.push(JSON.parse(message.content.toString()) as Told);
  });
  return {
    take: (count) =>
      eventually(() => {
        if (events.length < count) throw new Error(`${events.length} of ${count} events came`);
        return events.splice(0, count);
      }),
    left: () => events.length,
    stop: () => connection.close(),
  };
}
