import { expect } from 'chai';
import { createCapacityFinder } from '../../libs/sync/capacity.ts';

/** A capacity finder for a container with this content, and the containers that it has counted. */
function finderOf(
  limits: { entries?: number; totalBytes?: number },
  used: { entries: number; bytes: number },
) {
  const counted: string[] = [];
  const find = createCapacityFinder({ valueBytes: 1000, ...limits }, (container) => {
    counted.push(container);
    return Promise.resolve(used);
  });
  return { find, counted };
}

describe('the capacity that a store has left', () => {
  it('ample capacity is counted once in a while, for each container by itself', async () => {
    const { find, counted } = finderOf({ entries: 500_000 }, { entries: 100_000, bytes: 0 });
    for (const container of ['one', 'one', 'other', 'one'])
      expect(await find(container, true)).to.deep.equal({ entries: 400_000, bytes: Infinity });
    expect(counted).to.deep.equal(['one', 'other']);
  });

  it('scarce capacity is counted each time', async () => {
    const { find, counted } = finderOf({ entries: 500_000 }, { entries: 490_000, bytes: 0 });
    for (let time = 0; time < 3; time += 1) expect((await find('one', true)).entries).to.equal(10_000);
    expect(counted).to.have.length(3);
  });

  it('capacity is counted each time where all values together have a limit', async () => {
    const { find, counted } = finderOf({ entries: 100_000, totalBytes: 64 }, { entries: 1, bytes: 60 });
    for (let time = 0; time < 3; time += 1)
      expect(await find('one', false)).to.deep.equal({ entries: 99_999, bytes: 4 });
    expect(counted).to.have.length(3);
  });

  it('capacity is not counted where no name is new, or the store has no limit', async () => {
    const limited = finderOf({ entries: 10 }, { entries: 10, bytes: 0 });
    expect((await limited.find('one', false)).entries).to.equal(Infinity);
    const unlimited = finderOf({}, { entries: 10, bytes: 0 });
    expect((await unlimited.find('one', true)).entries).to.equal(Infinity);
    expect([...limited.counted, ...unlimited.counted]).to.deep.equal([]);
  });

  it('capacity never falls below none, and what is taken from an answer does not change the next', async () => {
    const full = finderOf({ entries: 10 }, { entries: 12, bytes: 0 });
    expect((await full.find('one', true)).entries).to.equal(0);
    const roomy = finderOf({ entries: 500_000 }, { entries: 0, bytes: 0 });
    (await roomy.find('one', true)).entries -= 5;
    expect((await roomy.find('one', true)).entries).to.equal(500_000);
  });
});
