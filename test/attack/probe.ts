import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { createSender } from './send.ts';

/** Another client, which asks for the health and reads `secret/data/read` all the time. Undo: `stop`. */
export function createProbe(url: string, token: string, limitMs: number) {
  const sender = createSender(url, limitMs);
  const state = { isStopped: false, worst: 0, count: 0 };
  const ask = async (target: string): Promise<void> => {
    while (!state.isStopped) {
      const answer = await sender.send({
        method: 'GET',
        target,
        headers: { authorization: `Bearer ${token}` },
      });
      expect(answer.status, target).to.equal(200);
      state.worst = Math.max(state.worst, answer.ms);
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
