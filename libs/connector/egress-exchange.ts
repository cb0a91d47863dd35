import {
  request as requestHttp,
  type Agent,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type RequestOptions,
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

export type ExchangeOptions = {
  /** The only origin that is called; anything else fails with EgressError. */
  baseUrl: string;
  agent: Agent;
  /** Milliseconds for one exchange, from the first byte sent to the last received. */
  timeoutMs: number;
};

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
 * One request and its answer over a given agent. Redirects are returned, never followed. Failures carry a `code`; an
 * abort is an `AbortError`.
 */
export function createExchange(options: ExchangeOptions): (url: URL, sent: Sent) => Promise<Received> {
  const { origin, protocol } = new URL(options.baseUrl);
  const send = protocol === 'https:' ? requestHttps : requestHttp;

  return (url, sent) => {
    if (url.origin !== origin)
      return Promise.reject(new EgressError('the call would leave the configured address'));
    return exchange(send, url, sent, options);
  };
}

function exchange(
  send: typeof requestHttp,
  url: URL,
  sent: Sent,
  { agent, timeoutMs }: ExchangeOptions,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const request = send(url, requestOptions(sent, agent), (message) => {
      const chunks: Buffer[] = [];
      let size = 0;
      message.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MOST_RESPONSE_BYTES) request.destroy(new AnswerTooLongError());
        chunks.push(chunk);
      });
      message.once('end', () => {
        const { statusCode: status = 0, statusMessage: statusText = '', headers } = message;
        settle(() => resolve({ status, statusText, headers, body: Buffer.concat(chunks) }));
      });
      // An answer that is cut emits its error here, not on the request.
      message.once('error', (error) => settle(() => reject(error)));
    });
    const timer = setTimeout(() => request.destroy(new CallTimeoutError(timeoutMs)), timeoutMs);
    function settle(finish: () => void): void {
      clearTimeout(timer);
      finish();
    }
    request.once('error', (error) => settle(() => reject(error)));
    request.end(sent.body ?? undefined);
  });
}

function requestOptions({ method, headers, body, signal }: Sent, agent: Agent): RequestOptions {
  const length = body === null ? {} : { 'content-length': Buffer.byteLength(body) };
  return { method, headers: { ...headers, ...length }, agent, ...(signal ? { signal } : {}) };
}
