import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { type Cloud1SmFake, startCloud1SmFake } from './aws-secrets-manager/fake.ts';
import { signCall } from './aws-secrets-manager/sign-call.ts';
import { fakes } from './fakes.ts';

async function send(
  fake: Cloud1SmFake,
  operation: string,
  body: object,
  signal: AbortSignal | null = null,
): Promise<Response> {
  return fetch(fake.url, { ...(await signCall(fake.url, operation, body)), signal });
}

const creation = (number: number) => ({
  Name: `entry-${number}`,
  SecretString: 'v',
  ClientRequestToken: `token-${number}`.padEnd(32, '0'),
});

describe('the base of the fake stores', () => {
  let fake: Cloud1SmFake;

  before(async () => {
    fake = await startCloud1SmFake();
  });
  beforeEach(() => fake.reset());
  after(() => fake.close());

  it('a fault hits as many fitting calls as it says, and no other', async () => {
    fake.addFault({ kind: 'error', operation: 'CreateSecret', target: 'entry-1', times: 1 });
    const statuses = [];
    for (const number of [2, 1, 1])
      statuses.push((await send(fake, 'CreateSecret', creation(number))).status);
    expect(statuses).to.deep.equal([200, 500, 200]);
  });

  it('the ledger tells operation, target, status and how many calls ran at once', async () => {
    fake.addFault({ kind: 'slow', delayMs: 30 });
    await Promise.all([1, 2, 3].map((number) => send(fake, 'CreateSecret', creation(number))));
    expect(fake.highestConcurrency()).to.equal(3);
    expect(fake.callsOf('CreateSecret').map(({ status, target }) => [status, target])).to.have.deep.members([
      [200, 'entry-1'],
      [200, 'entry-2'],
      [200, 'entry-3'],
    ]);
  });

  it('a write limit refuses what is over it, counts that, and leaves reads alone', async () => {
    fake.addFault({ kind: 'limit', writes: 2, perMs: 60_000 });
    const statuses = [];
    for (const number of [1, 2, 3])
      statuses.push((await send(fake, 'CreateSecret', creation(number))).status);
    expect(statuses).to.deep.equal([200, 200, 400]);
    expect((await send(fake, 'GetSecretValue', { SecretId: 'entry-1' })).status).to.equal(200);
    expect([fake.refusedCalls(), fake.entries().length]).to.deep.equal([1, 2]);
  });

  it('a call cut after it was applied is in the store and has no status', async () => {
    fake.addFault({ kind: 'cut-after' });
    const outcome = await send(fake, 'CreateSecret', creation(1)).catch(() => 'cut');
    expect([outcome, fake.entries().length, fake.calls()[0]?.status]).to.deep.equal(['cut', 1, 0]);
  });

  it('a held call is applied once the faults are cleared, although its client has gone', async () => {
    fake.addFault({ kind: 'held', times: 1 });
    const client = new AbortController();
    const delayed = send(fake, 'CreateSecret', creation(1), client.signal).catch(() => 'gone');
    await eventually(() => fake.calls().length === 1);
    expect((await send(fake, 'CreateSecret', creation(2))).status).to.equal(200);
    client.abort();
    expect(await delayed).to.equal('gone');
    expect(fake.entries().map(({ name }) => name)).to.deep.equal(['entry-2']);
    fake.clearFaults();
    await eventually(() => fake.entries().length === 2);
  });

  it('a stale read answers as before the last write', async () => {
    fake.plant({ name: 'entry-1', value: 'old' });
    fake.plant({ name: 'entry-1', value: 'new' });
    fake.addFault({ kind: 'stale-read', operation: 'GetSecretValue', times: 1 });
    const read = async () => (await send(fake, 'GetSecretValue', { SecretId: 'entry-1' })).json();
    expect(
      [await read(), await read()].map((body) => (body as { SecretString: string }).SecretString),
    ).to.deep.equal(['old', 'new']);
  });

  it('a stand-in lists its faults, with how many calls each still hits', async () => {
    const faults = `${fake.url}/_sandbox/faults`;
    for (const fault of [{ kind: 'error', times: 2 }, { kind: 'limit', writes: 5 }, { kind: 'slow' }])
      await fetch(faults, { method: 'POST', body: JSON.stringify(fault) });
    const listed = async () => ((await (await fetch(faults)).json()) as { faults: object[] }).faults;
    const limit = { kind: 'limit', writes: 5, perMs: 1000 };
    expect(await listed()).to.deep.equal([{ kind: 'error', times: 2 }, { kind: 'slow' }, limit]);
    await send(fake, 'CreateSecret', creation(1));
    expect((await listed())[0]).to.deep.equal({ kind: 'error', times: 1 });
    await send(fake, 'CreateSecret', creation(1));
    expect(await listed()).to.deep.equal([{ kind: 'slow' }, limit]);
    fake.clearFaults();
    expect(await listed()).to.deep.equal([]);
  });

  it('another process steers it over HTTP', async () => {
    const control = (method: string, path: string, body?: object) =>
      fetch(`${fake.url}/_sandbox/${path}`, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
    await control('POST', 'plant', { name: 'entry-1', value: 'v', tags: { team: 'red' } });
    await control('POST', 'faults', { kind: 'throttle' });
    expect((await send(fake, 'GetSecretValue', { SecretId: 'entry-1' })).status).to.equal(400);
    await control('DELETE', 'faults');
    expect(await (await control('GET', 'faults')).json()).to.deep.equal({ faults: [] });
    expect((await send(fake, 'GetSecretValue', { SecretId: 'entry-1' })).status).to.equal(200);

    const { calls } = (await (await control('GET', 'calls')).json()) as { calls: unknown[] };
    const { entries } = (await (await control('GET', 'entries')).json()) as { entries: object[] };
    expect(calls).to.have.length(2);
    expect(entries[0]).to.deep.include({ name: 'entry-1', value: 'v', tags: { team: 'red' } });
    for (const unknown of [{}, { kind: 'nonsense' }, { kind: 7 }])
      expect((await control('POST', 'faults', unknown)).status).to.equal(400);
    expect((await control('POST', 'accept-after', { credential: 'AKIATEST' })).status).to.equal(400);
    await control('POST', 'accept-after', { credential: 'AKIATEST', milliseconds: 60_000 });
    expect((await send(fake, 'GetSecretValue', { SecretId: 'entry-1' })).status).to.equal(400);
    await control('POST', 'reset');
    expect([fake.entries(), fake.calls()]).to.deep.equal([[], []]);
  });

  for (const [type, start] of Object.entries(fakes))
    it(`${type} changes the entry whose name is planted once more`, async () => {
      const store = await start();
      const plant = (entry: object) =>
        fetch(`${store.url}/_sandbox/plant`, { method: 'POST', body: JSON.stringify(entry) });
      for (const value of ['ours', 'theirs']) await plant({ name: 'ENTRY', value });
      const entries = store.entries().map(({ name, value }) => [name, value]);
      await store.close();
      expect(entries).to.deep.equal([['ENTRY', 'theirs']]);
    });
});
