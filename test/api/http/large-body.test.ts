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

  it('a client that never ends a refused body is cut off', async () => {
    const { socket, read } = await open([`Content-Length: ${PIECE.length * PIECES}`]);
    await send(socket, PIECE);
    socket.resume();
    const ended = new Promise((resolve) => socket.once('close', resolve));
    await eventually(() => read().startsWith('HTTP/1.1 413 '));
    await ended;
  });
});
