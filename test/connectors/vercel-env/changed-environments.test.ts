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

  it('a destination whose environments change keeps its rows', async () => {
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
    expect((await driver.patch({ deployment_environments: ['preview'] })).status).to.equal(200);
    await eventually(() => rowsOf(fake, 'TOKEN').join() === 'preview=one');
    expect(rowOf(fake, 'TOKEN').id).to.equal(id);
  });
});
