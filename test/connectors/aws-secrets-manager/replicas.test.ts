import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import type { Cloud1SmSettings } from '../../../services/connectors/aws-secrets-manager/destination.ts';
import { type Cloud1SmFake, startCloud1SmFake } from '../../sandbox/aws-secrets-manager/fake.ts';
import { calm, entry, failureOf, MARK, NAME, openSession, operationsOf } from './support.ts';

const KEY_HERE = 'arn:aws:kms:eu-west-1:123456789012:key/one';
const KEY_THERE = 'arn:aws:kms:us-east-2:123456789012:key/two';

describe('cloud1-sm: keys and replicas', () => {
  let fake: Cloud1SmFake;
  const sessions: Session[] = [];

  before(async () => {
    fake = await startCloud1SmFake();
  });
  beforeEach(() => fake.reset());
  afterEach(async () => {
    for (const session of sessions.splice(0)) await session.close?.();
  });
  after(() => fake.close());

  async function open(settings: Partial<Cloud1SmSettings>): Promise<Session> {
    const session = await openSession(fake, settings);
    sessions.push(session);
    return session;
  }

  const stored = () => {
    const [one] = fake.entries();
    return { kmsKeyId: one?.['kmsKeyId'], replicas: one?.['replicas'], value: one?.value };
  };

  it('a creation brings its replicas with it, in the one call', async () => {
    const session = await open({
      kms_key_id: KEY_HERE,
      replica_regions: { 'us-east-2': KEY_THERE, 'eu-west-3': '' },
    });
    const { reference } = await session.put(entry(), calm());
    expect(operationsOf(fake)).to.deep.equal(['CreateSecret']);
    expect(stored()).to.deep.include({
      kmsKeyId: KEY_HERE,
      replicas: { 'us-east-2': KEY_THERE, 'eu-west-3': 'alias/aws/secretsmanager' },
    });
    expect(session.isOutdated?.({ name: NAME, reference })).to.equal(false);
    fake.clearCalls();
    await session.put(entry({ reference, value: 'new', expect: 'present' }), calm());
    expect(operationsOf(fake)).to.deep.equal(['PutSecretValue']);
  });

  const changes: [
    title: string,
    before: Partial<Cloud1SmSettings>,
    after: Partial<Cloud1SmSettings>,
    calls: string[],
  ][] = [
    ['a key', {}, { kms_key_id: KEY_HERE }, ['UpdateSecret']],
    ['another key', { kms_key_id: 'alias/x' }, { kms_key_id: KEY_HERE }, ['UpdateSecret']],
    ['no key', { kms_key_id: KEY_HERE }, {}, ['UpdateSecret']],
    [
      'a replica',
      {},
      { replica_regions: { 'us-east-2': KEY_THERE } },
      ['DescribeSecret', 'ReplicateSecretToRegions'],
    ],
    [
      'a replica less',
      { replica_regions: { 'us-east-2': '', 'eu-west-3': '' } },
      { replica_regions: { 'eu-west-3': '' } },
      ['DescribeSecret', 'RemoveRegionsFromReplication'],
    ],
    [
      'no replica',
      { replica_regions: { 'us-east-2': '' } },
      {},
      ['DescribeSecret', 'RemoveRegionsFromReplication'],
    ],
    [
      'another key of a replica',
      { replica_regions: { 'us-east-2': '', 'eu-west-3': '' } },
      { replica_regions: { 'us-east-2': KEY_THERE, 'eu-west-3': '' } },
      ['DescribeSecret', 'RemoveRegionsFromReplication', 'ReplicateSecretToRegions'],
    ],
  ];
  for (const [title, before, after, calls] of changes)
    it(`a change of the settings to ${title} is seen without a call and followed`, async () => {
      const { reference } = await (await open(before)).put(entry(), calm());
      const session = await open(after);
      expect(session.isOutdated?.({ name: NAME, reference })).to.equal(true);
      const left = Object.keys(after.replica_regions ?? {});
      const lost = Object.keys(before.replica_regions ?? {}).filter((region) => !left.includes(region));
      expect(session.removedFrom?.({ name: NAME, reference })).to.have.members(lost);
      fake.clearCalls();
      const written = await session.put(entry({ reference, value: 'new', expect: 'present' }), calm());
      expect(operationsOf(fake)).to.deep.equal([...calls, 'PutSecretValue']);
      expect(session.isOutdated?.({ name: NAME, reference: written.reference })).to.equal(false);
      const replicas = Object.entries(after.replica_regions ?? {}).map(([region, key]) => [
        region,
        key === '' ? 'alias/aws/secretsmanager' : key,
      ]);
      expect(stored()).to.deep.equal({
        kmsKeyId: after.kms_key_id ?? null,
        replicas: Object.fromEntries(replicas),
        value: 'new',
      });
    });

  it('a replica that somebody else made stays when the settings change', async () => {
    const { reference } = await (await open({ replica_regions: { 'us-east-2': '' } })).put(entry(), calm());
    const other = await open({ replica_regions: { 'us-east-2': '', 'eu-west-3': '' } });
    await other.put(entry({ reference, expect: 'present' }), calm());
    const session = await open({ replica_regions: { 'us-east-2': '', 'eu-north-1': '' } });
    await session.put(entry({ reference, expect: 'present' }), calm());
    expect(Object.keys(stored().replicas as object)).to.have.members([
      'us-east-2',
      'eu-west-3',
      'eu-north-1',
    ]);
  });

  for (const [title, settings] of [
    ['at once', {}],
    ['with a recovery window', { recovery_window_in_days: 7 }],
  ] as const)
    it(`a deletion ${title} removes the replicas before the secret itself`, async () => {
      const session = await open({ replica_regions: { 'us-east-2': '' }, ...settings });
      const { reference } = await session.put(entry(), calm());
      fake.clearCalls();
      await session.remove({ name: NAME, reference }, calm());
      expect(operationsOf(fake).slice(-2)).to.deep.equal(['RemoveRegionsFromReplication', 'DeleteSecret']);
      expect(fake.entries().filter(({ deletedAt }) => deletedAt === null)).to.have.length(0);
    });

  it('a secret that is taken back from its deletion has its key and its replicas again', async () => {
    const settings = {
      kms_key_id: KEY_HERE,
      replica_regions: { 'us-east-2': '' },
      recovery_window_in_days: 7,
    };
    const session = await open(settings);
    const { reference } = await session.put(entry(), calm());
    await session.remove({ name: NAME, reference }, calm());
    const again = await session.put(entry({ value: 'again' }), calm());
    expect(again.reference).to.equal(reference);
    expect(stored()).to.deep.equal({
      kmsKeyId: KEY_HERE,
      replicas: { 'us-east-2': 'alias/aws/secretsmanager' },
      value: 'again',
    });
  });

  it('a name that is taken where a replica shall be is told, and fixed there it is followed', async () => {
    fake.plant({ name: NAME, value: 'theirs', region: 'us-east-2' });
    const session = await open({ replica_regions: { 'us-east-2': '' } });
    const failure = await failureOf(session.put(entry(), calm()));
    expect([failure.code, failure.partly]).to.deep.equal(['replica_failed', true]);
    expect(failure.message).to.contain('us-east-2');
    const here = fake.entries().find(({ region }) => region === 'eu-west-1');
    const known = { reference: String(here?.['arn']), expect: 'present' as const };
    expect((await failureOf(session.put(entry(known), calm()))).code).to.equal('replica_failed');
    expect(fake.entries().find(({ region }) => region === 'us-east-2')?.value).to.equal('theirs');
    const there = await open({ region: 'us-east-2' });
    await there.remove({ name: NAME, reference: String(fake.entries()[0]?.['arn']) }, calm());
    await session.put(entry(known), calm());
    expect((await there.read({ name: NAME, reference: null }, calm()))?.value).to.equal('{"a":"1"}');
  });

  it('a change of tags keeps what the ledger knows of key and replicas', async () => {
    const session = await open({ kms_key_id: KEY_HERE });
    const { reference } = await session.put(entry(), calm());
    const tagged = await session.retag?.({ name: NAME, reference, tags: { a: 'b' }, removed: [] }, calm());
    expect(tagged?.reference).to.equal(reference);
    expect(fake.entries()[0]?.tags).to.deep.equal({ a: 'b', ...MARK });
  });

  it('a check names the permissions for key and replicas that are missing', async () => {
    const session = await open({ kms_key_id: KEY_HERE, replica_regions: { 'us-east-2': '' } });
    const operation = ['UpdateSecret', 'ReplicateSecretToRegions', 'RemoveRegionsFromReplication'];
    fake.addFault({ kind: 'denied', operation });
    const { message } = await failureOf(session.check(calm(), 'sealift-check'));
    for (const name of operation) expect(message).to.contain(`secretsmanager:${name}`);
  });
});
