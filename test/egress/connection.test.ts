import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { expect } from 'chai';
import { Pool } from 'undici';
import { createFetch } from '../../libs/egress/fetch.ts';
import { guardedAgent, keepAliveAgent, type EgressAgent } from '../../libs/egress/agent.ts';
import type { Resolve } from '../../libs/egress/lookup.ts';
import { eventually } from '../support/eventually.ts';

const LOOPBACK = { egressAllow: ['127.0.0.1', 'allowed.example'] };

describe('connections behind the egress guard', () => {
  const servers: Server[] = [];
  const agents: EgressAgent[] = [];

  async function serve(
    listener: RequestListener,
  ): Promise<{ url: string; port: number; connections: () => number }> {
    let connections = 0;
    const server = createServer(listener).on('connection', () => (connections += 1));
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}`, port, connections: () => connections };
  }

  function guarded(url: string, answers: string[][]): { agent: EgressAgent; asked: () => number } {
    let lookups = 0;
    const resolve: Resolve = (_hostname, callback) => {
      const found = answers[Math.min(lookups, answers.length - 1)] ?? [];
      lookups += 1;
      callback(
        null,
        found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    };
    const agent = guardedAgent(url, LOOPBACK, { resolve });
    agents.push(agent);
    return { agent, asked: () => lookups };
  }

  function fetchOver(baseUrl: string, agent: EgressAgent = keepAliveAgent(baseUrl, {}), timeoutMs = 5000) {
    agents.push(agent);
    return createFetch({ baseUrl, agent, timeoutMs });
  }

  async function failureOf(promise: Promise<unknown>): Promise<{ code?: unknown; name?: unknown }> {
    return promise.then(
      () => {
        throw new Error('the call went through');
      },
      (error: unknown) => error as { code?: unknown; name?: unknown },
    );
  }

  afterEach(() => {
    for (const agent of agents.splice(0)) void agent.destroy();
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });

  it('a name that leads to a special-purpose address is not connected to', async () => {
    for (const address of ['169.254.169.254', '::1', '::ffff:169.254.169.254', '10.0.0.1', '64:ff9b::1']) {
      const { agent, asked } = guarded('https://git.example', [[address]]);
      const error = await failureOf(fetchOver('https://git.example', agent)('https://git.example/x'));
      expect(error.code, address).to.equal('EGRESS_REFUSED');
      expect(asked()).to.equal(1);
    }
  });

  it('a name that changes its answer is checked again at each connection', async () => {
    const server = await serve((_request, response) => response.setHeader('connection', 'close').end('here'));
    const url = `https://rebind.example:${server.port}`;
    // The operator allows the first answer's address, so the connection arrives there, but TLS fails.
    const { agent, asked } = guarded(url, [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1', '10.0.0.9']]);
    const call = fetchOver(url, agent);
    expect((await failureOf(call(url))).code).to.not.equal('EGRESS_REFUSED');
    expect(server.connections()).to.equal(1);
    expect((await failureOf(call(url))).code).to.equal('EGRESS_REFUSED');
    expect((await failureOf(call(url))).code).to.not.equal('EGRESS_REFUSED');
    expect([server.connections(), asked()]).to.deep.equal([2, 3]);
  });

  it('calls that need the address of one host at once wait for one look-up', async () => {
    const url = 'https://git.example';
    const waiting: ((address: string) => void)[] = [];
    const resolve: Resolve = (_hostname, callback) =>
      waiting.push((address) => callback(null, [{ address, family: 4 }]));
    const call = (): Promise<unknown> => {
      const agent = guardedAgent(url, LOOPBACK, { resolve });
      return failureOf(fetchOver(url, agent)(url));
    };
    const together = [call(), call(), call()];
    await eventually(() => waiting.length > 0);
    expect(waiting).to.have.length(1);
    waiting.pop()?.('10.0.0.1');
    for (const error of await Promise.all(together)) expect(error).to.include({ code: 'EGRESS_REFUSED' });
    const anew = call();
    await eventually(() => waiting.length === 1);
    waiting.pop()?.('10.0.0.1');
    await anew;
  });

  it('a host the operator named may lead anywhere', async () => {
    const server = await serve((_request, response) => response.end('here'));
    const url = `http://allowed.example:${server.port}`;
    const { agent } = guarded(url, [['127.0.0.1']]);
    expect(await (await fetchOver(url, agent)(url)).text()).to.equal('here');
  });

  it('an agent calls its own origin alone, whatever a request says', async () => {
    const other = await serve((_request, response) => response.end('elsewhere'));
    const server = await serve((_request, response) => response.end('here'));
    const agent = guardedAgent(server.url, LOOPBACK);
    agents.push(agent);
    const { body } = await (agent as Pool).request({ origin: other.url, path: '/', method: 'GET' });
    expect(await body.text()).to.equal('here');
    expect(other.connections()).to.equal(0);
  });

  it('a redirect is returned and not followed', async () => {
    const other = await serve((_request, response) => response.end('stolen'));
    const server = await serve((_request, response) =>
      response.writeHead(302, { location: other.url }).end(),
    );
    const response = await fetchOver(server.url)(server.url, { headers: { authorization: 'Bearer x' } });
    expect([response.status, response.headers.get('location')]).to.deep.equal([302, other.url]);
    expect(other.connections()).to.equal(0);
  });

  it('a call to another origin than the configured one is refused', async () => {
    const other = await serve((_request, response) => response.end());
    const server = await serve((_request, response) => response.end());
    expect((await failureOf(fetchOver(server.url)(other.url))).code).to.equal('EGRESS_REFUSED');
    expect(other.connections()).to.equal(0);
  });

  it('connections are kept and used again', async () => {
    const server = await serve(
      (message, response) => void message.resume().on('end', () => response.end('ok')),
    );
    const call = fetchOver(server.url);
    for (const body of ['one', 'two', 'three'])
      await (await call(server.url, { method: 'PUT', body })).text();
    expect(server.connections()).to.equal(1);
  });

  it('silence, a body that stalls, a cut body and an endless one all end the call', async () => {
    const server = await serve((message, response) => {
      if (message.url === '/silent') return;
      response.writeHead(200, { 'content-length': 50_000_000 });
      if (message.url === '/stall') return void response.write('x');
      if (message.url === '/cut') return void response.write('x', () => message.socket.destroy());
      response.write(Buffer.alloc(9 * 1024 * 1024));
    });
    const call = fetchOver(server.url, undefined, 150);
    expect((await failureOf(call(`${server.url}/silent`))).code).to.equal('CALL_TIMEOUT');
    expect((await failureOf(call(`${server.url}/stall`))).code).to.equal('CALL_TIMEOUT');
    expect((await failureOf(call(`${server.url}/cut`))).code).to.equal('ECONNRESET');
    const patient = fetchOver(server.url);
    expect((await failureOf(patient(`${server.url}/endless`))).code).to.equal('ANSWER_TOO_LONG');
  });

  it('an abort ends the call, before it starts and in the middle', async () => {
    const server = await serve(() => undefined);
    const call = fetchOver(server.url);
    expect((await failureOf(call(server.url, { signal: AbortSignal.abort() }))).name).to.equal('AbortError');
    const stop = new AbortController();
    const running = call(server.url, { signal: stop.signal });
    setTimeout(() => stop.abort(), 30);
    expect((await failureOf(running)).name).to.equal('AbortError');
  });

  it('a call that is given up while it waits for a connection is never sent', async () => {
    const seen: string[] = [];
    const server = await serve((message, response) => {
      seen.push(message.url ?? '');
      setTimeout(() => response.end('late'), 100);
    });
    const call = fetchOver(server.url, keepAliveAgent(server.url, {}, { maxSockets: 1 }));
    const first = call(`${server.url}/first`);
    const stop = new AbortController();
    const second = failureOf(call(`${server.url}/second`, { signal: stop.signal }));
    stop.abort();
    expect((await second).name).to.equal('AbortError');
    expect(await (await first).text()).to.equal('late');
    expect(await (await call(`${server.url}/third`)).text()).to.equal('late');
    expect(seen).to.deep.equal(['/first', '/third']);
  });

  it('a call whose connection is closed without an answer fails, and is not sent a second time', async () => {
    const seen: string[] = [];
    const server = await serve((message, response) => {
      seen.push(message.url ?? '');
      if (message.url === '/kept') return void response.end();
      message.resume().on('end', () => message.socket.destroy());
    });
    const call = fetchOver(server.url);
    await call(`${server.url}/kept`);
    const error = await failureOf(call(`${server.url}/dropped`, { method: 'PUT', body: 'value' }));
    expect(error.code).to.equal('ECONNRESET');
    expect(seen).to.deep.equal(['/kept', '/dropped']);
  });

  it('an answer that cannot be read is told by its code alone, without its bytes', async () => {
    const server = await serve(
      (message) => void message.socket.end('HTTP/1.1 200 OK\r\nsecret words\r\n\r\n'),
    );
    const error = await failureOf(fetchOver(server.url)(server.url));
    expect(error.code).to.match(/^HPE_/);
    expect(inspect(error, { depth: 9, showHidden: true })).to.not.include('secret words');
  });
});
