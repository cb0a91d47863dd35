import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { startApi } from '../../../services/api/start.ts';
import { eventually } from '../../support/eventually.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';

describe('the shutdown of the API', () => {
  let sealift: Sealift;
  let sockets: Socket[] = [];
  before(async () => {
    sealift = await startSealift({ environment: { SHUTDOWN_TIMEOUT: '8000' } });
  });
  after(() => sealift.stop());
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    sockets = [];
  });

  const start = async () => (await sealift.start('api', startApi)) as Awaited<ReturnType<typeof startApi>>;
  const open = async (port: number) => {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    const received: string[] = [];
    socket.on('data', (chunk: Buffer) => received.push(chunk.toString()));
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return { socket, text: () => received.join('') };
  };
  const body = JSON.stringify({ data: { a: 1 } });
  const head = () =>
    `POST /v1/secret/data/app HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${sealift.token}\r\n` +
    `Content-Length: ${body.length}\r\n\r\n`;

  it('an API that is stopped finishes what its callers have begun, and ends', async () => {
    const api = await start();
    const { socket, text } = await open(api.port);
    socket.write(head() + body);
    await eventually(() => text().includes('HTTP/1.1 200'));
    expect(text()).to.match(/^Connection: keep-alive/m);
    socket.write(head());
    // The beginning of the request must have arrived: before that, the connection counts as idle.
    await new Promise((resolve) => setTimeout(resolve, 200));
    const stopped = api.stop();
    socket.write(body);
    await once(socket, 'end');
    expect(text().match(/HTTP\/1.1 200/g)).to.have.length(2);
    expect(text()).to.match(/^Connection: close/m);
    await stopped;
  });

  it('an API that is stopped does not wait for connections without a request', async () => {
    const api = await start();
    await open(api.port);
    const { socket } = await open(api.port);
    socket.write(head());
    await new Promise((resolve) => setTimeout(resolve, 200));
    const stopped = api.stop();
    socket.write(body);
    await stopped;
  }).timeout(4000);

  it('an API that is stopped does not wait for ever for the end of a request', async () => {
    const api = await start();
    const { socket } = await open(api.port);
    socket.write(head());
    await new Promise((resolve) => setTimeout(resolve, 200));
    await api.stop();
    // The audit trail also records the end of the requests that it cut.
    const events = await sealift.client.get('/api/v2/admin/audit-events?page%5Bsize%5D=1');
    expect(events.body.data[0].attributes).to.deep.include({
      path: 'secret/data/app',
      status: null,
      outcome: 'refused',
      detail: { answer: 'not sent' },
    });
  });
});
