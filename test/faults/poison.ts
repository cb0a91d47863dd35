import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import { eventually } from '../support/eventually.ts';
import type { Random } from './random.ts';

// Each is unreadable in a way of its own, and unlike every other message.
const SHAPES: ((number: number) => string)[] = [
  (number) => `not json ${number}`,
  (number) => `{"poison":${number}}`,
  (number) => `[${number}]`,
  (number) => `{"destinations":["x${number}"]}`,
  (number) => `{"destinations":[],"poison":${number}}`,
  (number) => `\u0000\u0001${number}`,
];

/** Messages that nobody can read, and what became of each. */
export type Poison = {
  /** Sends so many to queues by chance; resolves when the broker has answered for all of them. */
  send: (channel: ConfirmChannel, queues: string[], random: Random, count: number) => Promise<void>;
  /** Does something that takes the messages out of the queues: those not dead-lettered before are lost with good reason. */
  whileLosing: (channel: ConfirmChannel, lose: () => Promise<void>) => Promise<void>;
  /** The messages that the broker took and that are neither dead-lettered nor lost; waits a while for them to be dead-lettered. */
  findMissing: (channel: ConfirmChannel, limitMs: number) => Promise<string[]>;
  counts: () => { sent: number; deadLettered: number; lost: number };
};

/** Keeps account of the poison messages of a run; `deadLetters` is the queue where they must end. */
export function createPoison(deadLetters: string): Poison {
  const sent = new Set<string>();
  const taken = new Set<string>();
  const deadLettered = new Set<string>();
  const lost = new Set<string>();

  // Takes them all and gives them back.
  const look = async (channel: ConfirmChannel): Promise<void> => {
    for (;;) {
      const message = await channel.get(deadLetters);
      if (message === false) break;
      deadLettered.add(message.content.toString());
    }
    channel.nackAll(true);
  };
  const missing = (): string[] => [...taken].filter((body) => !deadLettered.has(body) && !lost.has(body));

  return {
    async send(channel, queues, random, count) {
      const returned = new Set<string>();
      const note = ({ content }: ConsumeMessage): void => void returned.add(content.toString());
      channel.on('return', note);
      for (let left = count; left > 0; left -= 1) {
        const body = random.pick(SHAPES)(sent.size);
        sent.add(body);
        const options = { mandatory: true, persistent: true };
        channel.sendToQueue(random.pick(queues), Buffer.from(body), options, (refusal) => {
          // Without a queue it is handed back before it is confirmed.
          if (!refusal && !returned.has(body)) taken.add(body);
        });
      }
      await channel.waitForConfirms();
      channel.off('return', note);
    },
    async whileLosing(channel, lose) {
      await look(channel);
      try {
        await lose();
      } finally {
        // What is sent meanwhile may be among it.
        for (const body of sent) if (!deadLettered.has(body)) lost.add(body);
      }
    },
    async findMissing(channel, limitMs) {
      const allFound = async (): Promise<boolean> => {
        await look(channel);
        return missing().length === 0;
      };
      await eventually(allFound, { limitMs, everyMs: 200 }).catch(() => undefined);
      return missing().map((body) => `the poison message ${JSON.stringify(body)} was not dead-lettered`);
    },
    counts: () => {
      const found = [...taken].filter((body) => deadLettered.has(body)).length;
      return { sent: taken.size, deadLettered: found, lost: taken.size - found - missing().length };
    },
  };
}
