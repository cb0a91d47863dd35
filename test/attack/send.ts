import { Agent, request as httpRequest } from 'node:http';

/** A request as it is sent. A failing test can print it. */
export type RawRequest = {
  method: string;
  /** Path and query, percent-encoded where needed. */
  target: string;
  headers: Record<string, string>;
  body?: string | Buffer;
};

export type RawAnswer = { status: number; headers: Record<string, unknown>; text: string; ms: number };

/** Sends one request after another over kept-alive connections. Undo: `close`. */
export function createSender(url: string, limitMs: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const send = (given: RawRequest): Promise<RawAnswer> =>
    new Promise((resolve, reject) => {
      const started = performance.now();
      const { hostname, port } = new URL(url);
      const length =
        given.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(given.body)) };
      const request = httpRequest(
        {
          hostname,
          port,
          agent,
          method: given.method,
          path: given.target,
          headers: { ...given.headers, ...length },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text: Buffer.concat(chunks).toString(),
              ms: performance.now() - started,
            }),
          );
        },
      );
      const timer = setTimeout(() => request.destroy(new Error(`no answer within ${limitMs} ms`)), limitMs);
      request.once('close', () => clearTimeout(timer));
      request.once('error', reject);
      request.end(given.body);
    });
  return { send, close: () => agent.destroy() };
}
