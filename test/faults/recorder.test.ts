import { expect } from 'chai';
import type { Store } from './checker.ts';
import { findForeignTouched } from './judge-foreign.ts';
import { kindOf, type FaultyFake } from './kinds.ts';
import { createModel, DestinationModel, type Model } from './model.ts';
import { createRecorder } from './recorder.ts';

const TYPE = 'cloud2-kv';
const NAME = 'gamma-r0-s0';

describe('the recorder of a fault run', () => {
  let value: string;
  let store: Store;
  let model: Model;

  beforeEach(() => {
    value = 'nothing';
    const kind = kindOf(TYPE);
    const recorder = createRecorder(kind, 1000);
    const fake = { entries: () => [{ name: NAME, value }] } as FaultyFake;
    recorder.watch(fake);
    store = { type: TYPE, kind, fake, url: '', leaseMs: 5000, recorder, planted: new Map() };
    model = createModel(1, [new DestinationModel({ type: TYPE, name: 'gamma', policy: 'refuse' })]);
  });

  const seize = (): void =>
    store.recorder.meddle(() => {
      value = 'theirs';
    });
  const calls = (credential: string) => (operation: string, at: number, status: number) =>
    store.recorder.observe({ at, operation, target: NAME, status, credential });
  const one = calls('a token');
  const another = calls('another token');
  const findings = (): number => findForeignTouched({ model, stores: new Map([[TYPE, store]]) }).length;

  it('a write counts as a race if its own process looked before somebody came, whoever else has looked since', () => {
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
});
