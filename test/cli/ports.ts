import { createServer, type AddressInfo } from 'node:net';

/** Finds this many consecutive ports that were free a moment ago. */
export async function findFreePorts(count: number): Promise<number[]> {
  for (let tries = 0; tries < 50; tries += 1) {
    const first = await freePort(0);
    const ports = Array.from({ length: count }, (_, index) => first + index);
    const found = await Promise.all(ports.map((port) => freePort(port).catch(() => undefined)));
    if (found.every((port) => port !== undefined)) return ports;
  }
  throw new Error('there are no free ports in a row');
}

function freePort(wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(wanted, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
