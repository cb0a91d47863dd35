import { createServer } from 'node:net';

/** True where nothing listens on this port of the loopback address at this moment. */
export async function isPortFree(port: number): Promise<boolean> {
  return (await listenOnce(port)) !== undefined;
}

/** The wanted port where it is free, else one the system picks. */
export async function choosePort(wanted: unknown): Promise<number> {
  if (typeof wanted === 'number' && (await isPortFree(wanted))) return wanted;
  const port = await listenOnce(0);
  if (port === undefined) throw new Error('the system has no free loopback port');
  return port;
}

/** Several distinct ports, each as `choosePort` does it. */
export async function choosePorts(wanted: readonly unknown[]): Promise<number[]> {
  const ports: number[] = [];
  for (const one of wanted) {
    let port = await choosePort(one);
    while (ports.includes(port)) port = await choosePort(undefined);
    ports.push(port);
  }
  return ports;
}

function listenOnce(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
    });
  });
}
