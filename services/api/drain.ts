import type { Server, ServerResponse } from 'node:http';

/**
 * Call before the server listens. The returned function stops it: new connections are refused at once, idle ones closed,
 * requests being answered are finished, and their callers told that the connection ends with the answer. What has not
 * ended after `limitMs`, be it a request whose end never came, is cut.
 */
export function prepareDrain(server: Server, limitMs: number): () => Promise<void> {
  const answering = new Set<ServerResponse>();
  let draining = false;
  const endConnection = (response: ServerResponse): void => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  };
  const follow = (_request: unknown, response: ServerResponse): void => {
    if (draining) endConnection(response);
    answering.add(response);
    response.once('close', () => {
      answering.delete(response);
      // Its head was on the way before: the connection is kept, and would be for as long as a caller may be silent.
      if (draining) server.closeIdleConnections();
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
      server.closeIdleConnections();
      answering.forEach(endConnection);
    });
}
