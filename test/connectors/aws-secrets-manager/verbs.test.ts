import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import { destination } from '../../../services/connectors/aws-secrets-manager/destination.ts';
import { type Cloud1SmFake, startCloud1SmFake } from '../../sandbox/aws-secrets-manager/fake.ts';
import { describeVerbs } from '../conformance/verbs.ts';
import { calm, entry, failureOf, ownedIn, KEY, MARK, NAME, openSession } from './support.ts';

const MARKED = { tags: MARK };

describeVerbs({
  destination,
  startFake: () => startCloud1SmFake(),
  open: (fake, context) => openSession(fake, {}, context),
  name: NAME,
  keyOf: ownedIn,
  ours: MARKED,
  other: { tags: { 'sealift-installation': 'installation-two' } },
  theirs: { tags: { team: 'red' } },
  created: { tags: { team: 'red', ...MARK }, versions: 1 },
  updated: { tags: MARK, versions: 2 },
  writes: { absent: 'CreateSecret', present: 'PutSecretValue' },
  calls: {
    check: [
      'DeleteSecret 400',
      'DescribeSecret 400',
      'GetSecretValue 400',
      'PutSecretValue 400',
      'RestoreSecret 400',
      'TagResource 400',
      'UntagResource 400',
    ],
    create: ['CreateSecret 200'],
    update: ['PutSecretValue 200'],
    read: ['DescribeSecret 200', 'GetSecretValue 200'],
    readAbsent: ['DescribeSecret 400'],
    remove: ['DeleteSecret 200'],
    removeAbsent: ['DeleteSecret 200'],
    retag: ['UntagResource 200', 'TagResource 200'],
    addTag: ['TagResource 200'],
    keepTags: ['UntagResource 200', 'TagResource 200'],
  },
  refusesEmpty: true,
  knowsRepeats: true,
});

describe('cloud1-sm: versions, binary data and regions', () => {
  let fake: Cloud1SmFake;
  let session: Session;

  before(async () => {
    fake = await startCloud1SmFake();
    session = await openSession(fake);
  });
  beforeEach(() => fake.reset());
  after(() => fake.close());

  it('a creation with a key of its own is one call', async () => {
    const withKey = await openSession(fake, { kms_key_id: 'alias/sealift' });
    await withKey.put(entry(), calm());
    expect(fake.calls()).to.have.length(1);
    expect(fake.entries()[0]).to.include({ kmsKeyId: 'alias/sealift' });
    await withKey.close?.();
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

  it('binary data and a secret without a version equal no value that could be pushed', async () => {
    fake.plant({ name: 'binary', binary: Buffer.from('x').toString('base64') });
    fake.plant({ name: 'bare' });
    for (const name of ['binary', 'bare'])
      expect((await session.read({ ...KEY, name }, calm()))?.value).to.equal('');
  });

  it('regions are apart', async () => {
    const west = await openSession(fake, { region: 'us-west-2' });
    await session.put(entry({ value: 'east' }), calm());
    await west.put(entry({ value: 'west' }), calm());
    expect((await west.read(KEY, calm()))?.value).to.equal('west');
    expect(fake.entries()).to.have.length(2);
  });
});
