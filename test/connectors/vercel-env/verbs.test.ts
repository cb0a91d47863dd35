import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import type { HostingProjectSettings } from '../../../services/connectors/vercel-env/destination.ts';
import { startHostingProjectFake, type HostingProjectFake } from '../../sandbox/vercel-env/fake.ts';
import { calm, entryOf, failureOf, MARK, openSession, operations, rowOf, rowsOf } from './support.ts';

describe('hosting-project: verbs', () => {
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

  it('a new variable is one call, and each update of it another after a look at the rows', async () => {
    const session = await open();
    const { reference } = await session.put(entryOf('TOKEN', 'one'), calm());
    const row = rowOf(fake, 'TOKEN');
    expect(row).to.deep.include({ value: 'one', type: 'encrypted', target: ['production'], comment: MARK });
    expect(reference).to.equal(`${row.id}/production`);
    expect(await session.put(entryOf('TOKEN', 'two', reference), calm())).to.deep.equal({ reference });
    expect(rowOf(fake, 'TOKEN')).to.include({ value: 'two', id: row.id });
    expect(operations(fake)).to.deep.equal(['createEnv 201', 'listEnv 200', 'upsertEnv 201']);
  });

  it('any text arrives unchanged: empty, several scripts, line ends, 64 KB', async () => {
    const session = await open();
    let { reference } = await session.put(entryOf('TOKEN', 'first'), calm());
    for (const value of ['', 'π ☃ 😀 \u0000\r\n\t', '{"a":1}', 'x'.repeat(64 * 1024)]) {
      ({ reference } = await session.put(entryOf('TOKEN', value, reference), calm()));
      expect(rowOf(fake, 'TOKEN').value).to.equal(value);
      expect((await session.read({ name: 'TOKEN', reference }, calm()))?.value).to.equal(value);
    }
  });

  it('a value above 64 KB is refused for its row', async () => {
    const session = await open();
    const error = await failureOf(session.put(entryOf('TOKEN', 'x'.repeat(64 * 1024 + 1)), calm()));
    expect(error).to.include({ kind: 'client', code: 'request_refused', scope: 'entry' });
    expect(error.message).to.contain('BAD_REQUEST');
  });

  it('a name that is taken is never overwritten by a new entry, whoever has it', async () => {
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

  it('a known variable that somebody deleted is missing, also beside a namesake', async () => {
    const session = await open();
    const { reference } = await session.put(entryOf('TOKEN', 'one'), calm());
    fake.drop(rowOf(fake, 'TOKEN').id);
    expect((await failureOf(session.put(entryOf('TOKEN', 'two', reference), calm()))).kind).to.equal(
      'missing',
    );
    fake.plant({ name: 'TOKEN', value: 'theirs', target: ['production'] });
    expect((await failureOf(session.put(entryOf('TOKEN', 'two', reference), calm()))).kind).to.equal(
      'missing',
    );
    expect(rowsOf(fake, 'TOKEN')).to.deep.equal(['production=theirs']);
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
    expect(await session.read({ name: 'TOKEN', reference: null }, calm())).to.deep.equal(found);
    expect(operations(fake).slice(1)).to.deep.equal(['listEnv 200', 'getEnv 200']);
  });

  it('an absent variable reads as null, also where the ledger knew one', async () => {
    const session = await open();
    expect(await session.read({ name: 'TOKEN', reference: null }, calm())).to.equal(null);
    expect(await session.read({ name: 'TOKEN', reference: 'gone/production' }, calm())).to.equal(null);
    expect(operations(fake)).to.deep.equal(['listEnv 200', 'getEnv 404', 'listEnv 200']);
  });

  it('a removal deletes the row it knows, and one that is gone already counts as removed', async () => {
    const session = await open();
    fake.plant({ name: 'OTHER', value: 'theirs' });
    const { reference } = await session.put(entryOf('TOKEN', 'one'), calm());
    fake.clearCalls();
    await session.remove({ name: 'TOKEN', reference }, calm());
    expect(operations(fake)).to.deep.equal(['getEnv 200', 'removeEnv 200']);
    await session.remove({ name: 'TOKEN', reference }, calm());
    expect(operations(fake).slice(2)).to.deep.equal(['getEnv 404', 'listEnv 200']);
    expect(fake.entries().map(({ name }) => name)).to.deep.equal(['OTHER']);
  });

  it('a removal finds the row by its name where the reference was lost', async () => {
    const session = await open();
    await session.put(entryOf('TOKEN', 'one'), calm());
    await session.remove({ name: 'TOKEN', reference: null }, calm());
    expect(fake.entries()).to.deep.equal([]);
  });

  it('a name can be used again at once after its removal', async () => {
    const session = await open();
    const { reference } = await session.put(entryOf('TOKEN', 'one'), calm());
    await session.remove({ name: 'TOKEN', reference }, calm());
    await session.put(entryOf('TOKEN', 'two'), calm());
    expect(rowsOf(fake, 'TOKEN')).to.deep.equal(['production=two']);
  });

  it('`check` lists the variables and deletes an id that cannot exist, and changes nothing', async () => {
    fake.plant({ name: 'OTHER', value: 'theirs' });
    const session = await open();
    await session.check(calm(), 'sealift-check');
    expect(operations(fake)).to.deep.equal(['listEnv 200', 'removeEnv 404']);
    expect(rowsOf(fake, 'OTHER')).to.deep.equal(['production=theirs']);
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
