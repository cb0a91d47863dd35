import { ConnectorError } from '../connector/errors.ts';

const IGNORED_FOR_MS = 500;

// What ends the calls under way, by the signal that stops them all. One listener for all of them: to take one away from
// among many is to look through the many.
const underWay = new WeakMap<AbortSignal, Set<() => void>>();

function callsUnder(stop: AbortSignal): Set<() => void> {
  const known = underWay.get(stop);
  if (known) return known;
  const calls = new Set<() => void>();
  underWay.set(stop, calls);
  const endAll = (): void => {
    for (const end of calls) end();
  };
  stop.addEventListener('abort', endAll, { once: true });
  return calls;
}

/**
 * Runs a vendor call under a limit of its own: the signal aborts it, and a client that ignores its signal is given up
 * a moment later. `stop` (the process is stopping) ends it as well.
 */
export function withLimit<Result>(
  limitMs: number,
  stop: AbortSignal,
  call: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  if (stop.aborted) return Promise.reject(timedOut());
  return new Promise((resolve, reject) => {
    const controller = new AbortController();
    const calls = callsUnder(stop);
    let giveUp: NodeJS.Timeout | undefined;
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      clearTimeout(giveUp);
      calls.delete(abort);
      settle();
    };
    const abort = (): void => {
      controller.abort();
      giveUp ??= setTimeout(() => end(() => reject(timedOut())), IGNORED_FOR_MS);
    };
    const timer = setTimeout(abort, limitMs);
    calls.add(abort);
    call(controller.signal).then(
      (result) => end(() => resolve(result)),
      (error: unknown) => end(() => reject(error instanceof Error ? error : new Error(String(error)))),
    );
  });
}

function timedOut(): ConnectorError {
  return new ConnectorError({
    kind: 'external',
    code: 'timed_out',
    message:
      'the store did not answer in time; whether it took the change is not known, so it is written again',
    scope: 'destination',
  });
}
