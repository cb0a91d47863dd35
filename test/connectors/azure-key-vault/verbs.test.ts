import { randomUUID } from 'node:crypto';
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

describe('cloud2-kv: verbs', () => {
  let fake: Cloud2KvFake;
  let session: Session;

  before(async () => {
    fake = await startCloud2KvFake();
    session = await openWarmSession(fake);
  });
  beforeEach(() => fake.reset());
  after(async () => {
    await session.close?.();
    await fake.close();
  });

  it('an update of a known entry is one call and brings value, tags and owner mark with it', async () => {
    fake.plant({ name: NAME, value: 'old', tags: MARK });
    await session.put(entry({ value: 'new', tags: { team: 'red' }, expect: 'present' }), calm());
    expect(operationsOf(fake)).to.deep.equal(['SetSecret']);
    expect(fake.entries()[0]).to.deep.include({ value: 'new', tags: { team: 'red', ...MARK }, versions: 2 });
  });

  it('a new entry is looked for among the living and the deleted, then written: three calls', async () => {
    expect(await session.read(KEY, calm())).to.equal(null);
    await session.put(entry(), calm());
    expect(operationsOf(fake)).to.deep.equal(['GetSecret', 'GetDeletedSecret', 'SetSecret']);
    expect(fake.entries()).to.have.length(1);
  });

  it('a value that is a JSON object says so by its content type, any other is plain text', async () => {
    for (const [value, type] of [
      ['{"a":1}', 'application/json'],
      ['{not json', 'text/plain'],
      ['password', 'text/plain'],
      ['', 'text/plain'],
    ]) {
      await session.put(entry({ value: value ?? '' }), calm());
      expect(fake.entries()[0], value).to.deep.include({ value, contentType: type });
    }
  });

  it('names that differ in case only are one entry', async () => {
    await session.put(entry(), calm());
    await session.put(entry({ name: NAME.toUpperCase(), value: 'same' }), calm());
    expect((await session.read(KEY, calm()))?.value).to.equal('same');
    expect(fake.entries()).to.have.length(1);
  });

  it('a value of exactly 25 KiB is held, one byte more is refused by the store', async () => {
    await session.put(entry({ value: 'é'.repeat(12_800) }), calm());
    const failure = await failureOf(session.put(entry({ value: `x${'é'.repeat(12_800)}` }), calm()));
    expect([failure.kind, failure.code]).to.deep.equal(['client', 'request_refused']);
  });

  it('fourteen tags and our mark are held, one more is refused by the store', async () => {
    const tags = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`t${at}`, '']));
    await session.put(entry({ tags: tags(14) }), calm());
    expect((await failureOf(session.put(entry({ tags: tags(15) }), calm()))).kind).to.equal('client');
  });

  it('a put whose answer was lost can be repeated and leaves the same value', async () => {
    fake.addFault({ kind: 'cut-after', operation: 'SetSecret', times: 1 });
    const put = entry();
    expect((await failureOf(session.put(put, calm()))).kind).to.equal('external');
    await session.put(put, calm());
    expect(fake.entries()).to.have.length(1);
    expect(fake.entries()[0]).to.deep.include({ value: put.value, tags: MARK });
  });

  it('reading tells value and owner: ours, another installation, nobody', async () => {
    fake.plant({ name: 'a', value: '1', tags: MARK });
    fake.plant({ name: 'b', value: '2', tags: OTHER_MARK });
    fake.plant({ name: 'c', value: '3', tags: { team: 'red' } });
    const found = await Promise.all(['a', 'b', 'c'].map((name) => session.read({ ...KEY, name }, calm())));
    expect(found.map((one) => [one?.owner, one?.value])).to.deep.equal([
      ['ours', '1'],
      ['other', '2'],
      ['unmarked', '3'],
    ]);
    expect(found[0]?.changedAt?.getTime()).to.be.closeTo(Date.now(), 60_000);
    expect(operationsOf(fake)).to.deep.equal(['GetSecret', 'GetSecret', 'GetSecret']);
  });

  it('a stale answer shows the value before, and the next one the present value', async () => {
    await session.put(entry({ value: 'old' }), calm());
    await session.put(entry({ value: 'new', expect: 'present' }), calm());
    fake.addFault({ kind: 'stale-read', times: 1 });
    expect((await session.read(KEY, calm()))?.value).to.equal('old');
    expect((await session.read(KEY, calm()))?.value).to.equal('new');
  });

  it('a disabled secret cannot be read, and a person is told to enable it', async () => {
    fake.plant({ name: NAME, value: 'v', tags: MARK, disabled: true });
    const failure = await failureOf(session.read(KEY, calm()));
    expect([failure.kind, failure.code]).to.deep.equal(['client', 'precondition_failed']);
  });

  it('a change of tags leaves those of others and the value, and costs a read and an update', async () => {
    fake.plant({ name: NAME, value: 'v', tags: { stranger: 'x', old: 'y', ...MARK } });
    const tags = { team: 'blue' };
    await session.retag?.({ ...KEY, tags, removed: ['old', 'team', ...Object.keys(MARK)] }, calm());
    expect(operationsOf(fake)).to.deep.equal(['GetSecret', 'UpdateSecret']);
    expect(fake.entries()[0]).to.deep.include({
      value: 'v',
      versions: 1,
      tags: { stranger: 'x', team: 'blue', ...MARK },
    });
  });

  it('tags that are there already are not written again', async () => {
    fake.plant({ name: NAME, value: 'v', tags: { team: 'red', ...MARK } });
    await session.retag?.({ ...KEY, tags: { team: 'red' }, removed: [] }, calm());
    expect(operationsOf(fake)).to.deep.equal(['GetSecret']);
  });

  it('a change of tags on an entry that is gone reports it missing', async () => {
    const retag = async () => session.retag?.({ ...KEY, tags: {}, removed: [] }, calm());
    expect((await failureOf(retag())).kind).to.equal('missing');
  });

  it('a change of tags finds ours missing where somebody else made a secret meanwhile', async () => {
    fake.plant({ name: NAME, value: 'theirs', tags: { stranger: 'x' } });
    const retag = async (isTakenOver: boolean) =>
      session.retag?.({ ...KEY, tags: { team: 'red' }, removed: [], isTakenOver }, calm());
    expect((await failureOf(retag(false))).kind).to.equal('missing');
    expect(fake.entries()[0]?.tags).to.deep.equal({ stranger: 'x' });
    await retag(true);
    expect(fake.entries()[0]?.tags).to.deep.equal({ stranger: 'x', team: 'red', ...MARK });
  });

  it('a check with sufficient rights passes and leaves nothing behind', async () => {
    fake.plant({ name: 'theirs', value: 'v' });
    await session.check(calm(), 'sealift-check');
    expect(fake.entries()).to.have.length(1);
    expect(fake.callsOf('SetSecret')).to.have.length(0);
  });

  it('a check names every permission that is missing, purging only where it is wanted', async () => {
    const purging = await openWarmSession(fake, { purge_on_delete: true });
    fake.addFault({ kind: 'denied', operation: ['UpdateSecret', 'PurgeDeletedSecret'] });
    const failure = await failureOf(session.check(calm(), 'sealift-check'));
    expect([failure.kind, failure.code, failure.scope]).to.deep.equal([
      'client',
      'permission_missing',
      'destination',
    ]);
    expect(failure.message).to.contain('secrets/set on');
    expect((await failureOf(purging.check(calm(), 'sealift-check'))).message).to.contain(
      'secrets/set, secrets/purge on',
    );
    await purging.close?.();
  });

  it('nothing else in the vault is touched by any verb', async () => {
    fake.plant({ name: 'theirs', value: 'v', tags: { team: 'red' } });
    fake.plant({ name: 'theirs-deleted', value: 'v', deleted: true });
    const others = () => [...fake.entries(), ...fake.deleted()].filter(({ name }) => name !== NAME);
    const before = others();
    await session.put(entry(), calm());
    await session.retag?.({ ...KEY, tags: { a: 'b' }, removed: [] }, calm());
    await session.put(entry({ token: randomUUID(), value: 'two', expect: 'present' }), calm());
    await session.remove(KEY, calm());
    expect(before).to.have.length(2);
    expect(others()).to.deep.equal(before);
  });
});
