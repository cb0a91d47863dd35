import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import { type Cloud2KvFake, startCloud2KvFake } from '../../sandbox/azure-key-vault/fake.ts';
import {
  calm,
  entry,
  failureOf,
  KEY,
  MARK,
  NAME,
  openWarmSession,
  operationsOf,
  OTHER_MARK,
} from './support.ts';

describe('cloud2-kv: deleted secrets', () => {
  let fake: Cloud2KvFake;
  let session: Session;
  let purging: Session;
  let hasty: Session;

  before(async () => {
    fake = await startCloud2KvFake();
    session = await openWarmSession(fake);
    purging = await openWarmSession(fake, { purge_on_delete: true });
    hasty = await openWarmSession(fake, {}, { callTimeoutMs: 400 });
  });
  beforeEach(() => fake.reset());
  after(async () => {
    for (const one of [session, purging, hasty]) await one.close?.();
    await fake.close();
  });

  it('a removed entry stays recoverable, reads as gone, and removing it again succeeds', async () => {
    fake.plant({ name: NAME, value: 'v', tags: MARK });
    await session.remove(KEY, calm());
    expect(operationsOf(fake)).to.deep.equal(['DeleteSecret', 'GetDeletedSecret']);
    expect(fake.deleted()[0]?.['phase']).to.equal('deleted');
    expect(await session.read(KEY, calm())).to.equal(null);
    await session.remove(KEY, calm());
    expect(fake.deleted()[0]?.['phase']).to.equal('deleted');
  });

  it('removing does not wait for the vault to finish, nor mind that another removal is under way', async () => {
    fake.plant({ name: NAME, value: 'v', tags: MARK });
    fake.addFault({ kind: 'deletion-lag', delayMs: 60_000, times: 1 });
    await session.remove(KEY, calm());
    await session.remove(KEY, calm());
    expect(fake.deleted()[0]?.['phase']).to.equal('deleting');
  });

  it('a put that expects our deleted secret absent recovers it with its value and tags', async () => {
    fake.plant({ name: NAME, value: 'old', tags: { ...MARK, team: 'red' }, deleted: true });
    await session.put(entry({ value: 'new', tags: { team: 'blue' } }), calm());
    expect(operationsOf(fake)).to.deep.equal([
      'SetSecret',
      'GetDeletedSecret',
      'GetSecret',
      'RecoverDeletedSecret',
      'GetSecret',
      'SetSecret',
    ]);
    expect(fake.entries()[0]).to.deep.include({
      value: 'new',
      tags: { ...MARK, team: 'blue' },
      phase: 'live',
    });
  });

  it('a recovery that takes its time is waited for', async () => {
    fake.plant({ name: NAME, value: 'old', tags: MARK, deleted: true });
    fake.addFault({ kind: 'recovery-lag', delayMs: 300, times: 1 });
    await session.put(entry({ value: 'new' }), calm());
    expect(fake.entries()[0]).to.deep.include({ value: 'new', phase: 'live' });
  });

  it('a recovery longer than one call may take is tried again in two seconds', async () => {
    fake.plant({ name: NAME, value: 'old', tags: MARK, deleted: true });
    fake.addFault({ kind: 'recovery-lag', delayMs: 60_000, times: 1 });
    const failure = await failureOf(hasty.put(entry({ value: 'new' }), calm()));
    expect([failure.kind, failure.code, failure.retryAfterMs]).to.deep.equal([
      'external',
      'recovery_under_way',
      2000,
    ]);
    fake.advanceClock(60_001);
    await hasty.put(entry({ value: 'new' }), calm());
    expect(fake.entries()[0]).to.deep.include({ value: 'new', phase: 'live' });
  });

  it('an entry made again while its deletion is under way waits for that, and is recovered', async () => {
    fake.plant({ name: NAME, value: 'old', tags: MARK });
    fake.addFault({ kind: 'deletion-lag', delayMs: 300, times: 1 });
    await session.remove(KEY, calm());
    expect(await session.read(KEY, calm())).to.equal(null);
    await session.put(entry({ value: 'again' }), calm());
    expect(fake.entries()[0]).to.deep.include({ value: 'again', phase: 'live' });
  });

  it('a deletion longer than one call may take is tried again in two seconds', async () => {
    fake.plant({ name: NAME, value: 'old', tags: MARK });
    fake.addFault({ kind: 'deletion-lag', delayMs: 60_000, times: 1 });
    await hasty.remove(KEY, calm());
    const failure = await failureOf(hasty.put(entry(), calm()));
    expect([failure.kind, failure.code, failure.retryAfterMs]).to.deep.equal([
      'external',
      'deletion_under_way',
      2000,
    ]);
  });

  it('waiting ends when the engine says so', async () => {
    fake.plant({ name: NAME, value: 'old', tags: MARK });
    fake.addFault({ kind: 'deletion-lag', delayMs: 60_000, times: 1 });
    await session.remove(KEY, calm());
    const abort = new AbortController();
    const put = failureOf(session.put(entry(), abort.signal));
    setTimeout(() => abort.abort(), 50);
    expect((await put).code).to.equal('call_interrupted');
  });

  for (const [title, tags, owner] of [
    ["another installation's", OTHER_MARK, 'other'],
    ["nobody's", {}, 'unmarked'],
  ] as const)
    it(`${title} deleted secret is read with its owner and counts as taken`, async () => {
      fake.plant({ name: NAME, value: 'theirs', tags, deleted: true });
      expect(await session.read(KEY, calm())).to.deep.include({ owner, value: null });
      expect((await failureOf(session.put(entry(), calm()))).kind).to.equal('exists');
      expect(fake.deleted()[0]).to.deep.include({ value: 'theirs', phase: 'deleted' });
      await session.put(entry({ value: 'adopted', expect: 'present' }), calm());
      expect(fake.entries()[0]).to.deep.include({ value: 'adopted', phase: 'live' });
    });

  it('a secret of somebody else that is just being deleted is not recovered once it is', async () => {
    fake.plant({ name: NAME, value: 'theirs', tags: OTHER_MARK });
    fake.addFault({ kind: 'deletion-lag', delayMs: 300, times: 1 });
    await session.remove(KEY, calm());
    expect((await failureOf(session.put(entry(), calm()))).kind).to.equal('exists');
    expect(fake.deleted()[0]).to.deep.include({ value: 'theirs', phase: 'deleted' });
  });

  it('a change of tags on a deleted secret reports it missing', async () => {
    fake.plant({ name: NAME, value: 'v', tags: MARK, deleted: true });
    const retag = async () => session.retag?.({ ...KEY, tags: {}, removed: [] }, calm());
    expect((await failureOf(retag())).kind).to.equal('missing');
  });

  it('an entry with purge_on_delete leaves nothing behind, however long the deletion takes', async () => {
    fake.plant({ name: NAME, value: 'v', tags: MARK });
    fake.addFault({ kind: 'deletion-lag', delayMs: 300, times: 1 });
    await purging.remove(KEY, calm());
    expect(fake.deleted()).to.have.length(0);
    await purging.remove(KEY, calm());
  });

  it('a missed purge is made up for, and a purge of a foreign secret is not begun', async () => {
    fake.plant({ name: NAME, value: 'v', tags: MARK, deleted: true });
    await purging.remove(KEY, calm());
    expect(fake.deleted()).to.have.length(0);
    fake.plant({ name: NAME, value: 'v', tags: OTHER_MARK, deleted: true });
    await purging.remove(KEY, calm());
    expect(fake.deleted()).to.have.length(1);
  });

  it('a name just purged is waited for', async () => {
    fake.plant({ name: NAME, value: 'v', tags: MARK });
    fake.addFault({ kind: 'purge-lag', delayMs: 300, times: 1 });
    await purging.remove(KEY, calm());
    await purging.put(entry({ value: 'again' }), calm());
    expect(fake.entries()[0]).to.deep.include({ value: 'again', versions: 1 });
  });

  it('a vault with purge protection says so instead of seeming purged', async () => {
    fake.protectFromPurge();
    fake.plant({ name: NAME, value: 'v', tags: MARK });
    const failure = await failureOf(purging.remove(KEY, calm()));
    expect([failure.kind, failure.code]).to.deep.equal(['client', 'permission_missing']);
    expect(failure.message).to.contain('purge_on_delete');
    expect(fake.deleted()[0]?.['phase']).to.equal('deleted');
  });
});
