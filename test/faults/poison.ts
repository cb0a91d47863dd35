import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import { eventually } from '../support/eventually.ts';
import type { Random } from './random.ts';

// Each message is unreadable in a different way, and its text is unique.
const SHAPES: ((number: number) => string)[] = [
  (number) => `not json ${number}`,
  (number) => `{"poison":${number}}`,
  (number) => `[${number}]`,
  (number) => `{"destinations":["x${number}"]}`,
  (number) => `{"destinations":[],"poison":${number}}`,
  (number) => `\u0000\u0001${number}`,
];

/** Unreadable messages, and what became of each. */
export type Poison = {
  /** Sends this many to random queues. Resolves when the broker has answered for all of them. */
  send: (channel: ConfirmChannel, queues: string[], random: Random, count: number) => Promise<void>;
  /** Runs an action that removes messages from queues. Messages not yet dead-lettered then count as lost for a reason. */
  whileLosing: (channel: ConfirmChannel, lose: () => Promise<void>) => Promise<void>;
  /** Returns accepted messages that are neither dead-lettered nor lost. First waits for them up to the limit. */
  findMissing: (channel: ConfirmChannel, limitMs: number) => Promise<string[]>;
  counts: () => { sent: number; deadLettered: number; lost: number };
};

/** Tracks the poison messages of a run. `deadLetters` is the queue where they must end. */
export function createPoison(deadLetters: string): Poison {
  const sent = new Set<string>();
  const taken = new Set<string>();
  const deadLettered = new Set<string>();
  const lost = new Set<string>();

  // Takes all messages of the queue and gives them back.
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
          // The broker returns a message without a queue before it confirms it.
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
        // A message that is sent meanwhile may be lost too.
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
