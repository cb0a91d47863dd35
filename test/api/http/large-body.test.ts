import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { eventually } from '../../support/eventually.ts';

const PIECE = Buffer.alloc(65_536, 'a');
const PIECES = 48;

describe('a body that is too large', () => {
  let sealift: Sealift;

  before(async () => {
    sealift = await startSealift();
    await sealift.client.post('/v1/secret/data/kept', { data: { key: 'kept-value' } });
  });

  after(() => sealift.stop());

  const open = async (headers: string[]): Promise<{ socket: Socket; read: () => string }> => {
    const { hostname, port } = new URL(sealift.url);
    const socket = connect(Number(port), hostname);
    let answer = '';
    await once(socket, 'connect');
    // Until it has sent everything, this client reads nothing, like many clients.
    socket.pause().on('data', (bytes) => (answer += bytes.toString('latin1')));
    socket.write(
      [
        'POST /v1/secret/data/large HTTP/1.1',
        'Host: x',
        `Authorization: Bearer ${sealift.token}`,
        ...headers,
        '',
        '',
      ].join('\r\n'),
    );
    return { socket, read: () => answer };
  };

  const send = async (socket: Socket, bytes: Buffer | string): Promise<void> => {
    await new Promise<void>((resolve, reject) =>
      socket.write(bytes, (error) => (error ? reject(error) : resolve())),
    );
  };

  it('a client that first sends the whole body reads the refusal afterwards, and can go on', async () => {
    const { socket, read } = await open([`Content-Length: ${PIECE.length * PIECES}`]);
    for (let piece = 0; piece < PIECES; piece += 1) await send(socket, PIECE);
    socket.resume();
    await eventually(() => read().includes('the body is larger than 1048576 bytes'));
    expect(read()).to.match(/^HTTP\/1\.1 413 /);
    await send(socket, 'GET /v1/sys/seal-status HTTP/1.1\r\nHost: x\r\n\r\n');
    await eventually(() => read().includes('HTTP/1.1 200 '));
    socket.destroy();
  });

  it('the same holds for a body in chunks, and for one that is larger only unpacked', async () => {
    const { socket, read } = await open(['Transfer-Encoding: chunked']);
    for (let piece = 0; piece < PIECES; piece += 1)
      await send(socket, Buffer.concat([Buffer.from('10000\r\n'), PIECE, Buffer.from('\r\n')]));
    await send(socket, '0\r\n\r\n');
    socket.resume();
    await eventually(() => read().startsWith('HTTP/1.1 413 '));
    socket.destroy();
    const packed = gzipSync(Buffer.alloc(PIECE.length * PIECES * 10, 'a'));
    const other = await open(['Content-Encoding: gzip', `Content-Length: ${packed.length}`]);
    await send(other.socket, packed);
    other.socket.resume();
    await eventually(() => other.read().startsWith('HTTP/1.1 413 '));
    other.socket.destroy();
  });

  it('a client that breaks off within its body leaves no request waiting, plain or packed', async () => {
    const refused = async (): Promise<number> => {
      const { body } = await sealift.context.metrics.render();
      const [, count] =
        /^sealift_http_requests_total\{route="POST \/~kv2.*",status="400".*\} (\d+)$/m.exec(body) ?? [];
      return Number(count ?? 0);
    };
    const before = await refused();
    const packed = gzipSync(randomBytes(20_000));
    for (const [encoding, count] of [
      ['identity', 1],
      ['gzip', 2],
    ] as const) {
      const { socket } = await open([`Content-Encoding: ${encoding}`, `Content-Length: ${packed.length}`]);
      await send(socket, packed.subarray(0, 10_000));
      socket.destroy();
      await eventually(async () => (await refused()) === before + count);
    }
  });

  it('a client that never ends a refused body is cut off', async () => {
    const { socket, read } = await open([`Content-Length: ${PIECE.length * PIECES}`]);
    await send(socket, PIECE);
    socket.resume();
    const ended = new Promise((resolve) => socket.once('close', resolve));
    await eventually(() => read().startsWith('HTTP/1.1 413 '));
    await ended;
  });

  const large = Buffer.alloc(900_000, 'a');
  const refusals = [
    { what: 'an unknown encoding', status: 415, headers: ['Content-Encoding: zstd'], body: large },
    { what: 'a broken gzip', status: 400, headers: ['Content-Encoding: gzip'], body: large },
    {
      what: 'a gzip that is too large unpacked',
      status: 413,
      headers: ['Content-Encoding: gzip'],
      // Much follows the place where the unpacked bytes pass the limit.
      body: Buffer.concat([gzipSync(Buffer.alloc(4_000_000)), gzipSync(randomBytes(800_000))]),
    },
    { what: 'more bytes than the limit', status: 413, headers: [], body: Buffer.alloc(3_000_000, 'a') },
    { what: 'bytes that are no text', status: 400, headers: [], body: Buffer.alloc(900_000, 0xff) },
  ];

  for (const { what, status, headers, body } of refusals) {
    const chunked = Buffer.concat([
      Buffer.from(`${body.length.toString(16)}\r\n`),
      body,
      Buffer.from('\r\n0\r\n\r\n'),
    ]);
    const framings = [
      { framing: `Content-Length: ${body.length}`, bytes: body },
      { framing: 'Transfer-Encoding: chunked', bytes: chunked },
    ];

    it(`the same connection answers the next requests after the refusal of ${what}`, async () => {
      for (const { framing, bytes } of framings) {
        const { socket, read } = await open([...headers, framing]);
        socket.resume();
        await send(socket, bytes);
        await eventually(() => read().startsWith(`HTTP/1.1 ${status} `));
        await send(socket, next('/health/live'));
        await eventually(() => statusesOf(read()).length === 2);
        await send(socket, next('/v1/secret/data/kept'));
        await eventually(() => read().includes('"kept-value"'));
        expect(statusesOf(read())).to.deep.equal([status, 200, 200]);
        socket.destroy();
      }
    });

    it(`the requests right behind a body are answered after the refusal of ${what}`, async () => {
      for (const { framing, bytes } of framings) {
        const { socket, read } = await open([...headers, framing]);
        socket.resume();
        await send(
          socket,
          Buffer.concat([bytes, Buffer.from(next('/health/live') + next('/v1/secret/data/kept'))]),
        );
        await eventually(() => read().includes('"kept-value"'));
        expect(statusesOf(read())).to.deep.equal([status, 200, 200]);
        socket.destroy();
      }
    });
  }

  const next = (path: string): string =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${sealift.token}\r\n\r\n`;
  const statusesOf = (text: string): number[] =>
    [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));
});
