import { connect } from 'node:net';
import { expect } from 'chai';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { follow, refusal, tokenFor } from './support.ts';

describe('the request for a subscription', function () {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
    await sealift.client.post('/v1/sys/mounts/secret', { type: 'kv-v2' });
  });
  after(() => sealift.stop());

  const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';
  const upgrade = `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${KEY}\r\n`;

  // What the server sends until it closes the connection, or for a second.
  function send(text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(sealift.url).port), '127.0.0.1', () => socket.write(text));
      let answer = '';
      const timer = setTimeout(() => socket.destroy(), 1500);
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
      socket.on('error', reject);
      socket.on('close', () => {
        clearTimeout(timer);
        resolve(answer);
      });
    });
  }
  const head = (line: string): string => `${line} HTTP/1.1\r\nHost: x\r\nX-Vault-Token: ${sealift.token}\r\n`;
  const TARGET = '/v1/sys/events/subscribe/kv*?json=true';

  it('a request that is no WebSocket gets 400 with what to send', async () => {
    const answer = await sealift.client.get(TARGET);
    expect(answer.status).to.equal(400);
    expect(answer.body.errors[0]).to.include('this path is a WebSocket').and.include('Upgrade: websocket');
  });

  it('a request without json=true gets 400, because protobuf is not offered', async () => {
    for (const query of ['', 'json=false']) {
      const text = await refusal(sealift, 'kv*', { query });
      expect(text).to.match(/^400 .*json must be true/);
    }
  });

  it('a caller without a token, or without the right on the path, gets 403 in HTTP', async () => {
    expect(await refusal(sealift, 'kv*', { token: 'invented' })).to.match(/^403 .*permission denied/);
    const path = { 'sys/events/subscribe/kv-v2/data-*': { capabilities: ['read'] } };
    const token = await tokenFor(sealift, 'writes-only', path);
    expect(await refusal(sealift, 'kv*', { token })).to.match(/^403/);
    expect(await refusal(sealift, 'kv-v2/data-write', { token })).to.equal('open');
    expect(await refusal(sealift, 'kv*', { namespace: 'absent' })).to.match(/^403/);
  });

  it('the answer has the headers of every other answer', async () => {
    const socket = await follow(sealift, 'kv*', { headers: { 'x-request-id': 'my-own-request-id' } });
    await socket.close();
    const answer = await send(`${head(`GET ${TARGET}`)}${upgrade}X-Request-Id: my-own-request-id\r\n\r\n`);
    expect(answer).to.match(/^HTTP\/1\.1 101 /);
    expect(answer.toLowerCase()).to.include('x-request-id: my-own-request-id');
    expect(answer.toLowerCase()).to.include('cache-control: no-store');
  });

  it('a refusal of an upgrade is an answer of HTTP that ends the connection', async () => {
    const answer = await send(`${head('GET /v1/sys/events/subscribe/kv*')}${upgrade}\r\n`);
    expect(answer).to.match(/^HTTP\/1\.1 400 /);
    expect(answer.toLowerCase()).to.include('connection: close').and.include('x-request-id');
  });

  it('a request with a body, another method or a broken key is no WebSocket', async () => {
    const cases = [
      `${head(`GET ${TARGET}`)}${upgrade}Content-Length: 5\r\n\r\nhello`,
      `${head(`GET ${TARGET}`)}${upgrade}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
      `${head(`GET ${TARGET}`)}${upgrade.replace(KEY, 'short')}\r\n`,
      `${head(`GET ${TARGET}`)}${upgrade.replace('13', '7')}\r\n`,
    ];
    for (const text of cases) expect(await send(text), text).to.match(/^HTTP\/1\.1 400 /);
    expect(await send(`${head(`POST ${TARGET}`)}${upgrade}Content-Length: 0\r\n\r\n`)).to.match(
      /^HTTP\/1\.1 405 /,
    );
  });

  it('an upgrade on any other path is answered as if nobody had asked for one', async () => {
    await sealift.client.post('/v1/secret/data/plain', { data: { a: 'b' } });
    for (const protocol of [
      upgrade,
      'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n',
    ]) {
      const read = await send(`${head('GET /v1/secret/data/plain')}${protocol}\r\n`);
      expect(read)
        .to.match(/^HTTP\/1\.1 200 /)
        .and.include('"a":"');
      const body = '{"data":{"a":"c"}}';
      const written = await send(
        `${head('POST /v1/secret/data/plain')}${protocol}Content-Length: ${body.length}\r\n\r\n${body}`,
      );
      expect(written).to.match(/^HTTP\/1\.1 200 /);
    }
    const anonymous = `GET /v1/secret/data/plain HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n`;
    expect(await send(anonymous)).to.match(/^HTTP\/1\.1 403 /);
    const answer = await sealift.client.get('/v1/secret/data/plain');
    expect(answer.body.data.data).to.deep.equal({ a: 'c' });
  });

  it('a request behind an answer that is still under way does not mix with it', async () => {
    const first = `${head('GET /v1/secret/data/plain')}\r\n`;
    const answer = await send(`${first}${head(`GET ${TARGET}`)}${upgrade}\r\n`);
    expect(answer).not.to.include('HTTP/1.1 101');
  });
});
