import { connect } from 'node:net';
import { expect } from 'chai';
import { startSealift, type Sealift } from '../support/sealift.ts';

const LIMIT_MS = 1500;

describe('requests hidden in other requests', () => {
  let sealift: Sealift;
  let hidden: string;

  before(async () => {
    sealift = await startSealift();
    await sealift.client.post('/v1/sys/mounts/secret', { type: 'kv-v2' });
    await sealift.client.post('/v1/secret/data/app/db', { data: { a: 'b' } });
    const body = '{"data":{"a":"smuggled"}}';
    hidden =
      `POST /v1/secret/data/smuggled HTTP/1.1\r\nHost: x\r\nX-Vault-Token: ${sealift.token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  });

  after(() => sealift.stop());

  const chunked = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;

  /** Headers that state the body's length in a way that two readers may understand differently. */
  const framings: [string, (inner: string) => [headers: string, body: string]][] = [
    ['a length', (inner) => [`Content-Length: ${inner.length}`, inner]],
    ['chunks', (inner) => ['Transfer-Encoding: chunked', chunked(inner)]],
    [
      'both, chunks first',
      (inner) => [`Transfer-Encoding: chunked\r\nContent-Length: ${inner.length}`, inner],
    ],
    [
      'both, length first',
      (inner) => [`Content-Length: ${inner.length}\r\nTransfer-Encoding: chunked`, chunked(inner)],
    ],
    ['two lengths', (inner) => [`Content-Length: 0\r\nContent-Length: ${inner.length}`, inner]],
    ['a list of lengths', (inner) => [`Content-Length: 0, ${inner.length}`, inner]],
    ['a signed length', (inner) => [`Content-Length: +${inner.length}`, inner]],
    ['a hexadecimal length', (inner) => [`Content-Length: 0x${inner.length.toString(16)}`, inner]],
    [
      'a folded header',
      (inner) => [`X-A: b\r\n Content-Length: 0\r\nContent-Length: ${inner.length}`, inner],
    ],
    ['white space before the colon', (inner) => [`Content-Length : ${inner.length}`, inner]],
    [
      'an unknown coding',
      (inner) => [`Transfer-Encoding: xchunked\r\nContent-Length: ${inner.length}`, inner],
    ],
    ['codings in a list', (inner) => ['Transfer-Encoding: identity, chunked', chunked(inner)]],
    [
      'a vertical tab',
      (inner) => [`Transfer-Encoding:\u000bchunked\r\nContent-Length: ${inner.length}`, inner],
    ],
    ['a bare line feed', (inner) => [`X-A: b\nContent-Length: ${inner.length}`, inner]],
    [
      'an extension of a chunk',
      (inner) => [
        'Transfer-Encoding: chunked',
        `${inner.length.toString(16)};LIST / HTTP/1.1\r\n${inner}\r\n0\r\n\r\n`,
      ],
    ],
    [
      'a trailer',
      (inner) => [
        'Transfer-Encoding: chunked',
        `${inner.length.toString(16)}\r\n${inner}\r\n0\r\nLIST: /\r\n\r\n`,
      ],
    ],
    [
      'an upgrade',
      (inner) => [`Connection: upgrade\r\nUpgrade: h2c\r\nContent-Length: ${inner.length}`, inner],
    ],
    ['an expectation', (inner) => [`Expect: 100-continue\r\nContent-Length: ${inner.length}`, inner]],
  ];

  for (const method of ['LIST', 'LINK', 'GET', 'POST', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']) {
    it(`a hidden request is never carried out behind a ${method}, however its length is told`, async () => {
      const answers = await Promise.all(
        framings.flatMap(([name, frame]) =>
          ['', '  ', 'LIST '].map(async (before) => {
            const [headers, body] = frame(`${before}${hidden}`);
            const head = `${method} /v1/secret/metadata/app HTTP/1.1\r\nHost: x\r\nX-Vault-Token: none\r\n${headers}\r\n\r\n`;
            return [name, await talk(sealift.url, `${head}${body}`)] as const;
          }),
        ),
      );
      for (const [name, answer] of answers) {
        expect(answer, name).to.not.match(/HTTP\/1\.1 (?:2|5)\d\d/);
      }
      expect((await sealift.client.get('/v1/secret/data/smuggled')).status).to.equal(404);
    });
  }

  it('requests that are honestly sent one after another are answered one by one', async () => {
    const list = `LIST /v1/secret/metadata/app HTTP/1.1\r\nHost: x\r\nX-Vault-Token: ${sealift.token}\r\n\r\n`;
    const answer = await talk(sealift.url, list.repeat(3));
    expect(answer.match(/HTTP\/1\.1 200 OK/g)).to.have.length(3);
    expect(answer.match(/"keys":\["db"\]/g)).to.have.length(3);
  });
});

/** Everything that comes back until the other side falls silent or closes. */
function talk(url: string, packet: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let received = '';
    const finish = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(received);
    };
    const timer = setTimeout(finish, LIMIT_MS);
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => (received += text));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      ['ECONNRESET', 'EPIPE'].includes(error.code ?? '') ? finish() : reject(error),
    );
    socket.on('close', finish);
    socket.write(packet, 'latin1');
  });
}
