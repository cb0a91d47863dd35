import { expect } from 'chai';
import { startHostingProjectFake, type HostingProjectFake } from '../../sandbox/vercel-env/fake.ts';
import { eventually } from '../../support/eventually.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { createSyncDriver } from '../../support/sync-driver.ts';
import { vercelWorker } from '../../support/vercel-worker.ts';
import { rowOf, rowsOf } from './support.ts';

describe('hosting-project: changed environments', () => {
  let fake: HostingProjectFake;
  let sealift: Sealift;

  before(async () => {
    fake = await startHostingProjectFake();
    sealift = await startSealift({ workers: { connector: vercelWorker(fake) } });
  });
  after(async () => {
    await sealift.stop();
    await fake.close();
  });

  it('rows whose environments change stay the same rows, and the plan says they are updated', async () => {
    const driver = createSyncDriver(sealift, 'hosting-project', 'web');
    await driver.configure({
      access_token: 'vcp_valid',
      project_id: 'prj_web',
      deployment_environments: ['production'],
      secret_name_template: '{{ .SecretKey }}',
    });
    await driver.write('app', { TOKEN: 'one' });
    await driver.associate('app');
    await driver.settles('app', 'SYNCED');
    const { id } = rowOf(fake, 'TOKEN');
    const totals = async (destination: object) => {
      const plan = await sealift.client.post(`${driver.path}/plan`, { destination, look: true });
      return plan.body.data.totals;
    };
    expect(await totals({ deployment_environments: ['preview'] })).to.deep.equal({ update: 1 });
    expect(await totals({ deployment_environments: ['production'] })).to.deep.equal({ unchanged: 1 });
    expect((await driver.patch({ deployment_environments: ['preview'] })).status).to.equal(200);
    await eventually(() => rowsOf(fake, 'TOKEN').join() === 'preview=one');
    expect(rowOf(fake, 'TOKEN').id).to.equal(id);
    const both = { deployment_environments: ['production', 'preview'] };
    expect(await totals(both)).to.deep.equal({ update: 1 });
    fake.plant({ name: 'TOKEN', value: 'theirs', target: ['production'] });
    expect(await totals(both)).to.deep.equal({ conflict: 1 });
    // Also where its value changes anyway.
    await sealift.client.post(`${driver.path}/pause`, {});
    await driver.write('app', { TOKEN: 'two' });
    expect(await totals(both)).to.deep.equal({ conflict: 1 });
  });
});
