import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Call = { headers: IncomingHttpHeaders; body: string };

/** A real HTTP receiver on loopback. `answer` is the status of its next replies. */
export type Receiver = { url: string; calls: Call[]; answer: number; close: () => Promise<void> };

export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      receiver.calls.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(receiver.answer, { location: 'http://127.0.0.1:1/elsewhere' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook/a-secret-path`,
    calls: [],
    answer: 204,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}
