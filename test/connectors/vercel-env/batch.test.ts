import { expect } from 'chai';
import type { PutEntry, Session } from '../../../libs/connector/contract.ts';
import { ConnectorError } from '../../../libs/connector/errors.ts';
import { destination } from '../../../services/connectors/vercel-env/destination.ts';
import { startHostingProjectFake, type HostingProjectFake } from '../../sandbox/vercel-env/fake.ts';
import { calm, entryOf, openSession, operations, outcomes, putAll, rowOf, rowsOf } from './support.ts';

describe('hosting-project: batches', () => {
  let fake: HostingProjectFake;
  let session: Session;

  const named = (count: number): string[] => Array.from({ length: count }, (_, index) => `NAME_${index}`);

  async function writeAll(names: string[]): Promise<Map<string, string | null>> {
    const results = await putAll(
      session,
      names.map((name) => entryOf(name, 'one')),
    );
    const references = names.map((name, index) => {
      const result = results[index];
      return [name, result instanceof ConnectorError ? null : (result?.reference ?? null)] as const;
    });
    fake.clearCalls();
    return new Map(references);
  }

  const known = (references: Map<string, string | null>, name: string, value: string): PutEntry =>
    entryOf(name, value, references.get(name) ?? null);

  before(async () => {
    fake = await startHostingProjectFake();
  });
  beforeEach(async () => {
    session = await openSession(fake);
  });
  afterEach(async () => {
    await session.close?.();
    fake.reset();
  });
  after(() => fake.close());

  it('a full batch is one call where its variables are new, and two where they are known', async () => {
    const { batchSize = 0 } = destination;
    const names = named(batchSize);
    const references = await writeAll(names);
    const updated = await putAll(
      session,
      names.map((name) => known(references, name, `${name}!`)),
    );
    expect(updated).to.deep.equal(names.map((name) => ({ reference: references.get(name) })));
    expect(operations(fake)).to.deep.equal(['listEnv 200', 'upsertEnv 201']);
    expect(fake.calls().length / batchSize, 'calls for each variable').to.be.at.most(0.02);
    expect(names.every((name) => rowOf(fake, name).value === `${name}!`)).to.equal(true);
    await putAll(
      session,
      named(2 * batchSize)
        .slice(batchSize)
        .map((name) => entryOf(name, 'new')),
    );
    expect(operations(fake).slice(2)).to.deep.equal(['createEnv 201']);
  });

  it('a row that somebody made anew after our last batch is not overwritten by the next one', async () => {
    const references = await writeAll(['A', 'B', 'C']);
    await putAll(session, [known(references, 'A', 'two'), known(references, 'B', 'two')]);
    fake.discard('B');
    fake.plant({ name: 'B', value: 'theirs' });
    const results = await putAll(
      session,
      ['A', 'B', 'C'].map((name) => known(references, name, 'three')),
    );
    expect(outcomes(results)).to.deep.equal(['written', 'not_found', 'written']);
    expect(rowsOf(fake, 'B')).to.deep.equal(['production=theirs']);
    expect(outcomes(await putAll(session, [entryOf('B', 'three')]))).to.deep.equal(['conflict']);
    expect(rowsOf(fake, 'B')).to.deep.equal(['production=theirs']);
  });

  it('a batch that the store finds too large goes out in halves', async () => {
    fake.addFault({ kind: 'error', status: 413, operation: 'createEnv', times: 1 });
    await writeAll(named(6));
    expect(fake.entries()).to.have.length(6);
  });

  it('new and known ones together are a call each and a list, with one result for each in order', async () => {
    const references = await writeAll(['B', 'D']);
    const results = await putAll(session, [
      entryOf('A', 'new'),
      known(references, 'B', 'two'),
      entryOf('C', 'new'),
      known(references, 'D', 'two'),
    ]);
    expect(operations(fake).toSorted()).to.deep.equal(['createEnv 201', 'listEnv 200', 'upsertEnv 201']);
    expect(results).to.deep.equal(
      ['A', 'B', 'C', 'D'].map((name) => ({ reference: `${rowOf(fake, name).id}/production` })),
    );
  });

  it('rows that the store refuses fail alone', async () => {
    fake.plant({ name: 'TAKEN', value: 'theirs' });
    const results = await putAll(session, [
      entryOf('GOOD', 'one'),
      entryOf('TAKEN', 'ours'),
      entryOf('TZ', 'UTC'),
      entryOf('BIG', 'x'.repeat(70_000)),
      entryOf('ALSO_GOOD', 'two'),
    ]);
    expect(outcomes(results)).to.deep.equal([
      'written',
      'conflict',
      'name_invalid',
      'request_refused',
      'written',
    ]);
    expect(fake.calls()).to.have.length(1);
    expect(rowsOf(fake, 'TAKEN')).to.deep.equal(['production=theirs']);
  });

  it('halving finds the one row for which a whole call is refused, and writes the others', async () => {
    const names = named(8);
    const entries = [...names.slice(0, 5), 'not-a-name', ...names.slice(5)].map((name) =>
      entryOf(name, 'one'),
    );
    const results = await putAll(session, entries);
    const expected = entries.map(({ name }) => (name === 'not-a-name' ? 'request_refused' : 'written'));
    expect(outcomes(results)).to.deep.equal(expected);
    expect(fake.entries().map(({ name }) => name)).to.have.members(names);
    expect(fake.calls().length).to.be.below(10);
  });

  it('a single row refused with the whole call is a name that is taken', async () => {
    for (const [status, code] of [
      [403, 'ENV_ALREADY_EXISTS'],
      [400, 'ENV_CONFLICT'],
      [409, 'ENV_CONFLICT'],
    ] as const) {
      fake.addFault({ kind: 'error', status, code, operation: 'createEnv', times: 1 });
      const [result] = await putAll(session, [entryOf('TOKEN', 'one')]);
      expect(result, code).to.include({ kind: 'exists', code: 'conflict' });
    }
  });

  it('a limit met by one of the two calls leaves the result of the other standing', async () => {
    const references = await writeAll(['B']);
    fake.addFault({ kind: 'throttle', retryAfterSeconds: 9, operation: 'upsertEnv' });
    const results = await putAll(session, [entryOf('A', 'new'), known(references, 'B', 'two')]);
    expect(outcomes(results)).to.deep.equal(['written', 'rate_limited']);
    expect(results[1]).to.include({ kind: 'throttled', scope: 'destination', retryAfterMs: 9000 });
    expect(rowsOf(fake, 'B')).to.deep.equal(['production=one']);
  });

  it('a failure of the destination spares the store any further call', async () => {
    const references = await writeAll(['B']);
    fake.addFault({ kind: 'revoked' });
    const moved = entryOf('C', 'x', 'some-id/preview');
    const results = await putAll(session, [known(references, 'B', 'two'), moved]);
    expect(outcomes(results)).to.deep.equal(['credentials_refused', 'credentials_refused']);
    expect(fake.calls()).to.have.length(1);
  });

  it('a batch whose answer was lost can be repeated without harm', async () => {
    fake.addFault({ kind: 'cut-after', operation: 'createEnv', times: 1 });
    const entries = [entryOf('A', 'one'), entryOf('B', 'two')];
    const lost = await putAll(session, entries);
    expect(outcomes(lost)).to.deep.equal(['connection_lost', 'connection_lost']);
    const repeated = await putAll(session, entries);
    expect(outcomes(repeated)).to.deep.equal(['conflict', 'conflict']);
    const found = await session.read({ name: 'B', reference: null }, calm());
    expect(found).to.include({ owner: 'ours', value: 'two' });
    const [again] = await putAll(session, [entryOf('B', 'two', found?.reference ?? null)]);
    expect(again).to.deep.equal({ reference: found?.reference });
    expect(rowsOf(fake, 'B')).to.deep.equal(['production=two']);
  });
});
