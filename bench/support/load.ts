import { connect, type Socket } from 'node:net';

/** An HTTP request. Its text is built once and sent many times. */
export type Shot = { method: string; path: string; headers: Record<string, string>; body?: string };

/** Latencies of all answers in milliseconds, and answers per second. */
export type LoadResult = { perSecond: number; latencies: number[] };

/**
 * Sends requests over this many kept-alive connections for this long; each connection sends the next request when it has
 * its answer. Uses bare sockets: a cheap caller leaves more of the machine to the code under measurement. Throws when an
 * answer is not a success.
 */
export async function shoot(
  url: string,
  shotOf: (count: number) => Shot,
  options: { connections: number; milliseconds: number },
): Promise<LoadResult> {
  const { hostname, port } = new URL(url);
  const latencies: number[] = [];
  let count = 0;
  const started = performance.now();
  const end = started + options.milliseconds;
  const strand = async (): Promise<void> => {
    const socket = await open(hostname, Number(port));
    try {
      while (performance.now() < end) {
        count += 1;
        const request = spell(shotOf(count), hostname);
        const begun = performance.now();
        const status = await exchange(socket, request);
        latencies.push(performance.now() - begun);
        if (status >= 300) throw new Error(`status ${status} for ${request.slice(0, 80)}`);
      }
    } finally {
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: options.connections }, strand));
  return { perSecond: (latencies.length / (performance.now() - started)) * 1000, latencies };
}

/** An open connection. Undo: `destroy`. */
export function open(hostname: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port, noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => resolve(socket));
  });
}

/** The text of a request. */
export function spell({ method, path, headers, body = '' }: Shot, host: string): string {
  const lines = Object.entries({ ...headers, host, 'content-length': String(Buffer.byteLength(body)) });
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}

/** Sends one request and resolves with the status once the answer is complete. */
export function exchange(socket: Socket, request: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let head = '';
    let status = 0;
    let missing = -1;
    const finish = (error?: Error): void => {
      socket.off('data', take);
      socket.off('close', lost);
      if (error) reject(error);
      else resolve(status);
    };
    const lost = (): void => finish(new Error('the connection was closed'));
    const take = (chunk: Buffer): void => {
      if (missing < 0) {
        head += chunk.toString('latin1');
        const stop = head.indexOf('\r\n\r\n');
        if (stop < 0) return;
        status = Number(head.slice(9, 12));
        const length = /\r\ncontent-length: *(\d+)/i.exec(head.slice(0, stop))?.[1];
        missing = Number(length ?? 0) - (head.length - stop - 4);
      } else {
        missing -= chunk.length;
      }
      if (missing <= 0) finish();
    };
    socket.on('data', take);
    socket.once('close', lost);
    socket.write(request);
  });
}
