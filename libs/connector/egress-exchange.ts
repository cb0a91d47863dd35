import {
  request as requestHttp,
  type Agent,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import { EgressError } from './egress.ts';

const MOST_RESPONSE_BYTES = 8 * 1024 * 1024;

/** A whole call took longer than its limit; `code` survives where an SDK wraps the error. */
class CallTimeoutError extends Error {
  readonly code = 'CALL_TIMEOUT';
  constructor(timeoutMs: number) {
    super(`no complete answer within ${timeoutMs} ms`);
    this.name = 'CallTimeoutError';
  }
}

/** The answer was broken off: nothing a store sends is that long. */
class AnswerTooLongError extends Error {
  readonly code = 'ANSWER_TOO_LONG';
  constructor() {
    super(`the answer exceeds ${MOST_RESPONSE_BYTES} bytes`);
    this.name = 'AnswerTooLongError';
  }
}

/** Whoever called does not wait any more. */
class AbortError extends Error {
  readonly code = 'ABORT_ERR';
  constructor() {
    super('the call was given up');
    this.name = 'AbortError';
  }
}

type Means = {
  agent: Agent;
  /** Milliseconds for one exchange, from the first byte sent to the last received. */
  timeoutMs: number;
};

export type ExchangeOptions = Means & {
  /** The only origin that is called; anything else fails with EgressError. */
  baseUrl: string;
};

/** Where a request goes. */
export type Target = { protocol: string; hostname: string; port: number | string; path: string };

/** What is sent; header names in lower case. */
export type Sent = {
  method: string;
  headers: OutgoingHttpHeaders;
  body: string | Uint8Array | null;
  signal: AbortSignal | null;
};

/** A complete answer, whatever its status; header names in lower case. */
export type Received = { status: number; statusText: string; headers: IncomingHttpHeaders; body: Buffer };

/**
 * Like `exchange`, of requests to one origin only: anything else fails with EgressError. Redirects are returned, never
 * followed.
 */
export function createExchange(options: ExchangeOptions): (url: URL, sent: Sent) => Promise<Received> {
  const { origin } = new URL(options.baseUrl);

  return (url, sent) => {
    if (url.origin !== origin)
      return Promise.reject(new EgressError('the call would leave the configured address'));
    const { protocol, port, pathname, search } = url;
    const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
    return exchange({ protocol, hostname, port, path: pathname + search }, sent, options);
  };
}

/** One request and its answer over a given agent. Failures carry a `code`; an abort is an `AbortError`. */
export function exchange(
  target: Target,
  { method, headers, body, signal }: Sent,
  { agent, timeoutMs }: Means,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const length = body === null ? {} : { 'content-length': Buffer.byteLength(body) };
    const options = { ...target, method, headers: { ...headers, ...length }, agent };
    const send = target.protocol === 'https:' ? requestHttps : requestHttp;
    const request = send(options, (message) => {
      const chunks: Buffer[] = [];
      let size = 0;
      message.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MOST_RESPONSE_BYTES) fail(new AnswerTooLongError());
        chunks.push(chunk);
      });
      message.once('end', () => {
        const { statusCode: status = 0, statusMessage: statusText = '', headers: received } = message;
        settle(() => resolve({ status, statusText, headers: received, body: Buffer.concat(chunks) }));
      });
      // An answer that is cut emits its error here, not on the request.
      message.on('error', (error) => settle(() => reject(error)));
    });
    const timer = setTimeout(() => fail(new CallTimeoutError(timeoutMs)), timeoutMs);
    const abort = (): void => fail(new AbortError());
    // By ourselves: a signal that is handed to the request costs it listeners at each of its streams.
    signal?.addEventListener('abort', abort, { once: true });
    function settle(finish: () => void): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      finish();
    }
    // What a request that is destroyed emits depends on how far its answer has come.
    function fail(error: Error): void {
      settle(() => reject(error));
      request.destroy();
    }
    // To the end: what is destroyed may still emit one.
    request.on('error', (error) => settle(() => reject(error)));
    request.end(body ?? undefined);
    if (signal?.aborted) abort();
  });
}
