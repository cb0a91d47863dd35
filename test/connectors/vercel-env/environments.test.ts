import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import type { HostingProjectSettings } from '../../../services/connectors/vercel-env/destination.ts';
import { startHostingProjectFake, type HostingProjectFake } from '../../sandbox/vercel-env/fake.ts';
import {
  calm,
  entryOf,
  failureOf,
  openSession,
  operations,
  outcomes,
  putAll,
  rowOf,
  rowsOf,
} from './support.ts';

type Environments = HostingProjectSettings['deployment_environments'];

describe('hosting-project: environments', () => {
  let fake: HostingProjectFake;
  const sessions: Session[] = [];

  async function open(...environments: Environments): Promise<Session> {
    const session = await openSession(fake, { deployment_environments: environments });
    sessions.push(session);
    return session;
  }

  async function write(session: Session, name: string, value = 'one'): Promise<string | null> {
    const { reference } = await session.put(entryOf(name, value), calm());
    fake.clearCalls();
    return reference;
  }

  before(async () => {
    fake = await startHostingProjectFake();
  });
  afterEach(async () => {
    for (const session of sessions.splice(0)) await session.close?.();
    fake.reset();
  });
  after(() => fake.close());

  for (const [before, after] of [
    [['production'], ['production', 'preview']],
    [['production', 'preview'], ['preview']],
    [['production'], ['development', 'preview']],
  ] as [Environments, Environments][]) {
    it(`an owned row follows from ${before.join('+')} to ${after.join('+')} with the same id`, async () => {
      const reference = await write(await open(...before), 'TOKEN');
      const { id } = rowOf(fake, 'TOKEN');
      const changed = await open(...after);
      const next = await changed.put(entryOf('TOKEN', 'two', reference), calm());
      expect(operations(fake)).to.deep.equal(['listEnv 200', 'editEnv 200']);
      expect(rowOf(fake, 'TOKEN')).to.deep.include({ id, value: 'two', target: after });
      fake.clearCalls();
      await changed.put(entryOf('TOKEN', 'three', next.reference), calm());
      expect(operations(fake)).to.deep.equal(['listEnv 200', 'upsertEnv 201']);
      expect(rowOf(fake, 'TOKEN')).to.include({ id, value: 'three' });
    });
  }

  it('the order of the environments makes no difference', async () => {
    const reference = await write(await open('production', 'preview'), 'TOKEN');
    await (await open('preview', 'production')).put(entryOf('TOKEN', 'two', reference), calm());
    expect(operations(fake)).to.deep.equal(['listEnv 200', 'upsertEnv 201']);
    expect(rowOf(fake, 'TOKEN').value).to.equal('two');
  });

  it('a row that the policy of the team made sensitive follows as such', async () => {
    fake.enforceSensitive();
    const reference = await write(await open('production'), 'TOKEN');
    const changed = await open('preview');
    const next = await changed.put(entryOf('TOKEN', 'two', reference), calm());
    expect(rowOf(fake, 'TOKEN')).to.deep.include({ value: 'two', type: 'sensitive', target: ['preview'] });
    await changed.put(entryOf('TOKEN', 'three', next.reference), calm());
    expect(rowOf(fake, 'TOKEN').value).to.equal('three');
  });

  it('many rows that must follow are listed once', async () => {
    const former = await open('production');
    const references = [await write(former, 'A'), await write(former, 'B'), await write(former, 'C')];
    const changed = await open('preview');
    const results = await putAll(
      changed,
      references.map((reference, index) => entryOf('ABC'.charAt(index), 'two', reference)),
    );
    expect(outcomes(results)).to.deep.equal(['written', 'written', 'written']);
    expect(operations(fake)).to.deep.equal(['listEnv 200', 'editEnv 200', 'editEnv 200', 'editEnv 200']);
  });

  it('a row cannot follow where another one has the environment, and both stay', async () => {
    const reference = await write(await open('production'), 'TOKEN');
    fake.plant({ name: 'TOKEN', value: 'theirs', target: ['preview'] });
    const changed = await open('production', 'preview');
    const error = await failureOf(changed.put(entryOf('TOKEN', 'two', reference), calm()));
    expect(error).to.include({ kind: 'client', code: 'blocked', scope: 'entry' });
    expect(rowsOf(fake, 'TOKEN')).to.deep.equal(['preview=theirs', 'production=one']);
  });

  it('a row that is gone when it should follow is reported missing', async () => {
    const reference = await write(await open('production'), 'TOKEN');
    fake.drop(rowOf(fake, 'TOKEN').id);
    const error = await failureOf((await open('preview')).put(entryOf('TOKEN', 'two', reference), calm()));
    expect(error.kind).to.equal('missing');
  });

  it('a row that a person gave a further environment keeps its value there', async () => {
    const session = await open('production');
    const reference = await write(session, 'TOKEN');
    fake.change(rowOf(fake, 'TOKEN').id, { target: ['production', 'preview'] });
    const error = await failureOf(session.put(entryOf('TOKEN', 'two', reference), calm()));
    expect(error).to.include({ kind: 'client', code: 'blocked', scope: 'entry' });
    expect(error.message).to.contain('Preview and Production');
    expect(rowsOf(fake, 'TOKEN')).to.deep.equal(['production+preview=one']);
  });

  it('a removal of such a row takes our environments from it and leaves the other', async () => {
    const session = await open('production');
    const reference = await write(session, 'TOKEN');
    fake.change(rowOf(fake, 'TOKEN').id, { target: ['production', 'preview'] });
    await session.remove({ name: 'TOKEN', reference }, calm());
    expect(operations(fake)).to.deep.equal(['getEnv 200', 'editEnv 200']);
    expect(rowsOf(fake, 'TOKEN')).to.deep.equal(['preview=one']);
    expect(rowOf(fake, 'TOKEN')['comment']).to.equal('');
  });

  it('a row that a person moved away or renamed is not removed', async () => {
    const session = await open('production');
    const moved = await write(session, 'MOVED');
    const renamed = await write(session, 'RENAMED');
    fake.change(rowOf(fake, 'MOVED').id, { target: ['preview'] });
    fake.change(rowOf(fake, 'RENAMED').id, { key: 'THEIRS' });
    await session.remove({ name: 'MOVED', reference: moved }, calm());
    await session.remove({ name: 'RENAMED', reference: renamed }, calm());
    expect(operations(fake)).to.deep.equal(['getEnv 200', 'getEnv 200']);
    expect([...rowsOf(fake, 'MOVED'), ...rowsOf(fake, 'THEIRS')]).to.deep.equal([
      'preview=one',
      'production=one',
    ]);
  });

  it('a row narrowed by a person gets its environments back with the next value', async () => {
    const session = await open('production', 'preview');
    const reference = await write(session, 'TOKEN');
    fake.change(rowOf(fake, 'TOKEN').id, { target: ['production'] });
    await session.put(entryOf('TOKEN', 'two', reference), calm());
    expect(operations(fake)).to.deep.equal(['listEnv 200', 'upsertEnv 201', 'listEnv 200', 'editEnv 200']);
    expect(rowsOf(fake, 'TOKEN')).to.deep.equal(['production+preview=two']);
  });

  it('a row that also serves a custom environment is left as it is', async () => {
    const session = await open('production');
    fake.plant({
      name: 'TOKEN',
      value: 'theirs',
      target: ['production'],
      customEnvironmentIds: ['env_staging'],
    });
    const found = await session.read({ name: 'TOKEN', reference: null }, calm());
    const error = await failureOf(session.put(entryOf('TOKEN', 'two', found?.reference), calm()));
    expect(error.code).to.equal('blocked');
    await session.remove({ name: 'TOKEN', reference: found?.reference ?? null }, calm());
    expect(rowsOf(fake, 'TOKEN')).to.deep.equal(['env_staging=theirs']);
  });
});
