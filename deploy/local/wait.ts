import pWaitFor from 'p-wait-for';

/** Repeats the check every `intervalMs` until it returns a truthy value. Returns undefined after `limitMs`. */
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
    // A limit of 0 still allows one check.
    timeout: { milliseconds: Math.max(options.limitMs, 1), fallback: () => undefined },
  });
}
