import { ConnectorError } from '../../../libs/connector/errors.ts';

/** Ends a call when the caller says so or after `limitMs`, also one that does not heed its signal. Throws ConnectorError of kind external. */
export async function withTimeLimit<Output>(
  limitMs: number,
  signal: AbortSignal,
  call: (signal: AbortSignal) => Promise<Output>,
): Promise<Output> {
  const limit = new AbortController();
  const ended = new Promise<never>((_resolve, reject) => {
    limit.signal.addEventListener('abort', () => reject(signal.aborted ? interrupted() : timedOut()));
  });
  const stop = () => limit.abort();
  const timer = setTimeout(stop, limitMs);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await Promise.race([ended, call(limit.signal)]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** The engine has stopped the call. */
export function interrupted(): ConnectorError {
  return new ConnectorError({
    kind: 'external',
    code: 'interrupted',
    message: 'The call was stopped before its end.',
  });
}

function timedOut(): ConnectorError {
  return new ConnectorError({
    kind: 'external',
    code: 'timed_out',
    message: 'The vault did not answer in time; it is tried again.',
    scope: 'destination',
  });
}
