import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import { type Cloud1SmFake, startCloud1SmFake } from '../../sandbox/aws-secrets-manager/fake.ts';
import { calm, entry, failureOf, ownedIn, KEY, MARK, NAME, openSession, operationsOf } from './support.ts';

const OTHER_MARK = { 'sealift-installation': 'installation-two' };

describe('cloud1-sm: scheduled deletions', () => {
  let fake: Cloud1SmFake;
  let session: Session;
  let patient: Session;

  before(async () => {
    fake = await startCloud1SmFake();
    session = await openSession(fake);
    patient = await openSession(fake, { recovery_window_in_days: 7 });
  });
  beforeEach(() => fake.reset());
  after(() => fake.close());

  it('an entry with a recovery window is scheduled, reads as gone, and can be removed again', async () => {
    fake.plant({ name: NAME, value: 'v', tags: MARK });
    await patient.remove(ownedIn(fake), calm());
    expect(fake.entries()[0]?.['deletedAt']).to.be.a('number');
    expect(await patient.read(KEY, calm())).to.equal(null);
    await patient.remove(ownedIn(fake), calm());
    fake.advanceClock(7 * 24 * 3600 * 1000 + 1);
    expect(fake.entries()).to.have.length(0);
  });

  it('a put that expects our scheduled name absent restores it, with the tags of the put', async () => {
    fake.plant({ name: NAME, value: 'old', tags: { ...MARK, team: 'red' }, scheduledForDeletion: true });
    await session.put(entry({ value: 'new', tags: { team: 'blue' } }), calm());
    expect(operationsOf(fake)).to.deep.equal([
      'CreateSecret',
      'DescribeSecret',
      'RestoreSecret',
      'TagResource',
      'PutSecretValue',
    ]);
    expect(fake.entries()[0]).to.deep.include({
      value: 'new',
      tags: { ...MARK, team: 'blue' },
      deletedAt: null,
    });
  });

  it('a put that expects it present restores it, whoever deleted it', async () => {
    fake.plant({ name: NAME, value: 'old', tags: MARK, scheduledForDeletion: true });
    await session.put(entry({ ...ownedIn(fake), value: 'new', expect: 'present' }), calm());
    expect(operationsOf(fake)).to.deep.equal([
      'PutSecretValue',
      'DescribeSecret',
      'RestoreSecret',
      'PutSecretValue',
    ]);
    expect(fake.entries()[0]).to.deep.include({ value: 'new', deletedAt: null });
  });

  for (const [title, tags, owner] of [
    ["another installation's", OTHER_MARK, 'other'],
    ["nobody's", {}, 'unmarked'],
  ] as const)
    it(`${title} scheduled name counts as taken, and no change or deletion of ours reaches it`, async () => {
      fake.plant({ name: NAME, value: 'ours', tags: MARK });
      const ours = ownedIn(fake);
      await session.remove(ours, calm());
      fake.plant({ name: NAME, value: 'theirs', tags, scheduledForDeletion: true });
      expect((await failureOf(session.put(entry(), calm()))).kind).to.equal('exists');
      expect(await session.read(KEY, calm())).to.deep.include({ owner, value: null });
      for (const key of [ours, KEY]) {
        const put = session.put(entry({ ...key, expect: 'present' }), calm());
        expect((await failureOf(put)).kind).to.equal('missing');
        await session.remove(key, calm());
      }
      expect(fake.entries()[0]).to.deep.include({ value: 'theirs', tags });
      expect(fake.entries()[0]?.['deletedAt']).to.be.a('number');
    });

  it('a change of tags on a scheduled entry reports it missing', async () => {
    fake.plant({ name: NAME, value: 'v', tags: MARK, scheduledForDeletion: true });
    const retag = async () => session.retag?.({ ...ownedIn(fake), tags: {}, removed: [] }, calm());
    expect((await failureOf(retag())).kind).to.equal('missing');
  });

  for (const kind of ['force-delete-lag', 'force-delete-hidden'])
    it(`a name whose forced deletion is under way (${kind}) is tried again shortly, then created`, async () => {
      fake.plant({ name: NAME, value: 'v', tags: MARK });
      fake.addFault({ kind, delayMs: 60_000, times: 1 });
      await session.remove(ownedIn(fake), calm());
      expect(await session.read(KEY, calm())).to.equal(null);
      const failure = await failureOf(session.put(entry({ value: 'again' }), calm()));
      expect([failure.kind, failure.code, failure.retryAfterMs]).to.deep.equal([
        'external',
        'deletion_under_way',
        2000,
      ]);
      fake.advanceClock(60_001);
      await session.put(entry({ value: 'again' }), calm());
      expect(fake.entries()[0]).to.deep.include({ value: 'again', versions: 1 });
    });

  it('a request refused for another reason than deletion stays refused', async () => {
    fake.plant({ name: NAME, value: 'v', tags: MARK });
    fake.addFault({
      kind: 'error',
      operation: ['PutSecretValue', 'DeleteSecret'],
      code: 'InvalidRequestException',
    });
    for (const verb of [
      session.put(entry({ ...ownedIn(fake), expect: 'present' }), calm()),
      session.remove(ownedIn(fake), calm()),
    ])
      expect((await failureOf(verb)).code).to.equal('precondition_failed');
    expect(fake.entries()[0]?.value).to.equal('v');
  });

  it('a creation that is refused for another reason is told with that reason', async () => {
    fake.addFault({ kind: 'error', operation: 'CreateSecret', code: 'InvalidRequestException' });
    const failure = await failureOf(session.put(entry({ name: 'sealift/never-deleted' }), calm()));
    expect([failure.kind, failure.code]).to.deep.equal(['client', 'precondition_failed']);
  });
});
