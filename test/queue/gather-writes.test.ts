import { setImmediate } from 'node:timers/promises';
import { Writable } from 'node:stream';
import { expect } from 'chai';
import { gatherWrites } from '../../libs/queue/gather-writes.ts';

describe('what is written to the broker', () => {
  let packets: string[];
  let stream: Writable;

  beforeEach(() => {
    packets = [];
    stream = new Writable({
      highWaterMark: 4,
      write: (chunk: Buffer, _encoding, done) => {
        packets.push(chunk.toString());
        done();
      },
      writev: (chunks, done) => {
        packets.push(chunks.map(({ chunk }) => String(chunk)).join(''));
        done();
      },
    });
    gatherWrites(stream);
  });

  it('in one turn leaves as one packet, and the next turn has its own', async () => {
    for (const text of ['a', 'b', 'c']) stream.write(text);
    expect(packets).to.deep.equal([]);
    await setImmediate();
    stream.write('d');
    await setImmediate();
    expect(packets).to.deep.equal(['abc', 'd']);
  });

  it('just before the end is not lost', async () => {
    stream.write('a');
    stream.write('b');
    const ended = new Promise((resolve) => stream.end(resolve));
    await ended;
    await setImmediate();
    expect(packets.join('')).to.equal('ab');
  });

  it('above what the stream holds is refused until it has drained', async () => {
    const drained = new Promise((resolve) => stream.once('drain', resolve));
    expect(stream.write('abcdef')).to.equal(false);
    await drained;
    expect(packets).to.deep.equal(['abcdef']);
  });
});
