import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredEntry } from '../sandbox/contract.ts';
import { createCaller } from './caller.ts';
import {
  findDifferences,
  findFalseSynced,
  findTouched,
  findWrittenWhileDisabled,
  type Scene,
  type Store,
} from './checker.ts';
import { findForeignTouched } from './judge-foreign.ts';
import { findWrongOrder } from './judge-order.ts';
import { kindOf, type FaultyFake } from './kinds.ts';
import { createModel, DestinationModel, type Model } from './model.ts';
import { createRecorder } from './recorder.ts';
import { dataOf } from './values.ts';

const NAME = 'alpha-r0-s0';
const LEASE_MS = 500;

describe('the checker of a fault run', () => {
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
    const recorder = createRecorder(kind, 1000);
    const fake = { entries: () => [...entries.values()] } as FaultyFake;
    recorder.watch(fake);
    store = {
      type,
      kind,
      fake,
      url: '',
      leaseMs: LEASE_MS,
      recorder,
      planted: new Map(),
      cutCalls: () => [],
    };
    destination = new DestinationModel({ type, name: 'alpha', policy: 'refuse' });
    model = createModel(1, [destination]);
    model.secrets[0]?.associations('alpha').begin(true)();
    scene = { model, stores: new Map([[type, store]]), caller: answering() };
  }

  // The part of the API that the checker calls: the records of the destination.
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

  // Plays a change by the service, whose call arrived at `arrivedAt`.
  function serve(value: string | null, { name = NAME, arrivedAt = Date.now() } = {}): void {
    put(name, value);
    call(operationOf(value), { target: name, at: arrivedAt });
  }

  const call = (
    operation: string,
    { target = NAME, at = Date.now(), status = 200, isStale = false } = {},
  ): void => store.recorder.observe({ at, operation, target, status, isStale, credential: 'a token' });

  function acknowledge(...versions: number[]): void {
    const [secret] = model.secrets;
    for (const version of versions)
      secret?.begin(() => {
        secret.versions.set(version, 'live');
        secret.current = version;
      })();
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

  it('the checker finds a value that was overtaken longer ago than a call may take', async () => {
    acknowledge(1);
    serve(valueOf(1));
    const [wanted] = model.secrets[0]?.wanted.steps.splice(1) ?? [];
    const ago = (milliseconds: number) => ({
      at: Date.now() - milliseconds,
      acknowledgedAt: Date.now() - milliseconds,
    });
    model.secrets[0]?.wanted.steps.push(
      { value: wanted?.value ?? null, ...ago(9000) },
      { value: 2, ...ago(8000) },
    );
    expect(findWrongOrder(scene)).to.deep.equal([
      's0: alpha-r0-s0 was given version 1, which was no longer asked for',
    ]);
    model.secrets[0]?.wanted.steps.pop();
    expect(findWrongOrder(scene)).to.deep.equal([]);
    destination.rounds.steps.push({ value: 1, ...ago(8000) });
    expect(findWrongOrder(scene)).to.have.length(1);
    destination.rounds.steps.pop();
    model.secrets[0]?.associations('alpha').steps.push({ value: false, ...ago(8000) });
    expect(findWrongOrder(scene)).to.have.length(1);
  });

  it('a deletion that nobody asked for is found, and one that somebody asked for is none', () => {
    acknowledge(1);
    serve(valueOf(1));
    const long = Date.now() - 60_000;
    for (const steps of [model.secrets[0]?.wanted.steps, model.secrets[0]?.associations('alpha').steps])
      for (const step of steps?.slice(1) ?? []) Object.assign(step, { at: long, acknowledgedAt: long });
    serve(null);
    expect(findWrongOrder(scene)).to.deep.equal(['s0: alpha-r0-s0 was deleted, which nobody asked for']);
    model.secrets[0]?.associations('alpha').steps.push({ value: false, at: long });
    expect(findWrongOrder(scene)).to.deep.equal([]);
  });

  it('a SYNCED that an acknowledged change has overtaken is found', async () => {
    acknowledge(1);
    serve(valueOf(1));
    says(1);
    await sleep(5);
    expect(await findFalseSynced(scene, destination)).to.deep.equal([]);
    acknowledge(2);
    await sleep(5);
    expect(await findFalseSynced(scene, destination)).to.deep.equal([
      's0: alpha-r0-s0 was called SYNCED at version 1, which had been overtaken',
    ]);
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

  it('a foreign entry that a policy lets us take is no finding, but its deletion is', () => {
    destination.policy = 'overwrite';
    store.recorder.meddle(() => put(NAME, 'theirs'));
    serve(valueOf(1), { arrivedAt: Date.now() + 1 });
    expect(findForeignTouched(scene)).to.deep.equal([]);
    store.recorder.meddle(() => put(NAME, 'theirs again'));
    serve(null, { arrivedAt: Date.now() + 1 });
    expect(findForeignTouched(scene)).to.have.length(1);
  });

  it('a write by name that raced with somebody is no finding', () => {
    prepare('cloud2-kv');
    const seize = () => store.recorder.meddle(() => put(NAME, 'theirs'));
    const look = (time: number) => call('GetSecret', { at: time });
    look(Date.now() - 50);
    seize();
    serve(valueOf(1), { arrivedAt: Date.now() + 100 });
    expect(findForeignTouched(scene)).to.deep.equal([]);
    seize();
    look(Date.now() + 50);
    serve(valueOf(2), { arrivedAt: Date.now() + 100 });
    expect(findForeignTouched(scene)).to.have.length(1);
    seize();
    serve(valueOf(3), { arrivedAt: Date.now() + 10_000 });
    expect(findForeignTouched(scene)).to.have.length(2);
  });

  it('a write by key that raced with somebody is no finding, but later writes are', () => {
    prepare('hosting-project');
    const seize = () => store.recorder.meddle(() => put(NAME, 'theirs'));
    seize();
    serve(valueOf(1), { arrivedAt: Date.now() + 100 });
    expect(findForeignTouched(scene)).to.deep.equal([]);
    seize();
    serve(null, { arrivedAt: Date.now() + 100 });
    expect(findForeignTouched(scene)).to.have.length(1);
    seize();
    serve(valueOf(2), { arrivedAt: Date.now() + 10_000 });
    expect(findForeignTouched(scene)).to.have.length(2);
  });

  it('an old foreign entry that is not as it was is found', () => {
    store.planted.set('somebody-elses-1', 'theirs');
    expect(findTouched(scene)).to.have.length(1);
    put('somebody-elses-1', 'theirs');
    expect(findTouched(scene)).to.deep.equal([]);
  });

  it('each change that a store takes while syncing is disabled is found', () => {
    const from = Date.now() - 1000;
    serve(valueOf(1));
    call('TagResource');
    call('GetSecretValue');
    call('CreateSecret', { status: 400 });
    serve(null);
    const found = findWrittenWhileDisabled(scene.stores, [{ from, to: Date.now() + 1000 }], 500);
    expect(found.map((line) => / (\w+) of alpha-r0-s0/.exec(line)?.[1])).to.deep.equal([
      operationOf(''),
      'TagResource',
      operationOf(null),
    ]);
  });

  it('a write under way when syncing was disabled is no finding', () => {
    serve(valueOf(1));
    const now = Date.now();
    const pauses = [
      { from: now - 1000, to: now + 1000 },
      { from: now - 60_000, to: now - 5000 },
    ];
    expect(findWrittenWhileDisabled(scene.stores, pauses, 2000)).to.deep.equal([]);
  });
});
