import { connect } from 'node:net';
import { expect } from 'chai';
import { startSealift, type Sealift } from '../../support/sealift.ts';

type Reply = { status: number; headers: Record<string, string>; body: string };

describe('unreadable requests', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
    await sealift.client.post('/v1/secret/data/app', { data: { a: 1 } });
  });
  after(() => sealift.stop());

  const send = (text: string): Promise<Reply> => exchange(sealift.url, text);
  const ours = (reply: Reply, name: string): string => {
    expect(reply.headers['cache-control'], name).to.equal('no-store');
    expect(reply.headers['x-request-id'], name).to.match(/^[0-9a-f-]{36}$/);
    expect(reply.headers['content-type'], name).to.contain('application/json');
    const { errors } = JSON.parse(reply.body) as { errors: string[] };
    expect(errors, name).to.have.length(1);
    return errors[0] ?? '';
  };

  it('an unreadable request is refused like all others, with its fault', async () => {
    const host = 'Host: x\r\n';
    const cases: [name: string, text: string, status: number, part: string][] = [
      ['an unknown method', `FOO / HTTP/1.1\r\n${host}\r\n`, 400, 'method is unknown'],
      ['a method like LIST', `LISK / HTTP/1.1\r\n${host}\r\n`, 400, 'list=true'],
      ['no HTTP', `GET / HTTX/1.1\r\n${host}\r\n`, 400, 'not valid HTTP'],
      ['a broken header', `GET / HTTP/1.1\r\n${host}a b\r\n\r\n`, 400, 'not valid HTTP'],
      [
        'two lengths',
        `POST / HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`,
        400,
        'not valid HTTP',
      ],
      ['no address', `GET http://[ HTTP/1.1\r\n${host}Connection: close\r\n\r\n`, 400, 'send only a path'],
      ['a long head', `GET / HTTP/1.1\r\n${host}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431, '16384 bytes'],
      ['a long path', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`, 431, '16384 bytes'],
      ['no host', 'GET /v1/sys/health HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'Host is missing'],
      [
        'two hosts',
        'GET /v1/sys/health HTTP/1.1\r\nHost: a\r\nhost: b\r\nConnection: close\r\n\r\n',
        400,
        'more than once',
      ],
      [
        'an expectation',
        `GET /v1/sys/health HTTP/1.1\r\n${host}Expect: cake\r\nConnection: close\r\n\r\n`,
        417,
        '100-continue',
      ],
    ];
    for (const [name, text, status, part] of cases) {
      const reply = await send(text);
      expect(reply.status, name).to.equal(status);
      expect(ours(reply, name), name).to.contain(part);
    }
  });

  it('a request that becomes unreadable within its body is refused as well, and changes nothing', async () => {
    const head =
      `POST /v1/secret/data/app HTTP/1.1\r\nHost: x\r\nX-Vault-Token: ${sealift.token}\r\n` +
      'Transfer-Encoding: chunked\r\n\r\n';
    const reply = await send(`${head}5\r\n{"dat\r\nno-size\r\n`);
    expect(reply.status).to.equal(400);
    ours(reply, 'a broken chunk');
    expect((await sealift.client.get('/v1/secret/data/app')).body.data.metadata.version).to.equal(1);
  });

  it('a body that is not UTF-8 is refused, and one with a byte order mark is taken', async () => {
    const post = (path: string, body: Buffer) =>
      fetch(new URL(path, sealift.url), {
        method: 'POST',
        headers: { 'x-vault-token': sealift.token, 'content-type': 'application/json' },
        body: new Uint8Array(body),
      });
    const latin1 = Buffer.from('{"data":{"a":"p\u00e4ss"}}', 'latin1');
    const refused = await post('/v1/secret/data/latin1', latin1);
    expect(refused.status).to.equal(400);
    expect(await refused.json()).to.deep.equal({
      errors: ['the body is not UTF-8: convert the text before you send it'],
    });
    expect((await sealift.client.get('/v1/secret/data/latin1')).status).to.equal(404);
    const marked = Buffer.from('\ufeff{"data":{"a":"p\u00e4ss \u{1f600}"}}');
    expect((await post('/v1/secret/data/marked', marked)).status).to.equal(200);
    const read = await sealift.client.get('/v1/secret/data/marked');
    expect(read.body.data.data).to.deep.equal({ a: 'p\u00e4ss \u{1f600}' });
  });

  it('an unreadable request leaves the connections of others alone', async () => {
    await Promise.all(Array.from({ length: 20 }, () => send('FOO / HTTP/1.1\r\n\r\n')));
    expect((await sealift.client.get('/v1/secret/data/app')).status).to.equal(200);
  });
});

describe('PATCH without a body', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
    await sealift.client.post('/v1/secret/data/app', { data: { a: 1 } });
  });
  after(() => sealift.stop());

  // Without a Content-Length, as command lines send it. Node's client would add one.
  const patch = (path: string, type: string): Promise<Reply> =>
    exchange(
      sealift.url,
      `PATCH /v1/${path} HTTP/1.1\r\nHost: x\r\nX-Vault-Token: ${sealift.token}\r\n${type}Connection: close\r\n\r\n`,
    );

  it('a PATCH without a body is judged by its content type alone', async () => {
    for (const type of ['application/merge-patch+json', 'Application/JSON ; charset=utf-8']) {
      const header = `Content-Type: ${type}\r\n`;
      expect((await patch('secret/metadata/app', header)).status, type).to.equal(204);
      expect((await patch('sys/sync/config', header)).status, type).to.equal(200);
      const empty = await patch('secret/data/app', header);
      expect([empty.status, empty.body], type).to.deep.equal([400, '{"errors":["no data provided"]}']);
    }
    const text = await patch('secret/data/app', 'Content-Type: text/plain\r\n');
    expect([text.status, text.body]).to.deep.equal([
      415,
      '{"errors":["PATCH requires Content-Type of application/merge-patch+json, provided text/plain"]}',
    ]);
    expect((await patch('secret/data/app', '')).body).to.contain('provided none');
  });
});

/** Sends bytes on a new connection and reads one answer until the server closes it. */
function exchange(url: string, text: string): Promise<Reply> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.setTimeout(5000, () => socket.destroy(new Error('the server did not close the connection')));
    socket.setEncoding('latin1');
    socket.on('data', (part: string) => (received += part));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      received !== '' && error.code === 'ECONNRESET' ? undefined : reject(error),
    );
    socket.on('close', () => resolve(parse(received)));
    socket.write(text, 'latin1');
  });
}

function parse(received: string): Reply {
  const [head = '', ...rest] = received.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => /^([^:]+): *(.*)$/.exec(line) ?? []);
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(headers.map(([, name = '', value = '']) => [name.toLowerCase(), value])),
    body: rest.join('\r\n\r\n'),
  };
}
