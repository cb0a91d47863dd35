import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import { type Cloud3SmFake, startCloud3SmFake } from '../../sandbox/google-secret-manager/fake.ts';
import { calm, entry, failureOf, MARK, NAME, openSession, operationsOf } from './support.ts';

describe('cloud3-sm: older versions', () => {
  let fake: Cloud3SmFake;
  let session: Session;

  before(async () => {
    fake = await startCloud3SmFake();
  });
  beforeEach(async () => {
    fake.reset();
    session = await openSession(fake, { destroy_old_versions: true });
  });
  afterEach(() => session.close?.());
  after(() => fake.close());

  const states = () => fake.entries()[0]?.['states'];
  const update = (value: string, reference: string | null) =>
    session.put(entry({ value, expect: 'present', reference }), calm());

  it('the version before is destroyed once the new one is in place, without listing', async () => {
    const first = await session.put(entry({ value: 'one' }), calm());
    const second = await update('two', first.reference);
    await update('three', second.reference);
    expect(operationsOf(fake)).to.deep.equal([
      'CreateSecret',
      'AddSecretVersion',
      'AddSecretVersion',
      'DestroySecretVersion',
      'AddSecretVersion',
      'DestroySecretVersion',
    ]);
    expect(fake.entries()[0]?.value).to.equal('three');
    expect(states()).to.deep.equal(['DESTROYED', 'DESTROYED', 'ENABLED']);
  });

  it('versions that were kept until now are all found and destroyed, over several pages', async () => {
    fake.plant({ name: NAME, value: 'old', tags: MARK, versions: 130 });
    await update('new', '130');
    expect(fake.callsOf('ListSecretVersions')).to.have.length(2);
    expect(fake.callsOf('DestroySecretVersion')).to.have.length(130);
    expect(new Set((states() as string[]).slice(0, -1))).to.deep.equal(new Set(['DESTROYED']));
    expect(fake.entries()[0]?.value).to.equal('new');
  });

  it('a version that somebody added in between is destroyed as well', async () => {
    const { reference } = await session.put(entry({ value: 'one' }), calm());
    fake.plant({ name: NAME, value: 'stranger', tags: MARK });
    await update('two', reference);
    expect(states()).to.deep.equal(['DESTROYED', 'DESTROYED', 'ENABLED']);
  });

  it('a repeat goes on with the destroying only, where that failed for a time', async () => {
    const { reference } = await session.put(entry({ value: 'one' }), calm());
    fake.addFault({ kind: 'error', operation: 'DestroySecretVersion', times: 1 });
    const put = entry({ value: 'two', expect: 'present', reference });
    expect((await failureOf(session.put(put, calm()))).kind).to.equal('external');
    expect(fake.entries()[0]?.value).to.equal('two');
    fake.clearCalls();
    await session.put(put, calm());
    expect(operationsOf(fake)).to.deep.equal(['DestroySecretVersion']);
    expect(states()).to.deep.equal(['DESTROYED', 'ENABLED']);
  });

  it('a missing right to destroy is named, and the value is in place', async () => {
    const { reference } = await session.put(entry({ value: 'one' }), calm());
    fake.addFault({ kind: 'denied', operation: 'DestroySecretVersion' });
    const failure = await failureOf(update('two', reference));
    expect([failure.kind, failure.code]).to.deep.equal(['client', 'permission_missing']);
    expect(failure.message).to.contain('secretmanager.versions.destroy');
    expect(fake.entries()[0]?.value).to.equal('two');
  });

  it('a version that is destroyed already does not stop the others', async () => {
    const { reference } = await session.put(entry({ value: 'one' }), calm());
    fake.addFault({
      kind: 'error',
      operation: 'DestroySecretVersion',
      code: 'FAILED_PRECONDITION',
      times: 1,
    });
    await update('two', reference);
    expect(fake.entries()[0]?.value).to.equal('two');
  });

  it('nothing is destroyed where the new version could not be added', async () => {
    const { reference } = await session.put(entry({ value: 'one' }), calm());
    fake.addFault({ kind: 'error', operation: 'AddSecretVersion' });
    await failureOf(update('two', reference));
    expect(states()).to.deep.equal(['ENABLED']);
  });
});
