import { expect } from 'chai';
import { exchange, type ListServer, startListServer, talkTo, verbs } from './list-method-server.ts';
import { eventually } from '../../support/eventually.ts';

const host = 'Host: x\r\n';
const quick = { everyMs: 1, limitMs: 5_000 };

function write(method: string, path: string, headers = '', body = ''): string {
  return `${method} ${path} HTTP/1.1\r\n${host}${headers}\r\n${body}`;
}

function withLength(method: string, path: string, body: string): string {
  return write(method, path, `Content-Length: ${body.length}\r\n`, body);
}

function chunked(method: string, path: string, chunks: string[]): string {
  const parts = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');
  return write(method, path, 'Transfer-Encoding: chunked\r\n', `${parts}0\r\n\r\n`);
}

describe('the method LIST', () => {
  let target: ListServer;

  beforeEach(async () => {
    target = await startListServer();
  });

  afterEach(async () => {
    await target.close();
  });

  it('Node itself refuses LIST, so it must be brought past its parser', async () => {
    const plain = await startListServer({ plain: true });
    const reply = await exchange(plain, [write('LIST', '/a')], 'closed');
    await plain.close();
    expect(reply).to.match(/^HTTP\/1.1 400 /);
  });

  it('LIST reaches the handler again and again on one connection, also between other methods', async () => {
    const packets = ['LIST', 'GET', 'LIST', 'LIST', 'DELETE', 'LIST'].map((verb, index) =>
      write(verb, `/${index}`),
    );
    const reply = await exchange(target, packets, 6);
    expect(verbs(target)).to.deep.equal(['LIST /0', 'GET /1', 'LIST /2', 'LIST /3', 'DELETE /4', 'LIST /5']);
    expect(reply).to.contain('LIST /5');
  });

  it('LIST arrives however it is cut into packets, on a fresh connection and on a used one', async () => {
    const text = write('LIST', '/a', 'X: LIST b\r\n');
    for (let cut = 1; cut < text.length; cut += 1) {
      const packets = [text.slice(0, cut), text.slice(cut)];
      await exchange(target, [...packets, ...packets], 2);
      expect(verbs(target), `cut at ${cut}`).to.deep.equal(['LIST /a', 'LIST /a']);
    }
    await exchange(target, [...text.split(''), ...text.split('')], 2);
    expect(verbs(target)).to.deep.equal(['LIST /a', 'LIST /a']);
  });

  it('a genuine LINK stays a LINK, also right behind a LIST', async () => {
    await exchange(
      target,
      [write('LINK', '/a') + write('LIST', '/b') + write('LINK', '/c'), write('LINK', '/d')],
      4,
    );
    expect(verbs(target)).to.deep.equal(['LINK /a', 'LIST /b', 'LINK /c', 'LINK /d']);
  });

  it('a header or a path that begins with LIST never changes', async () => {
    const text = write('GET', '/LIST%20', 'X: LIST /a HTTP/1.1\r\nLIST: LIST \r\n');
    for (const packets of [[text], text.split(/(?=LIST)/)]) {
      await exchange(target, packets, 1);
      expect(target.seen[0]).to.deep.include({ method: 'GET', url: '/LIST%20' });
      expect(target.seen[0]?.headers).to.include({ x: 'LIST /a HTTP/1.1', list: 'LIST' });
    }
  });

  for (const method of ['POST', 'LIST']) {
    it(`a body of ${method} with LIST in it never changes, even if it begins a packet`, async () => {
      const body = `LIST /x HTTP/1.1\r\n${host}\r\nLIST LIST {"a":"LIST "}\r\n\r\nLIST `;
      const measured = withLength(method, '/m', body);
      const inChunks = chunked(method, '/c', ['LIST ', body, '0\r\n\r\n', 'LIST ']);
      for (const text of [measured, inChunks]) {
        for (const packets of [[text], text.split(/(?=LIST )/), text.split(/(?<=\n)/), text.split('')]) {
          await exchange(target, [...packets, write('LIST', '/after')], 2);
          expect(target.seen[0]?.body).to.equal(text === measured ? body : `LIST ${body}0\r\n\r\nLIST `);
          expect(verbs(target)[1]).to.equal('LIST /after');
        }
      }
    });
  }

  it('LIST works for requests that come in one packet, with bodies of either kind between them', async () => {
    const text = [
      write('LIST', '/1'),
      withLength('POST', '/2', 'LIST '),
      write('LIST', '/3'),
      chunked('PUT', '/4', ['LIST ']),
      withLength('LIST', '/5', 'LIST /no HTTP/1.1'),
      `\r\n\r\n${write('LIST', '/6')}`,
    ].join('');
    await exchange(target, [text], 6);
    expect(verbs(target)).to.deep.equal(['LIST /1', 'POST /2', 'LIST /3', 'PUT /4', 'LIST /5', 'LIST /6']);
    expect(target.seen.map(({ body }) => body)).to.deep.equal([
      '',
      'LIST ',
      '',
      'LIST ',
      'LIST /no HTTP/1.1',
      '',
    ]);
  });

  it('LIST is taken while an earlier request is being answered, and is answered in its turn', async () => {
    const talk = await talkTo(target);
    await talk.send(write('GET', '/hold1'));
    await talk.send(write('LIST', '/2') + withLength('POST', '/hold3', 'LIST '));
    await talk.send(write('LIST', '/4'));
    await eventually(() => target.held.length === 2, quick);
    expect(verbs(target)).to.deep.equal(['GET /hold1', 'LIST /2', 'POST /hold3', 'LIST /4']);
    for (const finish of target.held.toReversed()) finish();
    const order = (): string[] => talk.received().match(/(?<=\n)[A-Z]+ \/\w+(?=\n)/g) ?? [];
    await eventually(() => order().length === 4, quick);
    expect(order()).to.deep.equal(['GET /hold1', 'LIST /2', 'POST /hold3', 'LIST /4']);
    talk.socket.destroy();
  });

  it('LIST is taken behind a body that the handler never waited for', async () => {
    await exchange(
      target,
      [write('POST', '/early', 'Content-Length: 10\r\n', 'LIST '), 'LIST ', write('LIST', '/b')],
      2,
    );
    expect(target.seen[0]?.body).to.equal('LIST LIST ');
    expect(verbs(target)[1]).to.equal('LIST /b');
  });

  it('LIST survives thousands of requests in a burst from a client that reads slowly', async () => {
    const talk = await talkTo(target);
    talk.socket.pause();
    const burst = 3_000;
    const text = Array.from({ length: burst }, (_, index) =>
      write(index % 2 ? 'LIST' : 'LINK', `/${index}${'p'.repeat(900)}`),
    );
    talk.socket.write(text.join(''));
    await eventually(() => target.seen.length > 100, quick);
    talk.socket.resume();
    await eventually(() => target.seen.length === burst);
    expect(target.seen.every(({ method }, index) => method === (index % 2 ? 'LIST' : 'LINK'))).to.equal(true);
    talk.socket.destroy();
  });

  it('LIST with `Expect: 100-continue` is asked for its body, which stays as it is', async () => {
    const talk = await talkTo(target);
    await talk.send(write('LIST', '/a', 'Expect: 100-continue\r\nContent-Length: 5\r\n'));
    await eventually(() => talk.received().startsWith('HTTP/1.1 100 '), quick);
    await talk.send('LIST ');
    await talk.send(write('LIST', '/b'));
    await eventually(() => target.seen.length === 2, quick);
    expect(verbs(target)).to.deep.equal(['LIST /a', 'LIST /b']);
    expect(target.seen[0]?.body).to.equal('LIST ');
    talk.socket.destroy();
  });

  it('LIST keeps its place behind a request that Node answers without the handler', async () => {
    const refused = write('LIST', '/no', 'Expect: something\r\nContent-Length: 5\r\n', 'LIST ');
    await exchange(target, [`${refused}${write('LINK', '/a')}${write('LIST', '/b')}`], 2);
    expect(verbs(target)).to.deep.equal(['LINK /a', 'LIST /b']);
  });

  it('LIST, like GET, is answered to a client that has closed its half of the connection', async () => {
    for (const method of ['GET', 'LIST']) {
      target.seen.length = 0;
      const talk = await talkTo(target);
      talk.socket.end(write(method, '/a'));
      await eventually(talk.isClosed, quick);
      expect(talk.received(), method).to.contain(`${method} /a`);
    }
  });

  it('LIST that the end of the connection cuts off never reaches the handler', async () => {
    for (const text of ['LIS', 'LIST', 'LIST /a HTTP/1.1\r\n', write('LIST', '/a').slice(0, -1)]) {
      const talk = await talkTo(target);
      talk.socket.end(text);
      await eventually(talk.isClosed, quick);
    }
    expect(target.seen).to.deep.equal([]);
  });

  it('LIST works over TLS, however it is cut', async () => {
    const secure = await startListServer({ secure: true });
    try {
      const text = write('LIST', '/a') + withLength('POST', '/b', 'LIST LIST ') + write('LINK', '/c');
      for (const packets of [[text], text.split(/(?=LIST)|(?<=LIS)/), text.split('')]) {
        await exchange(secure, packets, 3, { secure: true });
        expect(verbs(secure)).to.deep.equal(['LIST /a', 'POST /b', 'LINK /c']);
        expect(secure.seen[1]?.body).to.equal('LIST LIST ');
      }
    } finally {
      await secure.close();
    }
  });
});
