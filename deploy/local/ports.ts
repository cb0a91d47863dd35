import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below the ports that systems use for outgoing connections: one of those may be taken before we listen on it.
const FIRST = 10_240;
const BEHIND_LAST = 32_768;
const MOST_TRIES = 100;
// A process listens on its port only some time after the port was chosen: until then it looks free.
const given = new Set<number>();

/** True if nothing listens on this loopback port at this moment. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** The wanted port if it is free, otherwise a random free one that this process has not given before. */
export async function choosePort(wanted: unknown): Promise<number> {
  if (typeof wanted === 'number' && (await isPortFree(wanted))) return wanted;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const port = randomInt(FIRST, BEHIND_LAST);
    if (given.has(port)) continue;
    given.add(port);
    if (await isPortFree(port)) return port;
  }
  throw new Error('there is no free loopback port');
}

/** Several distinct ports, each chosen like `choosePort` does. */
export async function choosePorts(wanted: readonly unknown[]): Promise<number[]> {
  const ports: number[] = [];
  for (const one of wanted) {
    const port = await choosePort(one);
    ports.push(ports.includes(port) ? await choosePort(undefined) : port);
  }
  return ports;
}
