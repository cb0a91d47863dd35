import { expect } from 'chai';
import type { IncidentAnswer } from '../../services/api/contract/summary.ts';
import { SHORT_LIMITS } from '../faults/short-limits.ts';
import { eventually } from '../support/eventually.ts';
import { cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../support/sandboxed.ts';

describe('a destination that fails for one cause after another', () => {
  let scene: Cloud1Scene;

  before(async () => {
    const limits = { ...SHORT_LIMITS, CALL_TIMEOUT: '10000', LEASE: '25000' };
    scene = await openCloud1Scene({ environment: limits });
    await scene.sealift.start('connector', cloud1Worker(scene.fake));
    await scene.driver.write('one', { v: 1 });
    await scene.driver.associate('one');
    await scene.driver.settles('one', 'SYNCED');
  });
  after(() => scene.close());

  const list = async (): Promise<IncidentAnswer[]> =>
    (await scene.sealift.client.get('/v1/sys/sync/incidents')).body.data.incidents;
  const ofCode = async (code: string): Promise<IncidentAnswer | undefined> =>
    (await list()).find(({ cause }) => cause.code === code);

  it('the incident of refused credentials ends with the last link that has them', async () => {
    const { driver, fake } = scene;
    fake.addFault({ kind: 'revoked' });
    await driver.write('one', { v: 2 });
    await eventually(async () =>
      expect(await ofCode('credentials_refused')).to.deep.include({ closed_at: null, associations: 1 }),
    );
    fake.clearFaults();
    fake.addFault({ kind: 'error', status: 500 });
    // At once: a change of the secret would wait for the next probe.
    await driver.associate('one');
    await driver.settles('one', 'EXTERNAL_SERVICE_ERROR');
    await eventually(async () =>
      expect(await ofCode('credentials_refused')).to.deep.include({
        associations: 0,
        ended: 'other_cause',
      }),
    );
    const open = (await list()).filter(({ closed_at: closed }) => closed === null);
    expect(open.map(({ cause }) => cause.class)).to.deep.equal(['EXTERNAL_SERVICE_ERROR']);
  });
});
