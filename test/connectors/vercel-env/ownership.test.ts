import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import { startHostingProjectFake, type HostingProjectFake } from '../../sandbox/vercel-env/fake.ts';
import { calm, entryOf, failureOf, INSTALLATION, MARK, openSession, rowOf, rowsOf } from './support.ts';

const unknown = { name: 'TOKEN', reference: null };

describe('hosting-project: ownership', () => {
  let fake: HostingProjectFake;
  let session: Session;

  before(async () => {
    fake = await startHostingProjectFake();
  });
  beforeEach(async () => {
    session = await openSession(fake);
  });
  afterEach(async () => {
    await session.close?.();
    fake.reset();
  });
  after(() => fake.close());

  for (const [comment, owner] of [
    [MARK, 'ours'],
    [`${MARK} (rotated by the nightly job)`, 'ours'],
    [`sealift ${INSTALLATION} preview+production`, 'other'],
    ['sealift another-installation production', 'other'],
    ['', 'unmarked'],
    ['database of the shop', 'unmarked'],
    [`sealift ${INSTALLATION}`, 'unmarked'],
  ] as const) {
    it(`the comment "${comment}" reads as ${owner}`, async () => {
      fake.plant({ name: 'TOKEN', value: 'x', comment });
      expect((await session.read(unknown, calm()))?.owner).to.equal(owner);
    });
  }

  it('our row of the ledger stays ours when the environments of the destination change', async () => {
    const { reference } = await session.put(entryOf('TOKEN', 'one'), calm());
    const changed = await openSession(fake, { deployment_environments: ['preview', 'production'] });
    expect((await changed.read({ name: 'TOKEN', reference }, calm()))?.owner).to.equal('ours');
    expect((await changed.read(unknown, calm()))?.owner).to.equal('other');
    await changed.close?.();
  });

  it('two destinations that overlap do not take each other’s rows', async () => {
    await session.put(entryOf('TOKEN', 'one'), calm());
    const wider = await openSession(fake, { deployment_environments: ['preview', 'production'] });
    expect((await failureOf(wider.put(entryOf('TOKEN', 'two'), calm()))).kind).to.equal('exists');
    expect((await wider.read(unknown, calm()))?.owner).to.equal('other');
    await wider.remove(unknown, calm());
    expect(rowsOf(fake, 'TOKEN')).to.deep.equal(['production=one']);
    await wider.close?.();
  });

  it('a foreign row that may be overwritten is taken over in place, with our mark', async () => {
    fake.plant({ name: 'TOKEN', value: 'theirs', type: 'plain', comment: 'by hand' });
    const { id } = rowOf(fake, 'TOKEN');
    const found = await session.read(unknown, calm());
    expect(found).to.include({ owner: 'unmarked', value: 'theirs' });
    await session.put(entryOf('TOKEN', 'ours', found?.reference), calm());
    expect(rowOf(fake, 'TOKEN')).to.include({ id, value: 'ours', comment: MARK, type: 'encrypted' });
  });

  it('a foreign row that is sensitive is taken over as such', async () => {
    fake.plant({ name: 'TOKEN', value: 'theirs', type: 'sensitive' });
    const found = await session.read(unknown, calm());
    await session.put(entryOf('TOKEN', 'mine', found?.reference), calm());
    expect(rowOf(fake, 'TOKEN')).to.include({ value: 'mine', type: 'sensitive', comment: MARK });
  });

  it('a foreign row for fewer environments is taken over and widened', async () => {
    const wider = await openSession(fake, { deployment_environments: ['production', 'preview'] });
    fake.plant({ name: 'TOKEN', value: 'theirs' });
    const found = await wider.read(unknown, calm());
    await wider.put(entryOf('TOKEN', 'ours', found?.reference), calm());
    expect(rowsOf(fake, 'TOKEN')).to.deep.equal(['production+preview=ours']);
    await wider.close?.();
  });

  it('a foreign row for further environments is not taken over, whatever the policy', async () => {
    fake.plant({ name: 'TOKEN', value: 'theirs', target: ['production', 'preview'] });
    const found = await session.read(unknown, calm());
    const error = await failureOf(session.put(entryOf('TOKEN', 'ours', found?.reference), calm()));
    expect(error).to.include({ kind: 'client', code: 'blocked' });
    expect(rowsOf(fake, 'TOKEN')).to.deep.equal(['production+preview=theirs']);
  });

  it('the row of another destination of ours is not narrowed by one that overlaps', async () => {
    const wider = await openSession(fake, { deployment_environments: ['preview', 'production'] });
    await wider.put(entryOf('TOKEN', 'one'), calm());
    const found = await session.read(unknown, calm());
    expect(found?.owner).to.equal('other');
    const error = await failureOf(session.put(entryOf('TOKEN', 'two', found?.reference), calm()));
    expect(error.code).to.equal('blocked');
    expect(rowsOf(fake, 'TOKEN')).to.deep.equal(['preview+production=one']);
    await wider.close?.();
  });

  it('a foreign row among several in the way is shown', async () => {
    const wider = await openSession(fake, { deployment_environments: ['preview', 'production'] });
    fake.plant({ name: 'TOKEN', value: 'a', comment: `sealift ${INSTALLATION} preview+production` });
    fake.plant({ name: 'TOKEN', value: 'b', target: ['preview'] });
    expect(await wider.read(unknown, calm())).to.include({ owner: 'unmarked', value: 'b' });
    await wider.close?.();
  });

  it('only our own row is removed without a reference', async () => {
    for (const comment of ['', 'sealift another-installation production'])
      fake.plant({ name: 'TOKEN', value: 'theirs', comment, project: comment ? 'prj_web' : 'prj_shop' });
    await session.remove(unknown, calm());
    expect(fake.callsOf('removeEnv')).to.deep.equal([]);
    expect(fake.entries()).to.have.length(2);
  });

  it('a stale answer never leads to a foreign row being overwritten', async () => {
    const { reference } = await session.put(entryOf('TOKEN', 'one'), calm());
    await session.put(entryOf('TOKEN', 'two', reference), calm());
    fake.addFault({ kind: 'stale-read', operation: 'getEnv', times: 1 });
    expect((await session.read({ name: 'TOKEN', reference }, calm()))?.value).to.equal('one');
    fake.reset();
    fake.plant({ name: 'OTHER', value: 'x' });
    fake.addFault({ kind: 'stale-read', operation: 'listEnv' });
    expect(await session.read({ name: 'OTHER', reference: null }, calm())).to.equal(null);
    expect((await failureOf(session.put(entryOf('OTHER', 'ours'), calm()))).kind).to.equal('exists');
    expect(rowsOf(fake, 'OTHER')).to.deep.equal(['production=x']);
  });
});
