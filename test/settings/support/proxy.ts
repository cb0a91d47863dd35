import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A connection to a server that can be cut: the same URL with another port. */
export type Proxy = { url: string; cut: () => void; close: () => Promise<void> };

export async function startProxy(target: string): Promise<Proxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // A deliberate cut is no failure of the test.
    socket.on('error', () => undefined);
    return socket;
  };
  const server = createServer((inner) => {
    const outer = keep(connect(Number(port), hostname));
    keep(inner).pipe(outer).pipe(inner);
    inner.on('close', () => outer.destroy());
    outer.on('close', () => inner.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    cut,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  };
}
