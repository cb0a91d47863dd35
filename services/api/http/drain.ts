import type { Server, ServerResponse } from 'node:http';
import { Bag } from '../../../libs/collections/bag.ts';

/**
 * Call before the server listens. The returned function stops it: new connections are refused at once, requests being
 * answered are finished, and their callers told that the connection ends with the answer. Behind the last of them all
 * connections end, those on which nothing was ever asked included. What has not ended after `limitMs`, be it a request whose
 * end never came, is cut.
 */
export function prepareDrain(server: Server, limitMs: number): () => Promise<void> {
  const answering = new Bag<ServerResponse>();
  let draining = false;
  const endConnection = (response: ServerResponse): void => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  };
  // Node would wait for those that are silent from their beginning, and for those whose answer's head was gone already.
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
