import { VercelCore } from '@vercel/sdk/core.js';
import { projectsCreateProjectEnv } from '@vercel/sdk/funcs/projectsCreateProjectEnv.js';
import { projectsEditProjectEnv } from '@vercel/sdk/funcs/projectsEditProjectEnv.js';
import { projectsFilterProjectEnvs } from '@vercel/sdk/funcs/projectsFilterProjectEnvs.js';
import { projectsGetProjectEnv } from '@vercel/sdk/funcs/projectsGetProjectEnv.js';
import { projectsRemoveProjectEnv } from '@vercel/sdk/funcs/projectsRemoveProjectEnv.js';
import { expect } from 'chai';
import { startHostingProjectFake, type HostingProjectFake } from '../../sandbox/vercel-env/fake.ts';
import { calm, entryOf, openSession, outcomes, putAll, rowOf, TOKEN } from './support.ts';

describe('hosting-project: the SDK and its answers', () => {
  let fake: HostingProjectFake;

  before(async () => {
    fake = await startHostingProjectFake({ pageSize: 4 });
  });
  afterEach(() => fake.reset());
  after(() => fake.close());

  it('the SDK itself accepts what the fake answers to calls on rows', async () => {
    const sdk = new VercelCore({ bearerToken: TOKEN, serverURL: fake.url });
    const idOrName = 'prj_web';
    const row = { key: 'A', value: 'one', type: 'encrypted' as const, target: ['production' as const] };
    expect((await projectsCreateProjectEnv(sdk, { idOrName, requestBody: [row, row] })).ok).to.equal(true);
    const single = await projectsCreateProjectEnv(sdk, { idOrName, requestBody: { ...row, key: 'B' } });
    expect(single.ok).to.equal(true);
    const { id } = rowOf(fake, 'A');
    expect((await projectsGetProjectEnv(sdk, { idOrName, id })).ok).to.equal(true);
    expect((await projectsEditProjectEnv(sdk, { idOrName, id, requestBody: { value: 'two' } })).ok).to.equal(
      true,
    );
    expect((await projectsRemoveProjectEnv(sdk, { idOrName, id })).ok).to.equal(true);
  });

  it('a list as the vendor really gives it is refused by the SDK and read by the connector', async () => {
    fake.plant({ name: 'TOKEN', value: 'one' });
    const sdk = new VercelCore({ bearerToken: TOKEN, serverURL: fake.url });
    const list = await projectsFilterProjectEnvs(sdk, { idOrName: 'prj_web' });
    expect(list.ok).to.equal(false);
    if (!list.ok) expect(list.error.name).to.equal('ResponseValidationError');
    const session = await openSession(fake);
    const found = await session.read({ name: 'TOKEN', reference: null }, calm());
    expect(found).to.include({ owner: 'unmarked', value: 'one' });
    await session.close?.();
  });

  it('a list in pages is read to its end', async () => {
    const session = await openSession(fake);
    const names = Array.from({ length: 10 }, (_, index) => `NAME_${index}`);
    const entries = names.map((name) => entryOf(name, name));
    expect(new Set(outcomes(await putAll(session, entries)))).to.deep.equal(new Set(['written']));
    fake.clearCalls();
    const found = await session.read({ name: 'NAME_0', reference: null }, calm());
    expect(found).to.include({ owner: 'ours', value: 'NAME_0' });
    expect(fake.callsOf('listEnv')).to.have.length(3);
    expect(await session.read({ name: 'NAME_X', reference: null }, calm())).to.equal(null);
    await session.close?.();
  });
});
