import { expect } from 'chai';
import { Bag } from '../../libs/collections/bag.ts';

describe('a bag', () => {
  it('holds what was added and not taken out, whatever the order', () => {
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

  it('gives back one thing once, also where it holds the same twice', () => {
    const bag = new Bag<string>();
    const take = bag.add('a');
    bag.add('a');
    take();
    take();
    expect([...bag]).to.deep.equal(['a']);
  });

  it('may be emptied while it is gone through', () => {
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
