import { request as requestHttp, type Agent, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { EgressError } from './egress.ts';

const MOST_RESPONSE_BYTES = 8 * 1024 * 1024;
const STATUS_WITHOUT_BODY = new Set([204, 205, 304]);

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

type FetchOptions = {
  /** The only origin that is called; anything else fails with EgressError. */
  baseUrl: string;
  agent: Agent;
  /** Milliseconds for one exchange, from the first byte sent to the last received. */
  timeoutMs: number;
};

type FetchInit = {
  method?: string | undefined;
  headers?: ConstructorParameters<typeof Headers>[0] | undefined;
  body?: string | Uint8Array | null | undefined;
  signal?: AbortSignal | null | undefined;
};

/**
 * The part of `fetch` that vendor SDKs use, over `node:http(s)` and a given agent: Node's own fetch cannot be handed a
 * guarded connection. Redirects are returned, never followed. Failures carry a `code`; an abort is an `AbortError`.
 */
export function createFetch(options: FetchOptions) {
  const { origin, protocol } = new URL(options.baseUrl);
  const send = protocol === 'https:' ? requestHttps : requestHttp;

  return async (input: string | URL, init: FetchInit = {}): Promise<Response> => {
    const url = new URL(input);
    if (url.origin !== origin) throw new EgressError('the call would leave the configured address');
    const { message, body } = await exchange(send, url, init, options);
    return toResponse(message, body);
  };
}

function exchange(
  send: typeof requestHttp,
  url: URL,
  init: FetchInit,
  options: FetchOptions,
): Promise<{ message: IncomingMessage; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const request = send(url, requestOptions(init, options.agent), (message) => {
      const chunks: Buffer[] = [];
      let size = 0;
      message.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MOST_RESPONSE_BYTES) request.destroy(new AnswerTooLongError());
        chunks.push(chunk);
      });
      message.once('end', () => settle(() => resolve({ message, body: Buffer.concat(chunks) })));
      // An answer that is cut emits its error here, not on the request.
      message.once('error', (error) => settle(() => reject(error)));
    });
    const timer = setTimeout(
      () => request.destroy(new CallTimeoutError(options.timeoutMs)),
      options.timeoutMs,
    );
    function settle(finish: () => void): void {
      clearTimeout(timer);
      finish();
    }
    request.once('error', (error) => settle(() => reject(error)));
    request.end(init.body ?? undefined);
  });
}

function requestOptions(init: FetchInit, agent: Agent): RequestOptions {
  const headers = Object.fromEntries(new Headers(init.headers));
  const length =
    init.body === undefined || init.body === null ? {} : { 'content-length': Buffer.byteLength(init.body) };
  return {
    method: init.method ?? 'GET',
    headers: { ...headers, ...length },
    agent,
    ...(init.signal ? { signal: init.signal } : {}),
  };
}

function toResponse(message: IncomingMessage, body: Buffer): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) {
    for (const single of Array.isArray(value) ? value : [value ?? '']) headers.append(name, single);
  }
  const status = message.statusCode ?? 0;
  return new Response(STATUS_WITHOUT_BODY.has(status) ? null : body, {
    status,
    statusText: message.statusMessage ?? '',
    headers,
  });
}
