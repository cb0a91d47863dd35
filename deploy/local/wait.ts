import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again every `intervalMs` until the check answers something true; after `limitMs` the answer is undefined. */
export async function waitFor<T>(options: {
  limitMs: number;
  intervalMs?: number;
  check: () => Promise<T> | T;
}): Promise<T | undefined> {
  const deadline = Date.now() + options.limitMs;
  for (;;) {
    const answer = await options.check();
    if (answer) return answer;
    if (Date.now() >= deadline) return undefined;
    await sleep(options.intervalMs ?? 50);
  }
}
