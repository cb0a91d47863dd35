import { createServer, connect, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createLine, type Line, type Weather } from './proxy-line.ts';

/** A TCP proxy on loopback that can be told to be a bad network. */
export type Proxy = {
  port: number;
  /** Ends every connection at once; new ones are taken. */
  cut: () => void;
  /** Refuses new connections until told otherwise, and cuts those there are. */
  block: (blocked: boolean) => void;
  /** What is sent arrives so much later, in each direction; 0: at once. */
  delay: (milliseconds: number) => void;
  /** At most so many bytes a second in each direction of each connection; Infinity: no limit. */
  throttle: (bytesPerSecond: number) => void;
  /** Nothing arrives until told otherwise, on new connections either; none ends. */
  stall: (stalled: boolean) => void;
  /** The machine behind it vanishes: what is sent on the connections there are goes nowhere. New ones are served. */
  vanish: () => void;
  /** Leads new connections to another port; those there are stay. */
  lead: (target: number) => void;
  connections: () => number;
  /** The ports of this machine from which the target is reached, for clients that are still there. */
  ports: () => number[];
  close: () => Promise<void>;
};

type Pair = { client: Socket; upstream: Socket; lines: Line[] };
type State = { target: number; blocked: boolean; weather: Weather; pairs: Set<Pair> };

/** Starts a proxy to a port of this machine. Undo: `close`. */
export async function startProxy(target: number): Promise<Proxy> {
  const weather: Weather = { delayMs: 0, bytesPerSecond: Infinity, stalled: false };
  const state: State = { target, blocked: false, weather, pairs: new Set() };
  const server = createServer({ noDelay: true }, (client) => relay(client, state));
  await listen(server);
  const cut = (): void => {
    for (const { client, upstream } of state.pairs) for (const one of [client, upstream]) one.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    block(blocked) {
      state.blocked = blocked;
      if (blocked) cut();
    },
    delay(milliseconds) {
      weather.delayMs = milliseconds;
    },
    throttle(bytesPerSecond) {
      weather.bytesPerSecond = bytesPerSecond;
    },
    stall(stalled) {
      weather.stalled = stalled;
      for (const { lines } of state.pairs) for (const line of lines) line.look();
    },
    vanish() {
      for (const { client, upstream } of state.pairs)
        for (const one of [client, upstream]) one.removeAllListeners('data').resume();
    },
    lead(port) {
      state.target = port;
    },
    connections: () => state.pairs.size,
    ports: () =>
      [...state.pairs].flatMap(({ client, upstream: { localPort } }) =>
        client.destroyed || localPort === undefined ? [] : [localPort],
      ),
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
  const lines = [createLine(client, upstream, state.weather), createLine(upstream, client, state.weather)];
  const pair: Pair = { client, upstream, lines };
  state.pairs.add(pair);
  const end = (): void => {
    state.pairs.delete(pair);
    client.destroy();
    upstream.destroy();
  };
  for (const [index, socket] of [client, upstream].entries()) {
    socket.on('error', end);
    // What it sent before its end is under way still.
    socket.on('close', () => {
      if (lines[index]?.isEmpty() ?? true) end();
    });
  }
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
}
