import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import { destination } from '../../../services/connectors/azure-key-vault/destination.ts';
import { type Cloud2KvFake, startCloud2KvFake } from '../../sandbox/azure-key-vault/fake.ts';
import { describeVerbs } from '../conformance/verbs.ts';
import {
  calm,
  entry,
  failureOf,
  KEY,
  MARK,
  NAME,
  openSession,
  openWarmSession,
  OTHER_MARK,
} from './support.ts';

describeVerbs({
  destination,
  startFake: () => startCloud2KvFake(),
  open: (fake, context) => openSession(fake, {}, context),
  name: NAME,
  ours: { tags: MARK },
  other: { tags: OTHER_MARK },
  theirs: { tags: { team: 'red' } },
  created: { tags: { team: 'red', ...MARK } },
  updated: { tags: { team: 'red', ...MARK }, versions: 2 },
  writes: { absent: 'SetSecret', present: 'SetSecret' },
  calls: {
    check: [
      'DeleteSecret 404',
      'GetSecret 404',
      'GetSecret 404',
      'RecoverDeletedSecret 404',
      'UpdateSecret 404',
    ],
    create: ['SetSecret 200'],
    update: ['SetSecret 200'],
    read: ['GetSecret 200'],
    readAbsent: ['GetSecret 404', 'GetDeletedSecret 404'],
    remove: ['DeleteSecret 200', 'GetDeletedSecret 200'],
    removeAbsent: ['DeleteSecret 404'],
    retag: ['GetSecret 200', 'UpdateSecret 200'],
    addTag: ['GetSecret 200', 'UpdateSecret 200'],
    keepTags: ['GetSecret 200'],
  },
});

describe('cloud2-kv: content types, names and rights', () => {
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

  it('fourteen tags and our mark are held, one more is refused by the store', async () => {
    const tags = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`t${index}`, '']));
    await session.put(entry({ tags: tags(14) }), calm());
    expect((await failureOf(session.put(entry({ tags: tags(15) }), calm()))).kind).to.equal('client');
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

  it('a deleted secret of somebody else is touched by no verb', async () => {
    fake.plant({ name: 'theirs', value: 'v', deleted: true });
    const before = fake.deleted();
    await session.put(entry(), calm());
    await session.remove(KEY, calm());
    await session.check(calm(), 'sealift-check');
    expect(before).to.have.length(1);
    expect(fake.deleted().filter(({ name }) => name !== NAME)).to.deep.equal(before);
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
});
