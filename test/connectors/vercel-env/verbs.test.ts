import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import type { HostingProjectSettings } from '../../../services/connectors/vercel-env/destination.ts';
import { destination } from '../../../services/connectors/vercel-env/destination.ts';
import { startHostingProjectFake, type HostingProjectFake } from '../../sandbox/vercel-env/fake.ts';
import { describeVerbs } from '../conformance/verbs.ts';
import { calm, entryOf, failureOf, MARK, openSession, operations, rowOf, rowsOf } from './support.ts';

describeVerbs({
  destination,
  startFake: () => startHostingProjectFake(),
  open: (fake, context) => openSession(fake, {}, context),
  name: 'TOKEN',
  keyOf: (fake, name) => ({ name, reference: `${rowOf(fake, name).id}/production` }),
  ours: { comment: MARK },
  other: { comment: 'sealift another-installation production' },
  created: { type: 'encrypted', target: ['production'], comment: MARK },
  updated: { type: 'encrypted', target: ['production'], comment: MARK },
  writes: { absent: 'createEnv', present: 'upsertEnv' },
  calls: {
    check: ['listEnv 200', 'removeEnv 404'],
    create: ['createEnv 201'],
    update: ['listEnv 200', 'upsertEnv 201'],
    read: ['getEnv 200'],
    readAbsent: ['listEnv 200'],
    remove: ['getEnv 200', 'removeEnv 200'],
    removeAbsent: ['getEnv 404', 'listEnv 200'],
  },
  refusesRepeat: true,
});

describe('hosting-project: environments, references and teams', () => {
  let fake: HostingProjectFake;
  const sessions: Session[] = [];

  async function open(settings: Partial<HostingProjectSettings> = {}): Promise<Session> {
    const session = await openSession(fake, settings);
    sessions.push(session);
    return session;
  }

  before(async () => {
    fake = await startHostingProjectFake();
  });
  afterEach(async () => {
    for (const session of sessions.splice(0)) await session.close?.();
    fake.reset();
  });
  after(() => fake.close());

  it('a name that is taken for further environments is never overwritten by a new entry', async () => {
    const session = await open();
    fake.plant({ name: 'TOKEN', value: 'theirs', target: ['preview', 'production'] });
    const error = await failureOf(session.put(entryOf('TOKEN', 'ours'), calm()));
    expect(error).to.include({ kind: 'exists', scope: 'entry' });
    expect(rowsOf(fake, 'TOKEN')).to.deep.equal(['preview+production=theirs']);
  });

  it('the same name in other environments or for one branch is not in the way', async () => {
    const session = await open({ deployment_environments: ['preview'] });
    fake.plant({ name: 'TOKEN', value: 'live', target: ['production'] });
    fake.plant({ name: 'TOKEN', value: 'branch', target: ['preview'], gitBranch: 'feature' });
    const { reference } = await session.put(entryOf('TOKEN', 'one'), calm());
    await session.put(entryOf('TOKEN', 'two', reference), calm());
    await session.remove({ name: 'TOKEN', reference }, calm());
    expect(rowsOf(fake, 'TOKEN')).to.deep.equal(['preview=branch', 'production=live']);
  });

  it('a sensitive variable is replaced in place and never read back', async () => {
    const session = await open({ sensitive: true });
    const { reference } = await session.put(entryOf('TOKEN', 'one'), calm());
    await session.put(entryOf('TOKEN', 'two', reference), calm());
    expect(rowOf(fake, 'TOKEN')).to.include({ value: 'two', type: 'sensitive' });
    const found = await session.read({ name: 'TOKEN', reference }, calm());
    expect(found).to.include({ owner: 'ours', value: null });
  });

  it('a read of a known variable is one call, and an unknown one takes the list first', async () => {
    const session = await open();
    const { reference } = await session.put(entryOf('TOKEN', 'one'), calm());
    fake.clearCalls();
    const found = await session.read({ name: 'TOKEN', reference }, calm());
    expect(found).to.include({ owner: 'ours', value: 'one', reference });
    expect(found?.changedAt?.getTime()).to.be.closeTo(Date.now(), 3000);
    expect(operations(fake)).to.deep.equal(['getEnv 200']);
    const { moves, staysIn, ...rest } = found ?? {};
    expect({ moves, staysIn }).to.deep.equal({ moves: { addedTo: [], removedFrom: [] }, staysIn: [] });
    expect(await session.read({ name: 'TOKEN', reference: null }, calm())).to.deep.equal(rest);
    expect(operations(fake).slice(1)).to.deep.equal(['listEnv 200', 'getEnv 200']);
  });

  it('an absent variable reads as null, also where the ledger knew one', async () => {
    const session = await open();
    expect(await session.read({ name: 'TOKEN', reference: null }, calm())).to.equal(null);
    expect(await session.read({ name: 'TOKEN', reference: 'gone/production' }, calm())).to.equal(null);
    expect(operations(fake)).to.deep.equal(['listEnv 200', 'getEnv 404', 'listEnv 200']);
  });

  it('a removal finds the row by its name where the reference was lost', async () => {
    const session = await open();
    await session.put(entryOf('TOKEN', 'one'), calm());
    await session.remove({ name: 'TOKEN', reference: null }, calm());
    expect(fake.entries()).to.deep.equal([]);
  });

  it('a project of a team is reached by team_id, and by its name as by its id', async () => {
    const session = await open({ team_id: 'team_acme', project_id: 'shop' });
    await session.check(calm(), 'sealift-check');
    await session.put(entryOf('TOKEN', 'one'), calm());
    expect(rowOf(fake, 'TOKEN')).to.include({ team: 'team_acme', project: 'prj_shop' });
  });

  it('an empty team_id means the account of the token', async () => {
    const session = await open({ team_id: '' });
    await session.put(entryOf('TOKEN', 'one'), calm());
    expect(rowOf(fake, 'TOKEN')).to.include({ team: '', project: 'prj_web' });
  });
});
