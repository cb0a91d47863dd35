import pWaitFor from 'p-wait-for';

/** Asks again every `intervalMs` until the check answers something true; after `limitMs` the answer is undefined. */
export async function waitFor<T>(options: {
  limitMs: number;
  intervalMs?: number;
  check: () => Promise<T> | T;
}): Promise<T | undefined> {
  const ask = async () => {
    const answer = await options.check();
    return answer ? pWaitFor.resolveWith<T | undefined>(answer) : false;
  };
  return pWaitFor(ask, {
    interval: options.intervalMs ?? 50,
    // No wait at all is one look.
    timeout: { milliseconds: Math.max(options.limitMs, 1), fallback: () => undefined },
  });
}
