import { expect } from 'chai';
import type { Socket } from 'node:net';
import { exchange, type ListServer, startListServer, talkTo, verbs } from './list-method-server.ts';
import { eventually } from '../../support/eventually.ts';

const quick = { everyMs: 1, limitMs: 5_000 };
const refusal = /HTTP\/1\.1 400 [^]*$/;
const later = 'LIST /later HTTP/1.1\r\nHost: x\r\n\r\n';

function post(headers: string, body: string): string {
  return `POST /a HTTP/1.1\r\nHost: x\r\n${headers}\r\n${body}`;
}

/** All ways to split a text into two packets, besides whole and byte by byte. */
function cuts(text: string): string[][] {
  const halves = Array.from({ length: text.length - 1 }, (_, index) => [
    text.slice(0, index + 1),
    text.slice(index + 1),
  ]);
  return [[text], text.split(''), ...halves];
}

describe('doubts about where a message ends', () => {
  let target: ListServer;

  beforeEach(async () => {
    target = await startListServer();
  });

  afterEach(async () => {
    await target.close();
  });

  const refusedVerbs = [
    'LISK /a',
    'LISKT /a',
    'LISTX /a',
    'LIS /a',
    'LINT /a',
    'LISTLIST /a',
    'LIST\t/a',
    'list /a',
    'LIST',
  ];
  for (const verb of refusedVerbs) {
    it(`the request line ${JSON.stringify(verb)} ends in 400, however it is cut`, async () => {
      for (const packets of cuts(
        `${verb} HTTP/1.1\r\nHost: x\r\n\r\n`.replace('LIST HTTP', 'LIST\r\nHTTP'),
      )) {
        expect(await exchange(target, packets, 'closed')).to.match(refusal);
        expect(target.seen).to.deep.equal([]);
      }
    });
  }

  const ambiguous: Record<string, string> = {
    'two lengths': post('Content-Length: 5\r\nContent-Length: 0\r\n', 'LIST /x HTTP/1.1\r\n\r\n'),
    'two equal lengths': post('Content-Length: 5\r\nContent-Length: 5\r\n', 'LIST '),
    'a length and chunks': post('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\nLIST '),
    'chunks and a length': post(
      'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n',
      '5\r\nLIST \r\n0\r\n\r\n',
    ),
    'a length with a sign': post('Content-Length: +5\r\n', 'LIST '),
    'a list of lengths': post('Content-Length: 5, 5\r\n', 'LIST '),
    'a space before the colon': post('Content-Length : 5\r\n', 'LIST '),
    'a length on a folded line': post('X: a\r\n Content-Length: 5\r\n', 'LIST '),
    'a folded encoding': post('Transfer-Encoding:\r\n chunked\r\n', '5\r\nLIST \r\n0\r\n\r\n'),
    'an encoding that is not chunked last': post(
      'Transfer-Encoding: chunked, identity\r\n',
      '5\r\nLIST \r\n0\r\n\r\n',
    ),
    'lines that end without a carriage return': 'POST /a HTTP/1.1\nHost: x\nContent-Length: 5\n\nLIST ',
    'a carriage return inside a line': post('X: a\rContent-Length: 5\r\n', 'LIST '),
    'a chunk size that is no number': post('Transfer-Encoding: chunked\r\n', '0x5\r\nLIST \r\n0\r\n\r\n'),
    'a chunk that is longer than its size': post('Transfer-Encoding: chunked\r\n', '2\r\nLIST \r\n0\r\n\r\n'),
    'a chunk size beyond all measure': post('Transfer-Encoding: chunked\r\n', 'fffffffffffffffff\r\nLIST '),
  };
  for (const [name, text] of Object.entries(ambiguous)) {
    it(`a message with ${name} ends in 400 as from Node alone, and no LIST is taken behind it`, async () => {
      const plain = await startListServer({ plain: true });
      try {
        for (const packets of [
          [text + later],
          [text, later],
          [...text.split(''), later],
          [...text.split(/(?=LIST )/), later],
        ]) {
          expect(await exchange(target, packets, 'closed')).to.match(refusal);
          await exchange(plain, packets, 'closed');
          const bodies = (server: ListServer): unknown =>
            server.seen.map(({ method, url, body }) => [method, url, body]);
          expect(bodies(target)).to.deep.equal(bodies(plain));
        }
      } finally {
        await plain.close();
      }
    });
  }

  it('a lenient server never changes a body, though Node takes malformed messages there', async () => {
    const settings = { insecureHTTPParser: true };
    const [lenient, plain] = [
      await startListServer({ settings }),
      await startListServer({ plain: true, settings }),
    ];
    const bodiesBehind = async (server: ListServer, packets: string[]): Promise<unknown[]> => {
      server.seen.length = 0;
      const talk = await talkTo(server);
      for (const packet of packets) await talk.send(packet);
      talk.socket.end();
      await eventually(talk.isClosed, quick);
      return server.seen.map(({ method, url, body }) => [method, url, body]);
    };
    try {
      for (const [name, text] of Object.entries(ambiguous)) {
        for (const packets of [[text + later], [text, later], text.split(/(?=LIST )/).concat(later)]) {
          const expected = await bodiesBehind(plain, packets);
          const found = await bodiesBehind(lenient, packets);
          expect(found.slice(0, expected.length), name).to.deep.equal(expected);
          expect(found.slice(expected.length), name).to.satisfy((rest: unknown[][]) =>
            rest.every(([verb]) => verb === 'LIST'),
          );
        }
      }
    } finally {
      await Promise.all([lenient.close(), plain.close()]);
    }
  });

  it('chunk extensions let a later LIST end in 400, and the body stays as it was sent', async () => {
    const text = post('Transfer-Encoding: chunked\r\n', '5;a="LIST "\r\nLIST \r\n0\r\n\r\n');
    for (const packets of [[text + later], [text, later], [...text.split(''), later]]) {
      expect(await exchange(target, packets, 'closed')).to.match(refusal);
      expect(target.seen.map(({ body }) => body)).to.deep.equal(['LIST ']);
    }
  });

  it('a length hidden behind more headers than Node keeps never changes the body', async () => {
    for (const settings of [
      { most: null, sent: 1000 },
      { most: 40, sent: 40 },
      { most: 40, sent: 60 },
    ]) {
      target.server.maxHeadersCount = settings.most;
      const text = post(`${'a:\r\n'.repeat(settings.sent)}Content-Length: 5\r\n`, 'LIST ');
      for (const packets of [[text, later], [text + later], text.split(/(?=LIST )/).concat(later)]) {
        const answer = await exchange(target, packets, 'closed');
        // Node 24 refuses the message itself. Earlier versions drop the headers beyond the limit.
        const isRefusedByNode = / 431 [^]*$/.test(answer);
        if (!isRefusedByNode) expect(answer).to.match(refusal);
        expect(target.seen.map(({ body }) => body)).to.deep.equal(isRefusedByNode ? [] : ['LIST ']);
      }
    }
  });

  it('many headers below the limit, trailers and no limit at all raise no doubt', async () => {
    const text = post(
      `${'a:\r\n'.repeat(900)}Transfer-Encoding: chunked\r\n`,
      '5\r\nLIST \r\n0\r\nLIST: a\r\n\r\n',
    );
    await exchange(target, [text + later, later], 3);
    expect(verbs(target)).to.deep.equal(['POST /a', 'LIST /later', 'LIST /later']);
    target.server.maxHeadersCount = 0;
    await exchange(target, [post(`${'a:\r\n'.repeat(1100)}Content-Length: 5\r\n`, 'LIST '), later], 2);
    expect(verbs(target)).to.deep.equal(['POST /a', 'LIST /later']);
    expect(target.seen[0]?.body).to.equal('LIST ');
  });

  it('an upgrade leaves the stream that the connection has become unchanged', async () => {
    let stream = '';
    target.server.on('upgrade', (_request, socket: Socket, first: Buffer) => {
      stream = first.toString('latin1');
      // Added late, as by a listener that has to look something up first.
      setImmediate(() => socket.on('data', (data: Buffer) => (stream += data.toString('latin1'))));
    });
    const head = 'GET /a HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n';
    for (const packets of [
      [`${head}LIST a`, 'LIST b'],
      [head, 'LIST a', 'LIST b'],
      [...head.split(''), ...'LIST aLIST b'.split('')],
    ]) {
      stream = '';
      const talk = await talkTo(target);
      for (const packet of packets) await talk.send(packet);
      await eventually(() => stream.length === 12, quick);
      expect(stream).to.equal('LIST aLIST b');
      talk.socket.destroy();
    }
  });

  it('CONNECT leaves the stream that the connection has become unchanged', async () => {
    let stream = '';
    target.server.on('connect', (_request, socket: Socket, first: Buffer) => {
      stream = first.toString('latin1');
      socket.on('data', (data: Buffer) => (stream += data.toString('latin1')));
    });
    for (const packets of [
      ['LIST a', 'LIST b'],
      ['', 'LIST aLI', 'ST b'],
    ]) {
      const talk = await talkTo(target);
      await talk.send(`CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n${packets[0]}`);
      for (const packet of packets.slice(1)) await talk.send(packet);
      await eventually(() => stream === 'LIST aLIST b', quick);
      talk.socket.destroy();
    }
  });

  it('an upgrade without a listener raises no doubt, unless Node drops what came behind it', async () => {
    const head = 'LIST /a HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n';
    await exchange(target, [head, later, later], 3);
    expect(verbs(target)).to.deep.equal(['LIST /a', 'LIST /later', 'LIST /later']);
    await exchange(target, [`${head}LIST /dropped HTTP/1.1\r\n`, 'LINK /b HTTP/1.1\r\nHost: x\r\n\r\n'], 2);
    expect(verbs(target)).to.deep.equal(['LIST /a', 'LINK /b']);
  });

  it('data behind a last request is refused as Node refuses any data there', async () => {
    const text = later.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n') + later;
    expect(await exchange(target, [text], 'closed')).to.match(/^HTTP\/1\.1 [^]*400 |^HTTP\/1\.1 200 /);
    expect(verbs(target)).to.deep.equal(['LIST /later']);
  });
});
