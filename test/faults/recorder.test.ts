import { expect } from 'chai';
import type { Store } from './checker.ts';
import { findForeignTouched } from './judge-foreign.ts';
import { kindOf, type FaultyFake } from './kinds.ts';
import { createModel, DestinationModel, type Model } from './model.ts';
import { createRecorder } from './recorder.ts';

const NAME = 'gamma-r0-s0';

describe('the recorder of a fault run', () => {
  let value: string;
  let store: Store;
  let model: Model;
  let cutCalls: number[];

  beforeEach(() => prepare('cloud2-kv'));

  function prepare(type: string): void {
    value = 'nothing';
    cutCalls = [];
    const kind = kindOf(type);
    const recorder = createRecorder(kind, 1000);
    const fake = { entries: () => (value === '' ? [] : [{ name: NAME, value }]) } as FaultyFake;
    recorder.watch(fake);
    store = {
      type,
      kind,
      fake,
      url: '',
      leaseMs: 5000,
      recorder,
      planted: new Map(),
      cutCalls: () => cutCalls,
    };
    model = createModel(1, [new DestinationModel({ type, name: 'gamma', policy: 'refuse' })]);
  }

  const seize = (): void =>
    store.recorder.meddle(() => {
      value = 'theirs';
    });
  const calls =
    (credential: string) =>
    (operation: string, time: number, status: number, isStale = false) =>
      store.recorder.observe({ at: time, operation, target: NAME, status, isStale, credential });
  const one = calls('a token');
  const another = calls('another token');
  const findings = (): number => findForeignTouched({ model, stores: new Map([[store.type, store]]) }).length;

  it('a write counts as a race if its own process looked before somebody came', () => {
    const now = Date.now();
    one('GetSecret', now - 50, 404);
    seize();
    another('GetSecret', now + 50, 200);
    value = 'ours';
    one('SetSecret', now + 100, 200);
    expect(findings()).to.equal(0);
    seize();
    value = 'ours again';
    another('SetSecret', now + 200, 200);
    expect(findings()).to.equal(1);
  });

  it('a call that tells nothing about the entry is no look at it', () => {
    const now = Date.now();
    one('GetSecret', now - 50, 404);
    seize();
    one('GetDeletedSecret', now + 50, 404);
    one('GetSecret', now + 60, 401);
    one('Challenge', now + 70, 401);
    value = 'ours';
    one('SetSecret', now + 100, 200);
    expect(findings()).to.equal(0);
  });

  it('a write after a look that showed an old copy is a race', () => {
    const now = Date.now();
    seize();
    one('GetSecret', now + 50, 200, true);
    value = 'ours';
    one('SetSecret', now + 100, 200);
    expect(findings()).to.equal(0);
    seize();
    one('GetSecret', now + 150, 200, true);
    one('GetSecret', now + 160, 200);
    value = 'ours again';
    one('SetSecret', now + 200, 200);
    expect(findings()).to.equal(1);
  });

  for (const [what, isLost, lose] of [
    ['a race if a write of ours was lost before somebody came', true, (time) => one('putSecret', time, 0)],
    ['a race if a call was cut on its way before somebody came', true, (time) => cutCalls.push(time)],
    ['found without such a call', false, () => undefined],
  ] as [string, boolean, (time: number) => void][]) {
    it(`a deletion in a store without owner marks is ${what}`, () => {
      prepare('repo-host');
      const now = Date.now();
      lose(now - 50);
      seize();
      one('getSecret', now + 50, 200);
      value = '';
      one('deleteSecret', now + 100, 204);
      expect(findings()).to.equal(isLost ? 0 : 1);
    });
  }
});
