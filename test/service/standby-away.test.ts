import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { openFailoverStage, type FailoverStage } from '../support/failover-stage.ts';
import { setSynchronous } from '../support/postgres-pair.ts';

describe('a synchronous standby that is away', () => {
  let stage: FailoverStage;
  before(async () => {
    stage = await openFailoverStage({ DATABASE_POOL_SIZE: '2' });
    await setSynchronous(stage.pair.primary, true);
  });
  after(() => stage?.stop());

  const missing = async (): Promise<string[]> => (await stage.client.get('/health/ready')).body.missing;

  it('readiness names it while commits that wait for it hold all connections', async () => {
    await stage.pair.standby.stop();
    const writes = Array.from({ length: 8 }, (_, number) =>
      stage.client.post(`/v1/secret/data/held${number}`, { data: { a: 1 } }),
    );
    const reason = 'Postgres waits for a synchronous standby';
    await eventually(async () => expect(await missing()).to.deep.equal([reason]));
    await stage.pair.standby.start();
    await Promise.all(writes);
    await eventually(async () => expect(await missing()).to.deep.equal([]));
  });
});
