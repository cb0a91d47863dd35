import type { Server, ServerResponse } from 'node:http';
import { Bag } from '../../../libs/collections/bag.ts';

/**
 * Call before the server listens. The returned function stops the server. It refuses new connections at once and
 * finishes requests in progress; their answers tell the clients that the connection ends. After the last answer it
 * closes all connections, also those that never had a request. After `limitMs` it cuts what is left, for example a
 * request that never arrived completely.
 */
export function prepareDrain(server: Server, limitMs: number): () => Promise<void> {
  const answering = new Bag<ServerResponse>();
  let draining = false;
  const endConnection = (response: ServerResponse): void => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  };
  // Node itself would wait for connections that never had a request, and for those whose answer had sent its head
  // before the drain.
  const endIfAnswered = (): void => {
    if (draining && answering.size === 0) server.closeAllConnections();
  };
  const follow = (_request: unknown, response: ServerResponse): void => {
    if (draining) endConnection(response);
    const takeOut = answering.add(response);
    response.once('close', () => {
      takeOut();
      endIfAnswered();
    });
  };
  server.prependListener('request', follow);
  server.prependListener('checkExpectation', follow);
  return () =>
    new Promise((resolve) => {
      draining = true;
      const limit = setTimeout(() => server.closeAllConnections(), limitMs);
      server.close(() => {
        clearTimeout(limit);
        resolve();
      });
      for (const response of answering) endConnection(response);
      endIfAnswered();
    });
}
