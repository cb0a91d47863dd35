import { expect } from 'chai';
import { choosePort } from '../../deploy/local/ports.ts';
import { startProcess, type ServiceProcess } from '../support/child-process.ts';
import { createClient, type Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

const CONFIG = '/v1/sys/sync/config';

describe('an API process that freezes inside a transaction', function () {
  let sealift: Sealift;
  let frozen: ServiceProcess;
  let itsClient: Client;

  before(async () => {
    sealift = await startSealift();
    const port = await choosePort(undefined);
    frozen = await startProcess('programs/api/main.js', { ...sealift.environment, PORT: String(port) });
    itsClient = createClient(`http://127.0.0.1:${port}`, sealift.token);
  });
  after(async () => {
    await frozen?.kill();
    await sealift.stop();
  });

  it('a frozen API process loses its locked rows to other replicas, and works again', async () => {
    const { db } = sealift.context;
    const holder = await db.transaction();
    await holder.raw('SELECT 1 FROM sync_config FOR UPDATE');
    const lost = itsClient.patch(CONFIG, { queue_capacity: 5 }).then(
      ({ status }) => status,
      () => 0,
    );
    await eventually(async () => {
      // Only this statement: others of the installation may wait for a moment too.
      const waiting = db('pg_stat_activity')
        .whereRaw('datname = current_database()')
        .where({ state: 'active', query: 'SELECT 1 FROM sync_config FOR UPDATE' });
      return (await waiting.where('wait_event_type', 'Lock')).length === 1;
    });
    frozen.pause();
    // The frozen process gets the lock and does nothing with it.
    await holder.rollback();
    const answer = await sealift.client.patch(CONFIG, { queue_capacity: 7 });
    expect(answer.status, answer.text).to.equal(200);
    frozen.resume();
    expect(await lost).to.be.oneOf([0, 500, 503]);
    await eventually(async () => {
      const read = await itsClient.get(CONFIG);
      expect(read.status, read.text).to.equal(200);
      expect(read.body.data.queue_capacity).to.equal(7);
      return true;
    });
  });
});
