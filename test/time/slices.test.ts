import { expect } from 'chai';
import { setImmediate } from 'node:timers/promises';
import { createPause } from '../../libs/time/slices.ts';

const STEP_MS = 12;

function work(): void {
  for (const end = performance.now() + STEP_MS; performance.now() < end;);
}

describe('work in slices', () => {
  it('one of many that are at work goes on in each turn of the event loop', async () => {
    let steps = 0;
    const state = { isDone: false };
    const one = async (): Promise<void> => {
      const pause = createPause();
      for (let step = 0; step < 5; step += 1) {
        await pause();
        work();
        steps += 1;
      }
    };
    const all = Promise.all(Array.from({ length: 10 }, one)).then(() => (state.isDone = true));
    const inTurns: number[] = [];
    while (!state.isDone) {
      const before = steps;
      await setImmediate();
      inTurns.push(steps - before);
    }
    await all;
    expect(steps).to.equal(50);
    // The first steps of all of them begin in the turn in which they were started.
    expect(Math.max(...inTurns.slice(1))).to.equal(1);
  });

  it('small steps go on in the same turn', async () => {
    let turns = 0;
    const state = { isDone: false };
    const count = async (): Promise<void> => {
      for (; !state.isDone; turns += 1) await setImmediate();
    };
    const counting = count();
    const pause = createPause();
    for (let step = 0; step < 1000; step += 1) await pause();
    state.isDone = true;
    await counting;
    expect(turns).to.be.at.most(5);
  });
});
