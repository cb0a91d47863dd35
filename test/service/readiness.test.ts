import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { connect } from '../../libs/db/connect.ts';
import { migrate } from '../../libs/db/migrate.ts';
import { startProcess, type ServiceProcess } from '../support/child-process.ts';
import { eventually } from '../support/eventually.ts';
import { infrastructure } from '../support/infrastructure.ts';
import { startProxy, type Proxy } from '../support/proxy.ts';
import { setSynchronous, startPostgresPair, type PostgresPair } from '../support/postgres-pair.ts';

const STANDBY = 'Postgres is a standby and accepts no changes';

// Uses its own servers, because other tests would notice what happens to them. Each claim continues from the one before.
describe('the readiness of a process', () => {
  let pair: PostgresPair;
  let proxy: Proxy;
  let api: ServiceProcess;

  before(async () => {
    pair = await startPostgresPair();
    const db = connect({ url: pair.primary.url, poolSize: 1, name: 'test-readiness' });
    await migrate(db);
    await db.destroy();
    proxy = await startProxy(pair.primary.port);
    const url = new URL(pair.primary.url);
    url.port = String(proxy.port);
    api = await startProcess('programs/api/main.js', {
      DATABASE_URL: url.href,
      AMQP_URL: infrastructure().amqpUrl,
      AMQP_PREFIX: `test-${randomBytes(6).toString('hex')}`,
      SEALIFT_MASTER_KEY: randomBytes(32).toString('base64'),
      PORT: '0',
      LOG_LEVEL: 'silent',
    });
  });

  after(async () => {
    await api?.kill();
    await proxy?.close();
    await pair?.discard();
  });

  const missing = async (): Promise<string[]> => {
    const answer = await fetch(`${api.healthUrl}/health/ready`);
    const body = (await answer.json()) as { missing: string[] };
    expect(answer.status).to.equal(body.missing.length === 0 ? 200 : 503);
    return body.missing;
  };

  it('a process is not ready while its commits wait for a synchronous standby that is away', async () => {
    await setSynchronous(pair.primary, true);
    await pair.standby.stop();
    const waiting = pair.primary.query('CREATE TABLE waits ()').catch(() => undefined);
    await eventually(async () =>
      expect(await missing()).to.include('Postgres waits for a synchronous standby'),
    );
    await pair.standby.start();
    await eventually(async () => expect(await missing()).to.deep.equal([]));
    await waiting;
  });

  it('a process is not ready while its connections lead to a standby', async () => {
    proxy.lead(pair.standby.port);
    proxy.cut();
    await eventually(async () => expect(await missing()).to.deep.equal([STANDBY]));
    proxy.lead(pair.primary.port);
    proxy.cut();
    await eventually(async () => expect(await missing()).to.deep.equal([]));
  });
});
