import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import { destination } from '../../../services/connectors/google-secret-manager/destination.ts';
import { type Cloud3SmFake, startCloud3SmFake } from '../../sandbox/google-secret-manager/fake.ts';
import { describeVerbs } from '../conformance/verbs.ts';
import { calm, entry, failureOf, KEY, MARK, NAME, openSession } from './support.ts';

const UNREADABLE = Buffer.from([0xff, 0xfe, 0x00]).toString('base64');

describeVerbs({
  destination,
  startFake: () => startCloud3SmFake(),
  open: (fake, context) => openSession(fake, {}, context),
  name: NAME,
  reference: /^sealift-test\/only:\d+$/,
  ours: { tags: MARK },
  other: { tags: { 'sealift-installation': 'installation-two' } },
  theirs: { tags: { team: 'red' } },
  created: {
    tags: { team: 'red', ...MARK },
    project: 'sealift-test',
    replication: { automatic: {} },
    versions: 1,
  },
  updated: { tags: MARK, states: ['ENABLED', 'ENABLED'] },
  writes: { absent: 'AddSecretVersion', present: 'AddSecretVersion' },
  calls: {
    check: [
      'AccessSecretVersion 404',
      'AddSecretVersion 404',
      'CreateSecret 200',
      'DeleteSecret 200',
      'DeleteSecret 404',
      'GetSecret 404',
      'UpdateSecret 404',
    ],
    create: ['CreateSecret 200', 'AddSecretVersion 200'],
    update: ['AddSecretVersion 200'],
    read: ['GetSecret 200', 'AccessSecretVersion 200'],
    readAbsent: ['GetSecret 404'],
    remove: ['DeleteSecret 200'],
    removeAbsent: ['DeleteSecret 404'],
    retag: ['GetSecret 200', 'UpdateSecret 200'],
    addTag: ['GetSecret 200', 'UpdateSecret 200'],
    keepTags: ['GetSecret 200'],
  },
  refusesEmpty: true,
  hidesTime: true,
  refusesRepeat: true,
});

describe('cloud3-sm: projects, unreadable versions and changing labels', () => {
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
});
