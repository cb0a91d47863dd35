import { setTimeout as sleep } from 'node:timers/promises';
import { createBatcher } from '../../../libs/batching/batcher.ts';
import type { Keyring } from '../../../libs/crypto/keyring.ts';
import type { EventSender } from '../../../libs/queue/events.ts';
import { sealEvents, type KvEvent } from './message.ts';

// Sealing and sending one message for each write would cost as much as a quarter of the write.
const GATHER_MS = 10;
const MOST_TOGETHER = 100;

/** Tells the subscribers of all replicas of changes. Undo: `stop`, which tells what has been gathered. */
export type ChangeTeller = { tell: (event: KvEvent) => void; stop: () => Promise<void> };

/** An event is sent at once; those that follow it within 10 ms go together. */
export function createChangeTeller(keyring: Keyring, events: EventSender): ChangeTeller {
  let last: Promise<unknown> = Promise.resolve();
  const tell = createBatcher<KvEvent, KvEvent>(
    async (gathered) => {
      events.send(sealEvents(keyring, gathered));
      await sleep(GATHER_MS);
      return gathered;
    },
    { most: MOST_TOGETHER },
  );
  return {
    tell: (event) => void (last = tell(event)),
    stop: async () => void (await last),
  };
}
