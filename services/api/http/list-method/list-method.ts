import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { advance, enterMessage, type Framing, isInsideBody, startFraming } from './framing.ts';

type Connection = {
  framing: Framing;
  /** The packet that Node's parser is being given just now, and how far we have read it. */
  packet: Buffer | undefined;
  offset: number;
  /** The last request Node announced, until both sides agree that it has ended. */
  request: http.IncomingMessage | undefined;
};

/** Published by Node as soon as it has read a head: before `request`, and for requests it refuses by itself as well. */
const requestRead = 'http.server.request.start';

/** Node keeps this many header names and values where `maxHeadersCount` is not set. */
const defaultHeaderLimit = 2000;

/**
 * Makes a server take the method `LIST`, which Node's parser refuses; call it before listening.
 *
 * Each packet is seen just before the parser reads it. Where a request line begins, `LIST ` becomes the equally long `LINK `,
 * which the parser knows, and the request announced for that very line gets its method back. What follows a head is taken from
 * the headers as the parser read them, never from our own reading of them, and after each packet both must agree on whether a
 * message is open. In any doubt the connection is left alone for good, so that a later `LIST` on it is refused with 400.
 *
 * An `upgrade` listener would see `LINK`: Node announces no such request.
 */
export function acceptListMethod(server: http.Server | https.Server): void {
  const connections = new WeakMap<Socket, Connection>();
  const onRequestRead = (message: unknown): void => {
    const { request } = message as { request: http.IncomingMessage };
    const connection = connections.get(request.socket);
    if (connection) acceptRequest(connection, request, countHeaderLimit(server));
  };
  server.on('listening', () => subscribe(requestRead, onRequestRead));
  server.on('close', () => unsubscribe(requestRead, onRequestRead));
  // Added after Node's own listener, so that a listener in front of the parser's can be put on the socket.
  server.on(server instanceof https.Server ? 'secureConnection' : 'connection', (socket: Socket) => {
    connections.set(socket, followConnection(socket));
  });
}

function followConnection(socket: Socket): Connection {
  const connection: Connection = {
    framing: startFraming(),
    packet: undefined,
    offset: 0,
    request: undefined,
  };
  const beforeParser = (packet: Buffer): void => {
    connection.packet = packet;
    connection.offset = advance(connection.framing, packet, 0);
  };
  const afterParser = (): void => {
    compareWithParser(connection);
    if (connection.framing.stage !== 'lost') return;
    socket.removeListener('data', beforeParser);
    socket.removeListener('data', afterParser);
  };
  socket.prependListener('data', beforeParser);
  socket.on('data', afterParser);
  return connection;
}

/** Runs while the parser stands at the end of the head, so that a request behind it in the same packet can still be rewritten. */
function acceptRequest(connection: Connection, request: http.IncomingMessage, headerLimit: number): void {
  const { framing, packet } = connection;
  connection.request = request;
  if (framing.rewritten && request.method === 'LINK') request.method = 'LIST';
  framing.rewritten = false;
  if (!packet) return;
  enterMessage(framing, request, { rest: packet.length - connection.offset, headerLimit });
  connection.offset = advance(framing, packet, connection.offset);
}

function compareWithParser(connection: Connection): void {
  const { framing, request } = connection;
  connection.packet = undefined;
  const headWasIgnored = framing.stage === 'announced';
  const parserDiffers = request !== undefined && request.complete === isInsideBody(framing);
  if (headWasIgnored || parserDiffers) framing.stage = 'lost';
  if (request?.complete) connection.request = undefined;
}

function countHeaderLimit({ maxHeadersCount }: http.Server | https.Server): number {
  if (maxHeadersCount === null) return defaultHeaderLimit;
  return maxHeadersCount > 0 ? 2 * maxHeadersCount : Number.POSITIVE_INFINITY;
}
