import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { advance, enterMessage, type Framing, isInsideBody, startFraming } from './framing.ts';

type Connection = {
  framing: Framing;
  /** The packet that Node's parser reads now, and how far we have read it. */
  packet: Buffer | undefined;
  offset: number;
  /** The last request Node announced, until both sides agree that it has ended. */
  request: http.IncomingMessage | undefined;
};

/** Node publishes this as soon as it has read a head: before `request`, and also for requests that it refuses by itself. */
const requestRead = 'http.server.request.start';

/** Node keeps this many header names and values if `maxHeadersCount` is not set. */
const defaultHeaderLimit = 2000;

/**
 * Makes a server accept the method `LIST`, which Node's parser refuses. Call it before the server listens.
 *
 * We see each packet just before the parser reads it. At the start of a request line we replace `LIST ` by `LINK `,
 * which has the same length and which the parser knows. The request that Node announces for that line gets its method
 * back. What follows a head is decided by the headers as the parser read them, never by our own reading of them. After
 * each packet, we and the parser must agree on whether a message is open. In any doubt we leave the connection alone
 * for good; a later `LIST` on it gets 400.
 *
 * An `upgrade` listener would see `LINK`, because Node does not announce such a request.
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
  // Runs after Node's own listener, so that we can put our listener on the socket before the parser's.
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

/** Runs while the parser is at the end of the head, so that the next request in the same packet can still be rewritten. */
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
