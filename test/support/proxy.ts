import { createServer, connect, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A TCP proxy on loopback that can be told to be a bad network. */
export type Proxy = {
  port: number;
  /** Ends every connection at once; new ones are taken. */
  cut: () => void;
  /** Refuses new connections until told otherwise, and cuts those there are. */
  block: (blocked: boolean) => void;
  /** Every chunk is held back so long in each direction; 0: not at all. */
  delay: (milliseconds: number) => void;
  /** At most so many bytes a second in each direction of each connection; Infinity: no limit. */
  throttle: (bytesPerSecond: number) => void;
  /** The machine behind it vanishes: what is sent on the connections there are goes nowhere. New ones are served. */
  vanish: () => void;
  /** Leads new connections to another port; those there are stay. */
  lead: (target: number) => void;
  connections: () => number;
  close: () => Promise<void>;
};

type State = {
  target: number;
  blocked: boolean;
  delayMs: number;
  bytesPerSecond: number;
  pairs: Set<[Socket, Socket]>;
};

/** Starts a proxy to a port of this machine. Undo: `close`. */
export async function startProxy(target: number): Promise<Proxy> {
  const state: State = { target, blocked: false, delayMs: 0, bytesPerSecond: Infinity, pairs: new Set() };
  const server = createServer({ noDelay: true }, (client) => relay(client, state));
  await listen(server);
  const cut = (): void => {
    for (const pair of state.pairs) for (const socket of pair) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    block(blocked) {
      state.blocked = blocked;
      if (blocked) cut();
    },
    delay(milliseconds) {
      state.delayMs = milliseconds;
    },
    throttle(bytesPerSecond) {
      state.bytesPerSecond = bytesPerSecond;
    },
    vanish() {
      for (const pair of state.pairs) for (const socket of pair) socket.removeAllListeners('data').resume();
    },
    lead(port) {
      state.target = port;
    },
    connections: () => state.pairs.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  };
}

function relay(client: Socket, state: State): void {
  if (state.blocked) return void client.destroy();
  const upstream = connect({ port: state.target, host: '127.0.0.1', noDelay: true });
  const pair: [Socket, Socket] = [client, upstream];
  state.pairs.add(pair);
  const end = (): void => {
    state.pairs.delete(pair);
    client.destroy();
    upstream.destroy();
  };
  for (const socket of pair) {
    socket.on('error', end);
    socket.on('close', end);
  }
  forward(client, upstream, state);
  forward(upstream, client, state);
}

// One chunk at a time: the order is kept, and what waits is lost when the connection is cut, as in a network.
function forward(from: Socket, to: Socket, state: State): void {
  from.on('data', (chunk: Buffer) => {
    const waitMs = state.delayMs + (chunk.length / state.bytesPerSecond) * 1000;
    if (waitMs < 1) {
      if (!to.write(chunk)) from.pause();
      return;
    }
    from.pause();
    setTimeout(() => {
      if (to.destroyed) return;
      to.write(chunk);
      from.resume();
    }, waitMs);
  });
  to.on('drain', () => from.resume());
  from.on('end', () => to.end());
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
}
