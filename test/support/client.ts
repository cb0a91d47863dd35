import { request as httpRequest } from 'node:http';
import { findAnswerFault } from './answers.ts';
import { noteMount } from './operations.ts';

export type Answer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** Parsed JSON; undefined if the body is empty or not JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
  text: string;
};

export type CallOptions = {
  token?: string | null;
  namespace?: string;
  headers?: Record<string, string>;
  raw?: string;
};

/**
 * Plain HTTP calls to the API with any method. Never throws because of a status, but throws for an answer that the
 * OpenAPI document does not describe.
 */
export type Client = {
  call: (method: string, path: string, body?: unknown, options?: CallOptions) => Promise<Answer>;
  get: (path: string, options?: CallOptions) => Promise<Answer>;
  list: (path: string, options?: CallOptions) => Promise<Answer>;
  post: (path: string, body?: unknown, options?: CallOptions) => Promise<Answer>;
  patch: (path: string, body?: unknown, options?: CallOptions) => Promise<Answer>;
  delete: (path: string, options?: CallOptions) => Promise<Answer>;
};

/**
 * A client that sends this token, unless a call overrides it (`null`: no token). `isUnchecked`: the answers are not
 * compared with the document, because the service is of another version or the time counts.
 */
export function createClient(url: string, token: string, { isUnchecked = false } = {}): Client {
  const call: Client['call'] = async (method, path, body, options = {}) => {
    const secret = options.token === undefined ? token : options.token;
    const text = options.raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const type = path.startsWith('/api/') ? 'application/vnd.api+json' : 'application/json';
    const headers = {
      ...(secret === null ? {} : { authorization: `Bearer ${secret}` }),
      ...(options.namespace === undefined ? {} : { 'x-namespace': options.namespace }),
      ...(text === undefined ? {} : { 'content-type': type }),
      ...options.headers,
    };
    const answer = await send(url, method, path, text, headers);
    if (!isUnchecked) await check({ method, path, body, headers }, answer);
    return answer;
  };
  return {
    call,
    get: (path, options) => call('GET', path, undefined, options),
    list: (path, options) => call('LIST', path, undefined, options),
    post: (path, body, options) => call('POST', path, body, options),
    patch: (path, body, options) => call('PATCH', path, body, options),
    delete: (path, options) => call('DELETE', path, undefined, options),
  };
}

async function check(
  { method, path, body, headers }: { method: string; path: string; body: unknown; headers: object },
  answer: Answer,
): Promise<void> {
  noteMount(path, body);
  const wraps = Object.keys(headers).some((name) => name.toLowerCase() === 'x-vault-wrap-ttl');
  const fault = await findAnswerFault({ method, path, wraps }, answer);
  if (fault) throw new Error(`the OpenAPI document does not describe this answer: ${fault}`);
}

// One connection for each call: a kept-alive one would outlive the servers that tests start and stop.
function send(
  url: string,
  method: string,
  path: string,
  body: string | undefined,
  headers: Record<string, string>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    // Node's client refuses the verb LIST; the query form is the same call. test/api/http/list-method.test.ts sends LIST.
    const viaQuery = method === 'LIST';
    const target = viaQuery ? `${path}${path.includes('?') ? '&' : '?'}list=true` : path;
    const request = httpRequest(
      new URL(target, url),
      {
        method: viaQuery ? 'GET' : method,
        headers: { ...headers, ...length },
        agent: false,
        timeout: 90_000,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: parse(text), text });
        });
      },
    );
    request.on('timeout', () => request.destroy(new Error(`no answer to ${method} ${path} in time`)));
    request.on('error', reject);
    request.end(body);
  });
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
