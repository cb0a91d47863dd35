import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import { type Cloud1SmFake, startCloud1SmFake } from '../../sandbox/aws-secrets-manager/fake.ts';
import {
  calm,
  entry,
  failureOf,
  ownedIn,
  INSTALLATION,
  KEY,
  MARK,
  NAME,
  openSession,
  operationsOf,
} from './support.ts';

describe('cloud1-sm: verbs', () => {
  let fake: Cloud1SmFake;
  let session: Session;

  before(async () => {
    fake = await startCloud1SmFake();
    session = await openSession(fake);
  });
  beforeEach(() => fake.reset());
  after(() => fake.close());

  it('a creation is one call and brings value, tags, owner mark and key with it', async () => {
    const withKey = await openSession(fake, { kms_key_id: 'alias/sealift' });
    await withKey.put(entry({ tags: { team: 'red' } }), calm());
    expect(operationsOf(fake)).to.deep.equal(['CreateSecret']);
    expect(fake.entries()[0]).to.deep.include({
      name: NAME,
      value: '{"a":"1"}',
      tags: { team: 'red', ...MARK },
      kmsKeyId: 'alias/sealift',
    });
  });

  it('an update of a known entry is one call and leaves its tags alone', async () => {
    fake.plant({ name: NAME, value: 'old', tags: { team: 'red', ...MARK } });
    await session.put(entry({ ...ownedIn(fake), value: 'new', expect: 'present' }), calm());
    expect(operationsOf(fake)).to.deep.equal(['PutSecretValue']);
    expect(fake.entries()[0]).to.deep.include({ value: 'new', tags: { team: 'red', ...MARK }, versions: 2 });
  });

  it('a taken name is never overwritten by an entry expected absent', async () => {
    fake.plant({ name: NAME, value: 'theirs' });
    expect((await failureOf(session.put(entry(), calm()))).kind).to.equal('exists');
    expect(fake.entries()[0]?.value).to.equal('theirs');
  });

  it('an entry expected present that is gone is reported missing', async () => {
    expect(
      (await failureOf(session.put(entry({ ...ownedIn(fake), expect: 'present' }), calm()))).kind,
    ).to.equal('missing');
    expect(fake.entries()).to.have.length(0);
  });

  it('an empty value is refused without a call', async () => {
    expect((await failureOf(session.put(entry({ value: '' }), calm()))).code).to.equal('value_empty');
    expect(fake.calls()).to.have.length(0);
  });

  it('a value of exactly 64 KiB is held, one byte more is refused by the store', async () => {
    await session.put(entry({ value: 'é'.repeat(32_768) }), calm());
    const failure = await failureOf(
      session.put(entry({ value: `x${'é'.repeat(32_768)}`, expect: 'present' }), calm()),
    );
    expect(failure.code).to.equal('request_refused');
  });

  for (const expectation of ['absent', 'present'] as const)
    it(`a put (${expectation}) whose answer was lost can be repeated without a further version`, async () => {
      if (expectation === 'present') fake.plant({ name: NAME, value: 'old', tags: MARK });
      const before = fake.entries()[0]?.versions ?? 0;
      fake.addFault({ kind: 'cut-after', times: 1 });
      const put = entry({ expect: expectation });
      expect((await failureOf(session.put(put, calm()))).kind).to.equal('external');
      await session.put(put, calm());
      expect(fake.entries()[0]).to.deep.include({ value: put.value, versions: before + 1 });
    });

  it('a token that went with another value does not hold the value back', async () => {
    const token = randomUUID();
    await session.put(entry({ token }), calm());
    await session.put(entry({ ...ownedIn(fake), token, value: 'newer', expect: 'present' }), calm());
    expect(fake.entries()[0]?.value).to.equal('newer');
  });

  it('a repeat makes its value current again where somebody has replaced it', async () => {
    const put = entry();
    await session.put(put, calm());
    fake.plant({ name: NAME, value: 'stranger', tags: MARK });
    await session.put({ ...put, ...ownedIn(fake), expect: 'present' }, calm());
    expect(fake.entries()[0]?.value).to.equal(put.value);
  });

  it('the 101st write within a day waits a quarter of an hour', async () => {
    fake.plant({ name: NAME, value: 'v0', tags: MARK });
    for (let number = 1; number < 100; number += 1)
      await session.put(entry({ value: `v${number}`, expect: 'present' }), calm());
    const put = entry({ ...ownedIn(fake), value: 'v100', expect: 'present' });
    const failure = await failureOf(session.put(put, calm()));
    expect([failure.kind, failure.code, failure.retryAfterMs, failure.scope]).to.deep.equal([
      'external',
      'version_limit',
      900_000,
      'entry',
    ]);
    fake.advanceClock(25 * 3600 * 1000);
    await session.put(put, calm());
    expect(fake.entries()[0]).to.deep.include({ value: 'v100', versions: 100 });
  });

  it('reading tells value and owner: ours, another installation, nobody', async () => {
    fake.plant({ name: 'a', value: '1', tags: MARK });
    fake.plant({ name: 'b', value: '2', tags: { 'sealift-installation': 'installation-two' } });
    fake.plant({ name: 'c', value: '3', tags: { team: 'red' } });
    const found = await Promise.all(['a', 'b', 'c'].map((name) => session.read({ ...KEY, name }, calm())));
    expect(found.map((one) => [one?.owner, one?.value])).to.deep.equal([
      ['ours', '1'],
      ['other', '2'],
      ['unmarked', '3'],
    ]);
    expect(found[0]?.changedAt?.getTime()).to.be.closeTo(Date.now(), 60_000);
  });

  it('a read of a missing entry is null and one call', async () => {
    expect(await session.read(KEY, calm())).to.equal(null);
    expect(operationsOf(fake)).to.deep.equal(['DescribeSecret']);
  });

  it('binary data and a secret without a version equal no value that could be pushed', async () => {
    fake.plant({ name: 'binary', binary: Buffer.from('x').toString('base64') });
    fake.plant({ name: 'bare' });
    for (const name of ['binary', 'bare'])
      expect((await session.read({ ...KEY, name }, calm()))?.value).to.equal('');
  });

  it('a change of tags is one call, or two with removed keys, and writes no version', async () => {
    fake.plant({ name: NAME, value: 'v', tags: { stranger: 'x', old: 'y' } });
    await session.retag?.({ ...ownedIn(fake), tags: { team: 'red' }, removed: [] }, calm());
    expect(operationsOf(fake)).to.deep.equal(['TagResource']);
    fake.clearCalls();
    await session.retag?.(
      { ...ownedIn(fake), tags: { team: 'blue' }, removed: ['old', 'team', ...Object.keys(MARK)] },
      calm(),
    );
    expect(operationsOf(fake)).to.deep.equal(['UntagResource', 'TagResource']);
    expect(fake.entries()[0]).to.deep.include({
      tags: { stranger: 'x', team: 'blue', ...MARK },
      versions: 1,
    });
  });

  it('a removal is one call and final, and removing again succeeds', async () => {
    fake.plant({ name: NAME, value: 'v', tags: MARK });
    await session.remove(ownedIn(fake), calm());
    expect(fake.entries()).to.have.length(0);
    await session.remove(ownedIn(fake), calm());
    expect(operationsOf(fake)).to.deep.equal(['DeleteSecret', 'DeleteSecret']);
  });

  it('regions are apart', async () => {
    const west = await openSession(fake, { region: 'us-west-2' });
    await session.put(entry({ value: 'east' }), calm());
    await west.put(entry({ value: 'west' }), calm());
    expect((await west.read(KEY, calm()))?.value).to.equal('west');
    expect(fake.entries()).to.have.length(2);
  });

  it('an entry is marked with the installation that wrote it', async () => {
    const other = await openSession(fake, {}, { installation: 'installation-two' });
    await other.put(entry(), calm());
    expect((await session.read(KEY, calm()))?.owner).to.equal('other');
    expect((await other.read(KEY, calm()))?.owner).to.equal('ours');
    expect(fake.entries()[0]?.tags).to.not.deep.equal({ 'sealift-installation': INSTALLATION });
  });
});
