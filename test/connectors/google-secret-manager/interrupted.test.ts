import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import { type Cloud3SmFake, startCloud3SmFake } from '../../sandbox/google-secret-manager/fake.ts';
import { calm, entry, failureOf, KEY, MARK, NAME, openSession, operationsOf } from './support.ts';

describe('cloud3-sm: interrupted writes', () => {
  let fake: Cloud3SmFake;
  let session: Session;

  before(async () => {
    fake = await startCloud3SmFake();
  });
  beforeEach(async () => {
    fake.reset();
    session = await openSession(fake);
  });
  afterEach(() => session.close?.());
  after(() => fake.close());

  for (const kind of ['cut', 'cut-after'])
    for (const operation of ['CreateSecret', 'AddSecretVersion'])
      it(`a creation with a ${kind} at ${operation} is finished by the next attempt and stays ours`, async () => {
        fake.addFault({ kind, operation, times: 1 });
        const put = entry({ value: 'whole' });
        expect((await failureOf(session.put(put, calm()))).kind).to.equal('external');

        const again = await session.put(put, calm()).catch((error: unknown) => error);
        if (again instanceof Error) {
          expect(again).to.include({ kind: 'exists' });
          const found = await session.read(KEY, calm());
          expect(found?.owner).to.equal('ours');
          if (found?.value === null) await session.put({ ...put, expect: 'present' }, calm());
        }
        expect(fake.entries()[0]).to.deep.include({ value: 'whole', versions: 1, tags: MARK });
      });

  it('an entry of ours without a version is never taken for one with a value', async () => {
    fake.plant({ name: NAME, tags: MARK });
    expect((await failureOf(session.put(entry(), calm()))).kind).to.equal('exists');
    expect(await session.read(KEY, calm())).to.include({ owner: 'ours', value: null });
    await session.put(entry({ value: 'whole', expect: 'present' }), calm());
    expect(fake.entries()[0]).to.deep.include({ value: 'whole', versions: 1 });
  });

  it('a secret that is not to be seen just after its creation is an outage, not a loss', async () => {
    fake.addFault({ kind: 'error', operation: 'AddSecretVersion', code: 'NOT_FOUND', times: 1 });
    const failure = await failureOf(session.put(entry(), calm()));
    expect([failure.kind, failure.code]).to.deep.equal(['external', 'store_busy']);
  });

  it('an update whose answer was lost is repeated without a second version', async () => {
    fake.plant({ name: NAME, value: 'old', tags: MARK });
    fake.addFault({ kind: 'cut-after', operation: 'AddSecretVersion', times: 1 });
    const put = entry({ value: 'new', expect: 'present' });
    expect((await failureOf(session.put(put, calm()))).kind).to.equal('external');
    await session.put(put, calm());
    expect(operationsOf(fake)).to.deep.equal(['AddSecretVersion', 'AccessSecretVersion']);
    expect(fake.entries()[0]).to.deep.include({ value: 'new', versions: 2 });
  });

  it('an update that never arrived is written by the repeat', async () => {
    fake.plant({ name: NAME, value: 'old', tags: MARK });
    fake.addFault({ kind: 'cut', operation: 'AddSecretVersion', times: 1 });
    const put = entry({ value: 'new', expect: 'present' });
    await failureOf(session.put(put, calm()));
    await session.put(put, calm());
    expect(fake.entries()[0]).to.deep.include({ value: 'new', versions: 2 });
  });

  it('a repeat without the right to read costs one more version of the same value', async () => {
    fake.plant({ name: NAME, value: 'old', tags: MARK });
    const put = entry({ value: 'new', expect: 'present' });
    fake.addFault({ kind: 'cut-after', operation: 'AddSecretVersion', times: 1 });
    fake.addFault({ kind: 'denied', operation: 'AccessSecretVersion' });
    await failureOf(session.put(put, calm()));
    await session.put(put, calm());
    const other = await openSession(fake);
    await other.put(put, calm());
    await other.close?.();
    expect(fake.entries()[0]).to.deep.include({ value: 'new', versions: 4 });
  });

  it('another value after a lost answer is written in one call', async () => {
    fake.plant({ name: NAME, value: 'old', tags: MARK });
    fake.addFault({ kind: 'cut-after', operation: 'AddSecretVersion', times: 1 });
    await failureOf(session.put(entry({ value: 'new', expect: 'present' }), calm()));
    fake.clearCalls();
    await session.put(entry({ value: 'newer', expect: 'present' }), calm());
    expect(operationsOf(fake)).to.deep.equal(['AddSecretVersion']);
    expect(fake.entries()[0]?.value).to.equal('newer');
  });

  it('a stale read of a fresh entry is null, and of a changed one the value before', async () => {
    await session.put(entry({ value: 'one' }), calm());
    fake.addFault({ kind: 'stale-read' });
    expect(await session.read(KEY, calm())).to.equal(null);
    fake.clearFaults();
    await session.put(entry({ value: 'two', expect: 'present' }), calm());
    fake.addFault({ kind: 'stale-read' });
    expect((await session.read(KEY, calm()))?.value).to.equal('one');
  });
});
