import { ServerResponse, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { Bag } from '../../../libs/collections/bag.ts';

// Only paths whose answers are small: nothing waits for such a connection before more is written to it.
const PATH = /^[^?]*\/sys\/events\/subscribe\/[^?]/;
const KEY = /^[+/0-9A-Za-z]{22}==$/;
// Clients send nothing but the frames of the protocol.
const LARGEST_MESSAGE = 4096;
// For how long a refusal may wait for its reader.
const ANSWER_LIMIT_MS = 10_000;
// Before 24.9, Node asks nobody whether to upgrade.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const ASKS_FIRST = major > 24 || minor >= 9;
// What the other protocol has no use for, or says itself.
const OF_HTTP = /^(?:connection|upgrade|transfer-encoding|content-.*|sec-websocket-.*)$/;

type Upgrade = { socket: Duplex; head: Buffer; response: ServerResponse };

// The requests that may still become a WebSocket.
const upgrades = new WeakMap<IncomingMessage, Upgrade>();

const acceptor = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: LARGEST_MESSAGE,
});
acceptor.on('headers', (lines, request) => {
  for (const [name, value] of Object.entries(upgrades.get(request)?.response.getHeaders() ?? {}))
    if (!OF_HTTP.test(name)) for (const one of [value].flat()) lines.push(`${name}: ${one}`);
});

/**
 * Whether a request may become a WebSocket: an option of the server. All others that ask for another protocol are answered in
 * HTTP, as if they had not asked: libraries offer HTTP/2 with every request.
 */
export function mayUpgrade({ method, url = '', headers, httpVersion }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    httpVersion === '1.1' &&
    PATH.test(url) &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    headers['sec-websocket-version'] === '13' &&
    KEY.test(headers['sec-websocket-key'] ?? '') &&
    // A body would be read as frames.
    headers['transfer-encoding'] === undefined &&
    (headers['content-length'] ?? '0') === '0'
  );
}

/**
 * Gives requests for a WebSocket to the listener of all requests, so that they are authorised, limited, logged and refused as
 * those are. The one that serves the path may then take the connection with `takeSocket`. Returns a function that cuts the
 * connections that were neither taken nor answered to their end.
 */
export function acceptUpgrades(server: Server, listener: RequestListener): () => void {
  const open = new Bag<Duplex>();
  // It would refuse every request of libraries that offer HTTP/2.
  if (!ASKS_FIRST) return () => undefined;
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    // There can be no answer in the middle of the one before.
    if (isAnswering(socket)) return void socket.destroy();
    const takeOut = open.add(socket);
    socket.once('close', takeOut);
    socket.setTimeout(ANSWER_LIMIT_MS, () => socket.destroy());
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => {
      response.detachSocket(socket);
      socket.destroySoon();
    });
    upgrades.set(request, { socket, head, response });
    listener(request, response);
  });
  return () => {
    for (const socket of open) socket.destroy();
  };
}

/** Whether the request can become a WebSocket. */
export function isUpgrade(request: IncomingMessage): boolean {
  return upgrades.has(request);
}

/** Answers the request with a WebSocket. Undefined if the client is gone. */
export function takeSocket(request: IncomingMessage): WebSocket | undefined {
  const upgrade = upgrades.get(request);
  if (!upgrade) return undefined;
  const { socket, head, response } = upgrade;
  response.detachSocket(socket as Socket);
  let taken: WebSocket | undefined;
  acceptor.handleUpgrade(request, socket, head, (webSocket) => {
    taken = webSocket;
  });
  return taken;
}

function isAnswering({ _httpMessage: answer }: Socket & { _httpMessage?: ServerResponse | null }): boolean {
  return Boolean(answer);
}
