import { setImmediate } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import type { EgressAgent } from './agent.ts';
import { EgressError } from './guard.ts';

const MOST_RESPONSE_BYTES = 8 * 1024 * 1024;

/**
 * A call got no complete answer. `code` survives if an SDK wraps the error. The error holds nothing that was sent or
 * received.
 */
class CallError extends Error {
  readonly code: string;
  /** Not even the connection was ready. */
  unsent = false;
  constructor(name: string, code: string, message: string) {
    super(message);
    this.name = name;
    this.code = code;
  }
}

/** Whether an error of `exchange` came before anything of the request went out. */
export function isUnsent(error: unknown): boolean {
  return error instanceof CallError && error.unsent;
}

type Means = {
  agent: EgressAgent;
  /** Time limit of one exchange in milliseconds, from the first byte sent to the last byte received. */
  timeoutMs: number;
};

export type ExchangeOptions = Means & {
  /** The only origin that may be called; a call to another fails with EgressError. */
  baseUrl: string;
};

/** Where a request goes; `path` includes the query. */
export type Target = { origin: string; path: string };

/** The request; header names in lower case. */
export type Sent = {
  method: string;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
  signal: AbortSignal | null;
};

/** A complete answer, whatever its status; header names in lower case. */
export type Received = { status: number; statusText: string; headers: ReceivedHeaders; body: Buffer };

export type ReceivedHeaders = Record<string, string | string[] | undefined>;

/**
 * Like `exchange`, but for one origin only: a call to another fails with EgressError. Returns redirects and never follows
 * them.
 */
export function createExchange(options: ExchangeOptions): (url: string, sent: Sent) => Promise<Received> {
  const { origin } = new URL(options.baseUrl);

  return (url, sent) => {
    if (!url.startsWith(`${origin}/`))
      return Promise.reject(new EgressError('the call would leave the configured address'));
    return exchange({ origin, path: url.slice(origin.length) }, sent, options);
  };
}

/** Sends one request over a given agent and returns the answer. Failures carry a `code`; an abort is an `AbortError`. */
export async function exchange(target: Target, sent: Sent, means: Means): Promise<Received> {
  const received = await new Promise<Received>((resolve, reject) =>
    send(target, sent, means, { resolve, reject }),
  );
  // A connection becomes free one turn of the event loop after its answer. A call that starts earlier would open another
  // one.
  await setImmediate();
  return received;
}

function send(
  { origin, path }: Target,
  { method, headers, body, signal }: Sent,
  { agent, timeoutMs }: Means,
  outcome: Outcome,
): void {
  const call = new Call(timeoutMs, signal, outcome);
  // If the caller gave up before the call began, it is not sent.
  if (signal?.aborted) return call.giveUp();
  agent.dispatch({ origin, path, method, headers, body }, call);
}

type Outcome = { resolve: (received: Received) => void; reject: (error: Error) => void };

class Call implements Dispatcher.DispatchHandler {
  readonly #outcome: Outcome;
  readonly #signal: AbortSignal | null;
  readonly #timer: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #begun: Dispatcher.DispatchController | undefined;
  #failure: CallError | undefined;
  #answer: Omit<Received, 'body'> = { status: 0, statusText: '', headers: {} };

  constructor(timeoutMs: number, signal: AbortSignal | null, outcome: Outcome) {
    this.#outcome = outcome;
    this.#signal = signal;
    this.#timer = setTimeout(() => this.#fail(timedOut(timeoutMs)), timeoutMs);
    signal?.addEventListener('abort', this.giveUp, { once: true });
  }

  readonly giveUp = (): void => this.#fail(new CallError('AbortError', 'ABORT_ERR', 'the call was given up'));

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The caller may have given up while the call waited for a connection: then it is not sent.
    if (this.#failure) return controller.abort(this.#failure);
    this.#begun = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: ReceivedHeaders,
    statusText = '',
  ): void {
    // Statuses below 200 only announce the answer: the last one counts.
    this.#answer = { status, statusText, headers };
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > MOST_RESPONSE_BYTES) return this.#fail(tooLong());
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#settle();
    this.#outcome.resolve({ body: Buffer.concat(this.#chunks), ...this.#answer });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#settle();
    this.#reject(describe(error));
  }

  #fail(failure: CallError): void {
    this.#failure = failure;
    this.#settle();
    this.#reject(failure);
    this.#begun?.abort(failure);
  }

  // Nothing is written before the request starts, and a request that failed before never starts.
  #reject(error: Error): void {
    if (error instanceof CallError) error.unsent = this.#begun === undefined;
    this.#outcome.reject(error);
  }

  #settle(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.giveUp);
  }
}

function timedOut(timeoutMs: number): CallError {
  return new CallError('CallTimeoutError', 'CALL_TIMEOUT', `no complete answer within ${timeoutMs} ms`);
}

// No real answer of a store is that long.
function tooLong(): CallError {
  return new CallError(
    'AnswerTooLongError',
    'ANSWER_TOO_LONG',
    `the answer exceeds ${MOST_RESPONSE_BYTES} bytes`,
  );
}

// Maps the codes of undici to Node's own codes.
const CODES: Record<string, string> = {
  UND_ERR_CONNECT_TIMEOUT: 'CALL_TIMEOUT',
  UND_ERR_SOCKET: 'ECONNRESET',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'ECONNRESET',
  UND_ERR_DESTROYED: 'ECONNRESET',
  UND_ERR_HEADERS_OVERFLOW: 'HPE_HEADER_OVERFLOW',
  HTTPParserError: 'HPE_INVALID',
};

// The error for an answer that cannot be read holds its bytes. They must go no further, so we make a new error.
function describe(error: Error): Error {
  if (error instanceof EgressError) return error;
  const given = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  const code = CODES[given] ?? given;
  return new CallError('CallError', code, `no complete answer (${code})`);
}
