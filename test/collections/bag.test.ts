import { expect } from 'chai';
import { Bag } from '../../libs/collections/bag.ts';

describe('a bag', () => {
  it('a bag holds the items that were not taken out, in whatever order they go', () => {
    const bag = new Bag<string>();
    const [takeA, takeB, takeC] = ['a', 'b', 'c'].map((item) => bag.add(item));
    takeA?.();
    expect([...bag]).to.have.members(['b', 'c']);
    takeC?.();
    bag.add('d');
    takeB?.();
    expect([...bag]).to.deep.equal(['d']);
    expect(bag.size).to.equal(1);
  });

  it('an item that a bag holds twice is taken out once by each function', () => {
    const bag = new Bag<string>();
    const take = bag.add('a');
    bag.add('a');
    take();
    take();
    expect([...bag]).to.deep.equal(['a']);
  });

  it('a bag may be emptied while somebody iterates over it', () => {
    const bag = new Bag<() => void>();
    const taken: number[] = [];
    for (let number = 0; number < 3; number += 1) {
      const take = bag.add(() => {
        taken.push(number);
        take();
      });
    }
    for (const end of bag) end();
    expect(taken).to.have.members([0, 1, 2]);
    expect(bag.size).to.equal(0);
  });
});
