import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import { type Cloud1SmFake, startCloud1SmFake } from '../../sandbox/aws-secrets-manager/fake.ts';
import { calm, entry, failureOf, ownedIn, KEY, MARK, NAME, openSession, operationsOf } from './support.ts';

describe('cloud1-sm: ownership', () => {
  let fake: Cloud1SmFake;
  let session: Session;

  before(async () => {
    fake = await startCloud1SmFake();
    session = await openSession(fake);
  });
  beforeEach(() => fake.reset());
  after(() => fake.close());

  const write = async () => (await session.put(entry(), calm())).reference;

  async function expectMissing(reference: string | null, other = session): Promise<void> {
    const key = { name: NAME, reference };
    const put = other.put(entry({ ...key, value: 'ours', expect: 'present' }), calm());
    expect((await failureOf(put)).kind).to.equal('missing');
    const retag = (async () => other.retag?.({ ...key, tags: {}, removed: [] }, calm()))();
    expect((await failureOf(retag)).kind).to.equal('missing');
    await other.remove(key, calm());
  }

  it('a secret that somebody deleted and made anew is neither changed nor deleted', async () => {
    const reference = await write();
    fake.reset();
    fake.plant({ name: NAME, value: 'theirs', tags: {} });
    await expectMissing(reference);
    expect(fake.entries()[0]).to.deep.include({ value: 'theirs', tags: {} });
  });

  it('an update and a deletion take one call each', async () => {
    const reference = await write();
    fake.clearCalls();
    await session.put(entry({ name: NAME, reference, value: 'next', expect: 'present' }), calm());
    await session.remove({ name: NAME, reference }, calm());
    expect(operationsOf(fake)).to.deep.equal(['PutSecretValue', 'DeleteSecret']);
  });

  it('our mark tells the owner without an ARN in the ledger', async () => {
    fake.plant({ name: NAME, value: 'theirs', tags: {} });
    await expectMissing(null);
    expect(fake.entries()[0]).to.include({ value: 'theirs' });
    fake.reset();
    fake.plant({ name: NAME, value: 'ours', tags: MARK });
    const { reference } = await session.put(entry({ ...KEY, value: 'next', expect: 'present' }), calm());
    expect(reference).to.equal(ownedIn(fake).reference);
  });

  it('a secret of another region is left where it is, and so is its namesake here', async () => {
    const reference = await write();
    const there = await openSession(fake, { region: 'us-east-1' });
    fake.plant({ name: NAME, value: 'theirs', tags: {}, region: 'us-east-1' });
    await expectMissing(reference, there);
    expect(fake.entries().map(({ value }) => value)).to.have.members(['{"a":"1"}', 'theirs']);
  });

  it('a secret of another account, which AWS refuses, is left where it is', async () => {
    const reference = await write();
    fake.assign('AKIATEST', '999999999999');
    fake.plant({ name: NAME, value: 'theirs', tags: {}, region: 'eu-west-1/999999999999' });
    await expectMissing(reference);
    expect(fake.entries().map(({ value }) => value)).to.have.members(['{"a":"1"}', 'theirs']);
  });

  it('a missing right on the very secret stays a missing right', async () => {
    const reference = await write();
    fake.addFault({ kind: 'denied', operation: 'PutSecretValue' });
    const put = session.put(entry({ name: NAME, reference, expect: 'present' }), calm());
    expect((await failureOf(put)).code).to.equal('permission_missing');
  });
});
