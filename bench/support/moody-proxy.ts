import { Agent, createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Sits before the AWS fake. A region whose name begins with `hang` never gets an answer; one with `throttle` always gets
 * a throttled answer; all others pass through. So one destination can be ill beside healthy ones of the same worker.
 */
export async function startMoodyProxy(target: string): Promise<{ url: string }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const server = createServer((message, response) => {
    const region = /Credential=[^/]+\/[^/]+\/([^/]+)/.exec(message.headers.authorization ?? '')?.[1] ?? '';
    if (region.startsWith('hang')) return void message.resume();
    if (region.startsWith('throttle')) {
      message.resume();
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.1' });
      response.end(JSON.stringify({ __type: 'ThrottlingException', message: 'Rate exceeded' }));
      return;
    }
    const onward = httpRequest(
      new URL(message.url ?? '/', target),
      { method: message.method, headers: message.headers, agent },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    message.pipe(onward);
  });
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
