import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from './caller.ts';
import type { Model } from './model.ts';

/** From the acknowledgement that syncing is disabled until the request to enable it again. */
export type Pause = { from: number; to: number };

/** The installation's setting `disabled`. */
export type Syncing = {
  /** Disables syncing for this long and enables it again. Only one pause at a time; the next one waits. */
  pause: (milliseconds: number) => Promise<void>;
  pauses: Pause[];
  /** All changes of the setting, in the form of the model's history. */
  history: Model['history'];
};

/** Disables and enables syncing through the API. */
export function createSyncing(caller: Caller): Syncing {
  const pauses: Pause[] = [];
  const history: Model['history'] = [];
  let turn = Promise.resolve();

  const set = async (disabled: boolean): Promise<void> => {
    const { answer, attempts } = await caller.send('PATCH', '/v1/sys/sync/config', { disabled });
    const outcome = String(answer.status);
    history.push({ at: Date.now(), about: 'config', operation: `disabled ${disabled}`, outcome, attempts });
    if (answer.status !== 200) throw new Error(`disabled ${disabled} was answered ${answer.text}`);
    // An attempt without a reply may be carried out a moment later, while the opposite one would already run.
    if (attempts > 1) await sleep(500);
  };
  const pauseOnce = async (milliseconds: number): Promise<void> => {
    await set(true);
    const from = Date.now();
    await sleep(milliseconds);
    pauses.push({ from, to: Date.now() });
    await set(false);
  };

  return {
    pauses,
    history,
    pause(milliseconds) {
      const mine = turn.then(() => pauseOnce(milliseconds));
      turn = mine.catch(() => undefined);
      return mine;
    },
  };
}
