import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import { type Cloud3SmFake, startCloud3SmFake } from '../../sandbox/google-secret-manager/fake.ts';
import { calm, entry, failureOf, KEY, MARK, NAME, openSession, operationsOf } from './support.ts';

const UNREADABLE = Buffer.from([0xff, 0xfe, 0x00]).toString('base64');

describe('cloud3-sm: verbs', () => {
  let fake: Cloud3SmFake;
  let session: Session;

  before(async () => {
    fake = await startCloud3SmFake();
    session = await openSession(fake);
  });
  beforeEach(() => fake.reset());
  after(async () => {
    await session.close?.();
    await fake.close();
  });

  it('a creation is two calls and brings value, labels and owner mark with it', async () => {
    await session.put(entry({ value: 'grüße', tags: { team: 'red' } }), calm());
    expect(operationsOf(fake)).to.deep.equal(['CreateSecret', 'AddSecretVersion']);
    expect(fake.entries()[0]).to.deep.include({
      name: NAME,
      value: 'grüße',
      tags: { team: 'red', ...MARK },
      project: 'sealift-test',
      replication: { automatic: {} },
    });
  });

  it('replication locations and another project are those of the settings', async () => {
    const regional = await openSession(fake, {
      credentials: fake.createKey('other-project'),
      project_id: 'other-project',
      replication_locations: ['europe-west1', 'europe-west4'],
    });
    await regional.put(entry(), calm());
    expect(fake.entries()[0]).to.deep.include({
      project: 'other-project',
      replication: {
        userManaged: { replicas: [{ location: 'europe-west1' }, { location: 'europe-west4' }] },
      },
    });
    await regional.close?.();
  });

  it('an update of a known entry is one call and leaves its labels and older versions alone', async () => {
    fake.plant({ name: NAME, value: 'old', tags: { team: 'red', ...MARK } });
    await session.put(entry({ value: 'new', expect: 'present' }), calm());
    expect(operationsOf(fake)).to.deep.equal(['AddSecretVersion']);
    expect(fake.entries()[0]).to.deep.include({
      value: 'new',
      tags: { team: 'red', ...MARK },
      states: ['ENABLED', 'ENABLED'],
    });
  });

  it('a taken name is never overwritten by an entry expected absent', async () => {
    fake.plant({ name: NAME, value: 'theirs' });
    expect((await failureOf(session.put(entry(), calm()))).kind).to.equal('exists');
    expect(fake.entries()[0]).to.deep.include({ value: 'theirs', versions: 1 });
  });

  it('an entry expected present that is gone is reported missing', async () => {
    expect((await failureOf(session.put(entry({ expect: 'present' }), calm()))).kind).to.equal('missing');
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
    expect([failure.kind, failure.code]).to.deep.equal(['client', 'request_refused']);
    expect(fake.entries()[0]?.value).to.have.length(32_768);
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
  });

  it('a read of a missing entry is null and one call', async () => {
    expect(await session.read(KEY, calm())).to.equal(null);
    expect(operationsOf(fake)).to.deep.equal(['GetSecret']);
  });

  it('an entry without a readable version is there and has no value', async () => {
    fake.plant({ name: 'bare', tags: MARK });
    fake.plant({ name: 'disabled', value: 'x', state: 'DISABLED', tags: MARK });
    fake.plant({ name: 'binary', binary: UNREADABLE, tags: MARK });
    for (const name of ['bare', 'disabled', 'binary'])
      expect(await session.read({ ...KEY, name }, calm()), name).to.deep.include({
        owner: 'ours',
        value: null,
      });
  });

  it('an installation whose id is no label value is recognised all the same', async () => {
    const odd = await openSession(fake, {}, { installation: 'Installation ONE/é' });
    await odd.put(entry(), calm());
    expect((await odd.read(KEY, calm()))?.owner).to.equal('ours');
    expect((await session.read(KEY, calm()))?.owner).to.equal('other');
    await odd.close?.();
  });

  it('a change of labels is a read and a write, keeps those of others and writes no version', async () => {
    fake.plant({ name: NAME, value: 'v', tags: { stranger: 'x', old: 'y', team: 'blue', ...MARK } });
    const removed = ['old', 'sealift-installation'];
    const written = await session.retag?.({ ...KEY, reference: '7', tags: { team: 'red' }, removed }, calm());
    expect(written).to.deep.equal({ reference: '7' });
    expect(operationsOf(fake)).to.deep.equal(['GetSecret', 'UpdateSecret']);
    expect(fake.entries()[0]).to.deep.include({ tags: { stranger: 'x', team: 'red', ...MARK }, versions: 1 });
  });

  it('labels that are as they should be are not written', async () => {
    fake.plant({ name: NAME, value: 'v', tags: { team: 'red', ...MARK } });
    await session.retag?.({ ...KEY, tags: { team: 'red' }, removed: ['old'] }, calm());
    expect(operationsOf(fake)).to.deep.equal(['GetSecret']);
  });

  it('a label that somebody adds at the same moment is kept', async () => {
    fake.plant({ name: NAME, value: 'v', tags: { old: 'y', ...MARK } });
    fake.addFault({ kind: 'changed-meanwhile', times: 1 });
    await session.retag?.({ ...KEY, tags: { team: 'red' }, removed: ['old'] }, calm());
    expect(fake.entries()[0]?.tags).to.deep.equal({ stranger: 'new', team: 'red', ...MARK });
  });

  it('labels that keep changing are left for a later attempt', async () => {
    fake.plant({ name: NAME, value: 'v', tags: MARK });
    fake.addFault({ kind: 'changed-meanwhile' });
    const failure = await failureOf(
      (async () => session.retag?.({ ...KEY, tags: { team: 'red' }, removed: [] }, calm()))(),
    );
    expect([failure.kind, failure.code]).to.deep.equal(['external', 'store_busy']);
  });

  it('a change of labels finds ours missing where somebody else made a secret meanwhile', async () => {
    fake.plant({ name: NAME, value: 'theirs', tags: { stranger: 'x' } });
    const retag = async (isTakenOver: boolean) =>
      session.retag?.({ ...KEY, tags: { team: 'red' }, removed: [], isTakenOver }, calm());
    expect((await failureOf(retag(false))).kind).to.equal('missing');
    expect(fake.entries()[0]?.tags).to.deep.equal({ stranger: 'x' });
    await retag(true);
    expect(fake.entries()[0]?.tags).to.deep.equal({ stranger: 'x', team: 'red', ...MARK });
  });

  it('a removal is one call, and one of what is gone succeeds', async () => {
    fake.plant({ name: NAME, value: 'v', tags: MARK, versions: 3 });
    await session.remove(KEY, calm());
    await session.remove(KEY, calm());
    expect(operationsOf(fake)).to.deep.equal(['DeleteSecret', 'DeleteSecret']);
    await session.put(entry({ value: 'again' }), calm());
    expect(fake.entries()[0]).to.deep.include({ value: 'again', versions: 1 });
  });

  it('nothing but the named entry is touched by any verb', async () => {
    for (const name of ['app', `${NAME}-2`, 'sealift-kv_1-app'])
      fake.plant({ name, value: name, tags: { team: 'red', ...MARK } });
    const others = () => JSON.stringify(fake.entries().filter(({ name }) => name !== NAME));
    const before = others();
    await session.put(entry(), calm());
    await session.put(entry({ value: 'new', expect: 'present' }), calm());
    await session.retag?.({ ...KEY, tags: { team: 'blue' }, removed: ['team'] }, calm());
    await session.remove(KEY, calm());
    await session.check(calm(), 'sealift-check');
    expect(others()).to.equal(before);
    expect(fake.entries()).to.have.length(3);
  });

  it('sixty creations at once each keep their own value', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `entry-${index}`);
    await Promise.all(names.map((name) => session.put(entry({ name, value: `value of ${name}` }), calm())));
    const values = Object.fromEntries(fake.entries().map(({ name, value }) => [name, value]));
    expect(values).to.deep.equal(Object.fromEntries(names.map((name) => [name, `value of ${name}`])));
  });
});
