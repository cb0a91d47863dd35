import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { eventually } from './eventually.ts';
import { startProxy, type Proxy } from './proxy.ts';

describe('the proxy that is a bad network', () => {
  let echo: Server;
  let proxy: Proxy;
  let client: Socket;
  let heard: string;
  let arrived: string;

  beforeEach(async () => {
    [heard, arrived] = ['', ''];
    echo = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => (arrived += chunk.toString()));
      socket.pipe(socket);
    });
    await once(echo.listen(0, '127.0.0.1'), 'listening');
    proxy = await startProxy((echo.address() as AddressInfo).port);
    client = await join();
  });

  afterEach(async () => {
    client.destroy();
    await proxy.close();
    echo.close();
  });

  async function join(): Promise<Socket> {
    const socket = connect(proxy.port, '127.0.0.1');
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => (heard += chunk.toString()));
    await once(socket, 'connect');
    return socket;
  }

  it('chunks that follow each other are delayed together, in their order', async () => {
    proxy.delay(400);
    const started = Date.now();
    const sent = Array.from({ length: 40 }, (_, number) => String.fromCharCode(65 + number)).join('');
    for (const chunk of sent) {
      client.write(chunk);
      await sleep(5);
    }
    // If each chunk waited for the one before, they would need 16 s in each direction.
    await eventually(() => expect(heard).to.equal(sent));
    expect(Date.now() - started).to.be.at.least(800);
  });

  it('a connection that ends hands on what was sent before, in spite of a delay', async () => {
    proxy.delay(100);
    const other = await join();
    other.end('the last words');
    await eventually(() => expect(arrived).to.equal('the last words'));
    await eventually(() => expect(proxy.connections()).to.equal(1));
  });

  it('nothing arrives while the network stands still, and everything afterwards', async () => {
    proxy.stall(true);
    client.write('held');
    const late = await join();
    late.write('also held');
    await sleep(100);
    expect(arrived).to.equal('');
    proxy.stall(false);
    await eventually(() => expect(heard).to.have.length('heldalso held'.length));
    late.destroy();
  });

  it('a narrow line takes much longer for much', async () => {
    proxy.throttle(100_000);
    const started = Date.now();
    client.write('x'.repeat(50_000));
    await eventually(() => expect(heard).to.have.length(50_000));
    expect(Date.now() - started).to.be.at.least(900);
  });
});
