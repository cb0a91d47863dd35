import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { createSender } from './send.ts';

/**
 * Another client, which asks for the health and reads `secret/data/read` all the time. `pid` is the API's: for what either
 * of the two only waits for a processor that others use, no request is to blame, so it does not count. Undo: `stop`.
 */
export function createProbe(url: string, token: string, { limitMs, pid }: { limitMs: number; pid: number }) {
  const queuedMs = (): number => readQueued(pid) + readQueued(process.pid);
  const sender = createSender(url, limitMs);
  const state = { isStopped: false, worst: 0, count: 0 };
  const ask = async (target: string): Promise<void> => {
    while (!state.isStopped) {
      const queuedBefore = queuedMs();
      const answer = await sender.send({
        method: 'GET',
        target,
        headers: { authorization: `Bearer ${token}` },
      });
      expect(answer.status, target).to.equal(200);
      state.worst = Math.max(state.worst, answer.ms - (queuedMs() - queuedBefore));
      state.count += 1;
      await delay(5);
    }
  };
  const running = Promise.all([ask('/health/live'), ask('/v1/secret/data/read')]);
  running.catch(() => undefined);
  const rounds = async (least: number): Promise<void> => {
    const end = state.count + least;
    while (state.count < end) await delay(2);
  };
  return {
    rounds,
    /** The longest wait of a request that was under way while something happened. */
    worstDuring: async (action: () => Promise<unknown>): Promise<number> => {
      state.worst = 0;
      await action();
      await rounds(2);
      return state.worst;
    },
    stop: async (): Promise<void> => {
      state.isStopped = true;
      await running;
      sender.close();
    },
  };
}

// How long the main thread of a process was ready to run and did not. Only Linux tells it.
function readQueued(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
