import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';
import tls from 'node:tls';
import { acceptListMethod } from '../../../services/api/http/list-method/list-method.ts';
import { eventually } from '../../support/eventually.ts';

/** One request as the server's handler saw it. `body` is latin1; `ended` is true if the whole body arrived. */
export type Seen = {
  method: string;
  url: string;
  headers: http.IncomingHttpHeaders;
  body: string;
  ended: boolean;
};

export type ListServer = {
  server: http.Server | https.Server;
  port: number;
  seen: Seen[];
  /** Delayed answers, oldest first. A call of one answers its request, which has a path `/hold…`. */
  held: (() => void)[];
  /** The HTTP server's sockets, oldest first. */
  sockets: Socket[];
  close: () => Promise<void>;
};

export type Talk = {
  socket: Socket;
  /** Everything that the server has sent, in latin1. */
  received: () => string;
  isClosed: () => boolean;
  /** Sends one packet and waits until the server has read it. */
  send: (packet: string) => Promise<void>;
};

const key = Buffer.from('0123456789abcdef');

/** A pre-shared key makes TLS work without a certificate. */
const sharedKey = { ciphers: 'PSK', maxVersion: 'TLSv1.2' as const };

/** Starts a server that records what its handler sees. `plain` turns `LIST` support off, for comparison. */
export async function startListServer(
  options: { secure?: boolean; plain?: boolean; settings?: http.ServerOptions } = {},
): Promise<ListServer> {
  const seen: Seen[] = [];
  const waiting: (() => void)[] = [];
  const sockets: Socket[] = [];
  const answer = (request: http.IncomingMessage, response: http.ServerResponse): void => {
    const entry: Seen = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: '',
      ended: false,
    };
    seen.push(entry);
    const finish = (): void => void response.end(`${entry.method} ${entry.url}\n`);
    if (entry.url.startsWith('/early')) finish();
    request.setEncoding('latin1');
    request.on('error', () => undefined);
    request.on('data', (text: string) => (entry.body += text));
    request.on('end', () => {
      entry.ended = true;
      if (entry.url.startsWith('/hold')) waiting.push(finish);
      else if (!entry.url.startsWith('/early')) finish();
    });
  };
  const server = options.secure
    ? https.createServer({ ...sharedKey, ...options.settings, pskCallback: () => key }, answer)
    : http.createServer({ ...options.settings }, answer);
  if (!options.plain) acceptListMethod(server);
  server.on(options.secure ? 'secureConnection' : 'connection', (socket: Socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await eventually(() => server.listening, { everyMs: 1 });
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { server, port: (server.address() as AddressInfo).port, seen, held: waiting, sockets, close };
}

/** Opens a new connection to the server. Packets arrive as they are sent. */
export async function talkTo(target: ListServer, options: { secure?: boolean } = {}): Promise<Talk> {
  const known = target.sockets.length;
  const address = { port: target.port, host: '127.0.0.1' };
  const pskCallback = (): tls.PSKCallbackNegotation => ({ psk: key, identity: 'client' });
  const socket = options.secure
    ? tls.connect({ ...address, ...sharedKey, pskCallback, checkServerIdentity: () => undefined })
    : net.connect({ ...address, allowHalfOpen: true });
  let received = '';
  let closed = false;
  socket.setNoDelay(true);
  socket.on('data', (data: Buffer) => (received += data.toString('latin1')));
  socket.on('error', () => undefined);
  socket.on('end', () => socket.end());
  socket.on('close', () => (closed = true));
  const peer = await eventually(() => target.sockets[known], { everyMs: 1 });
  if (!peer) throw new Error('the server did not take the connection');
  let sent = 0;
  return {
    socket,
    received: () => received,
    isClosed: () => closed,
    send: async (packet) => {
      if (closed || peer.destroyed) return;
      sent += packet.length;
      socket.write(packet, 'latin1');
      await eventually(() => peer.bytesRead >= sent || peer.destroyed || closed, { everyMs: 1 });
    },
  };
}

/** Sends packets on a new connection. Waits until this many requests have arrived completely, or the server has closed. */
export async function exchange(
  target: ListServer,
  packets: string[],
  expected: number | 'closed',
  options: { secure?: boolean } = {},
): Promise<string> {
  target.seen.length = 0;
  const talk = await talkTo(target, options);
  for (const packet of packets) await talk.send(packet);
  await eventually(
    () => {
      if (expected === 'closed' || talk.isClosed()) return talk.isClosed();
      return (
        target.seen.filter((entry) => entry.ended).length >= expected && count(talk.received()) >= expected
      );
    },
    { everyMs: 1, limitMs: 5_000 },
  );
  talk.socket.destroy();
  return talk.received();
}

function count(received: string): number {
  return received.split('HTTP/1.1 ').length - 1;
}

/** Method and path of all requests that a server's handler saw. */
export function verbs(target: ListServer): string[] {
  return target.seen.map(({ method, url }) => `${method} ${url}`);
}
