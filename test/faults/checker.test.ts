import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredEntry } from '../sandbox/contract.ts';
import { createCaller } from './caller.ts';
import {
  findDifferences,
  findFalseSynced,
  findTouched,
  findWrittenWhileDisabled,
  findWrongOrder,
  type Scene,
  type Store,
} from './checker.ts';
import { findForeignTouched } from './judge-foreign.ts';
import { kindOf, type FaultyFake } from './kinds.ts';
import { createModel, type DestinationModel, type Model } from './model.ts';
import { createRecorder } from './recorder.ts';
import { dataOf } from './values.ts';

const NAME = 'alpha-r0-s0';
const LEASE_MS = 500;

describe('what a fault run would find', () => {
  let entries: Map<string, StoredEntry>;
  let store: Store;
  let model: Model;
  let destination: DestinationModel;
  let records: object[];
  let scene: Scene;

  beforeEach(() => {
    entries = new Map();
    records = [];
    prepare('cloud1-sm');
  });

  function prepare(type: string): void {
    const kind = kindOf(type);
    const recorder = createRecorder(kind.writes, 1000);
    const fake = { entries: () => [...entries.values()] } as FaultyFake;
    recorder.watch(fake);
    store = { type, kind, fake, url: '', leaseMs: LEASE_MS, recorder, planted: new Map() };
    destination = { type, name: 'alpha', round: 0, policy: 'refuse' };
    model = createModel(1, [destination]);
    model.secrets[0]?.associated.set('alpha', true);
    scene = { model, stores: new Map([[type, store]]), caller: answering() };
  }

  // The API as far as the checker asks it: the records of the destination.
  function answering(): Scene['caller'] {
    const caller = createCaller([], '');
    const body = () => ({ data: { associated_secrets: Object.fromEntries(records.entries()) } });
    return {
      ...caller,
      send: async () => ({
        answer: { status: 200, text: '', body: body(), headers: {} },
        attempts: 1,
      }),
    };
  }

  const valueOf = (version: number): string => JSON.stringify(dataOf('s0', version));
  const put = (name: string, value: string | null): void => {
    if (value === null) entries.delete(name);
    else entries.set(name, { name, value });
  };
  const operationOf = (value: string | null): string =>
    store.kind.writes[value === null ? store.kind.writes.length - 1 : 1] ?? '';

  // The store takes a change of the service, which came at `arrivedAt`.
  function serve(value: string | null, { name = NAME, arrivedAt = Date.now() } = {}): void {
    put(name, value);
    store.recorder.observe({ at: arrivedAt, operation: operationOf(value), target: name, status: 200 });
  }

  function acknowledge(...versions: number[]): void {
    const [secret] = model.secrets;
    for (const version of versions)
      secret?.begin(() => {
        secret.versions.set(version, 'live');
        secret.current = version;
      });
  }

  const says = (version: number): void => {
    records = [
      { secret_name: 's0', external_name: NAME, sync_status: 'SYNCED', synced_version: version, cause: null },
    ];
  };
  const everything = async (): Promise<string[]> => [
    ...findWrongOrder(scene),
    ...findTouched(scene),
    ...findForeignTouched(scene),
    ...(await findFalseSynced(scene, destination)),
    ...(await findDifferences(scene)),
  ];

  it('a right history has no findings', async () => {
    acknowledge(1, 2, 3);
    serve(valueOf(1));
    serve(valueOf(3));
    says(3);
    expect(await everything()).to.deep.equal([]);
  });

  it('an update that was skipped is found', async () => {
    acknowledge(1, 2);
    serve(valueOf(1));
    says(2);
    expect((await findDifferences(scene)).join()).to.match(
      /s0: cloud1-sm alpha-r0-s0 holds .*:1.*, not .*:2/,
    );
  });

  it('two updates that changed places are found', () => {
    acknowledge(1, 2, 3);
    for (const version of [1, 3, 2, 3]) serve(valueOf(version));
    expect(findWrongOrder(scene)).to.deep.equal(['s0: alpha-r0-s0 held version 2 out of order']);
  });

  it('a value that nobody had written yet is found', () => {
    acknowledge(1);
    serve(valueOf(9));
    expect(findWrongOrder(scene)).to.have.length(1);
  });

  it('a SYNCED that is not true is found', async () => {
    acknowledge(1, 2);
    serve(valueOf(1));
    says(2);
    await sleep(5);
    expect(await findFalseSynced(scene, destination)).to.deep.equal([
      's0: alpha-r0-s0 was called SYNCED at version 2 while the store held 1',
    ]);
  });

  it('a late write that nobody wrote over is found, by its SYNCED and in the end', async () => {
    acknowledge(1, 2);
    serve(valueOf(2));
    serve(valueOf(1), { arrivedAt: Date.now() - 5000 });
    says(2);
    await sleep(5);
    expect(findWrongOrder(scene)).to.deep.equal([]);
    expect(await findFalseSynced(scene, destination)).to.have.length(1);
    expect(await findDifferences(scene)).to.have.length(1);
    serve(valueOf(2));
    expect(await everything()).to.deep.equal([]);
  });

  for (const [what, value] of [
    ['overwritten', '{"a":"s0:2"}'],
    ['deleted', null],
  ] as const) {
    it(`an entry of somebody else that was ${what} is found`, () => {
      serve(valueOf(1));
      store.recorder.meddle(() => put(NAME, 'theirs'));
      serve(value, { arrivedAt: Date.now() + 1 });
      expect(findForeignTouched(scene).join()).to.include(`alpha-r0-s0 of somebody else was ${what}`);
    });
  }

  it('an entry that a policy lets us take is none, but its deletion is', () => {
    destination.policy = 'overwrite';
    store.recorder.meddle(() => put(NAME, 'theirs'));
    serve(valueOf(1), { arrivedAt: Date.now() + 1 });
    expect(findForeignTouched(scene)).to.deep.equal([]);
    store.recorder.meddle(() => put(NAME, 'theirs again'));
    serve(null, { arrivedAt: Date.now() + 1 });
    expect(findForeignTouched(scene)).to.have.length(1);
  });

  it('a write by name that raced with somebody is none, unless the service had looked after them', () => {
    prepare('cloud2-kv');
    const seize = () => store.recorder.meddle(() => put(NAME, 'theirs'));
    seize();
    serve(valueOf(1), { arrivedAt: Date.now() + 100 });
    expect(findForeignTouched(scene)).to.deep.equal([]);
    seize();
    store.recorder.observe({ at: Date.now() + 50, operation: 'GetSecret', target: NAME, status: 200 });
    serve(valueOf(2), { arrivedAt: Date.now() + 100 });
    expect(findForeignTouched(scene)).to.have.length(1);
  });

  it('an entry that stood there before and is not as it was is found', () => {
    store.planted.set('somebody-elses-1', 'theirs');
    expect(findTouched(scene)).to.have.length(1);
    put('somebody-elses-1', 'theirs');
    expect(findTouched(scene)).to.deep.equal([]);
  });

  it('each change that a store takes while syncing is disabled is found', () => {
    const from = Date.now() - 1000;
    serve(valueOf(1));
    store.recorder.observe({ at: Date.now(), operation: 'TagResource', target: NAME, status: 200 });
    store.recorder.observe({ at: Date.now(), operation: 'GetSecretValue', target: NAME, status: 200 });
    store.recorder.observe({ at: Date.now(), operation: 'CreateSecret', target: NAME, status: 400 });
    serve(null);
    const found = findWrittenWhileDisabled(scene.stores, [{ from, to: Date.now() + 1000 }], 500);
    expect(found.map((line) => / (\w+) of alpha-r0-s0/.exec(line)?.[1])).to.deep.equal([
      operationOf(''),
      'TagResource',
      operationOf(null),
    ]);
  });

  it('a write that was under way when syncing was disabled, or came when it was enabled again, is none', () => {
    serve(valueOf(1));
    const now = Date.now();
    const pauses = [
      { from: now - 1000, to: now + 1000 },
      { from: now - 60_000, to: now - 5000 },
    ];
    expect(findWrittenWhileDisabled(scene.stores, pauses, 2000)).to.deep.equal([]);
  });
});
