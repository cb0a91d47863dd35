import { createServer, connect, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createLine, type Line, type Weather } from './proxy-line.ts';

/** A TCP proxy on loopback that can simulate a bad network. */
export type Proxy = {
  port: number;
  /** Ends every connection at once. New connections are accepted. */
  cut: () => void;
  /** With true: cuts open connections and refuses new ones, until it is called with false. */
  block: (blocked: boolean) => void;
  /** Data arrives this much later, in each direction; 0: at once. */
  delay: (milliseconds: number) => void;
  /** At most this many bytes per second, for each direction of each connection; Infinity: no limit. */
  throttle: (bytesPerSecond: number) => void;
  /** With true: nothing arrives, on new connections either, and no connection ends, until it is called with false. */
  stall: (stalled: boolean) => void;
  /** Acts as if the machine behind it vanished: data on open connections is lost. New connections work. */
  vanish: () => void;
  /** Sends new connections to another port. Open ones stay. */
  lead: (target: number) => void;
  connections: () => number;
  /** When it ended connections whose client was waiting for an answer. */
  cutCalls: () => number[];
  /** Local ports of the proxy's connections to the target, for clients that are still connected. */
  ports: () => number[];
  close: () => Promise<void>;
};

type Pair = { client: Socket; upstream: Socket; lines: Line[]; isWaiting: boolean };
type State = { target: number; blocked: boolean; weather: Weather; pairs: Set<Pair>; cutCalls: number[] };

/** Starts a proxy to a port of this machine. Undo: `close`. */
export async function startProxy(target: number): Promise<Proxy> {
  const weather: Weather = { delayMs: 0, bytesPerSecond: Infinity, stalled: false };
  const state: State = { target, blocked: false, weather, pairs: new Set(), cutCalls: [] };
  const server = createServer({ noDelay: true }, (client) => relay(client, state));
  await listen(server);
  const cut = (): void => {
    for (const { client, upstream, isWaiting } of state.pairs) {
      if (isWaiting) state.cutCalls.push(Date.now());
      for (const one of [client, upstream]) one.destroy();
    }
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
    cutCalls: () => state.cutCalls,
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
  const pair: Pair = { client, upstream, lines, isWaiting: false };
  state.pairs.add(pair);
  client.on('data', () => (pair.isWaiting = true));
  upstream.on('data', () => (pair.isWaiting = false));
  const end = (): void => {
    state.pairs.delete(pair);
    client.destroy();
    upstream.destroy();
  };
  for (const [index, socket] of [client, upstream].entries()) {
    socket.on('error', end);
    // Data that the socket sent before its end is still in transit.
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
