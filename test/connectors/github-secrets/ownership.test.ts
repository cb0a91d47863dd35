import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import { startRepoHostFake, type RepoHostFake } from '../../sandbox/github-secrets/fake.ts';
import { entryOf, never, openSession } from './support.ts';

const EARLIER = '2020-01-01T00:00:00Z';

describe('repo-host: ownership by times', () => {
  let fake: RepoHostFake;
  let session: Session;

  before(async () => {
    fake = await startRepoHostFake();
    session = await openSession(fake);
  });
  afterEach(() => fake.reset());
  after(async () => {
    await session.close?.();
    await fake.close();
  });

  const write = async (): Promise<string | null> =>
    (await session.put(entryOf('TOKEN', 'ours', 'absent'), never)).reference;
  const find = (reference: string | null) => session.findOwner?.({ name: 'TOKEN', reference }, never);
  const read = (reference: string | null) => session.read({ name: 'TOKEN', reference }, never);

  it('a secret that was made when we made it is ours', async () => {
    const reference = await write();
    expect(await find(reference)).to.include({ owner: 'ours', reference });
    expect(await read(reference)).to.include({ owner: 'ours', isChangedByOthers: false });
  });

  it('a secret that was made at another time is another one', async () => {
    const reference = await write();
    fake.reset();
    fake.plant({ name: 'TOKEN', value: 'theirs', createdAt: EARLIER });
    expect(await find(reference)).to.include({ owner: 'other' });
  });

  it('a change by somebody else is told though the value cannot be read', async () => {
    const reference = await write();
    const [createdAt] = reference?.split('/') ?? [];
    const former = `${createdAt}/${new Date(EARLIER).toISOString()}`;
    expect(await read(former)).to.include({ owner: 'ours', isChangedByOthers: true });
  });

  it('a write whose times could not be had succeeds', async () => {
    for (const kind of ['cut', 'stale-read']) {
      fake.reset();
      fake.addFault({ kind, operation: 'getSecret', times: 1 });
      const reference = await write();
      expect(reference).to.equal(null);
      expect(await find(reference)).to.include({ owner: 'unmarked' });
    }
  });
});
