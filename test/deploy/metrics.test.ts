import { expect } from 'chai';
import { connect } from 'amqplib';
import { createMetrics } from '../../libs/metrics/metrics.ts';
import { createCodeLabels } from '../../libs/metrics/outcome.ts';
import type { Context } from '../../libs/service/context.ts';
import { startKeyMaintenance } from '../../services/key-maintenance/start.ts';
import { startSettingsWorker } from '../../services/settings/start.ts';
import { startCloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import type { Fake } from '../sandbox/contract.ts';
import { insertAssociations } from '../support/associations.ts';
import { eventually } from '../support/eventually.ts';
import { SHORT_LIMITS } from '../faults/short-limits.ts';
import { infrastructure } from '../support/infrastructure.ts';
import { cloud1Settings, cloud1Worker } from '../support/sandboxed.ts';
import { startSealift, type Sealift, type Starter } from '../support/sealift.ts';
import { createSyncDriver } from '../support/sync-driver.ts';

const SECRET = 'payroll-secret';
const DESTINATION = 'private-destination';
const VALUE = 'a-value-nobody-may-see';

describe('the metrics', () => {
  const contexts = new Map<string, Context>();
  let fake: Fake;
  let sealift: Sealift;

  const keep =
    (name: string, starter: Starter): Starter =>
    (context) => {
      contexts.set(name, context);
      return starter(context);
    };
  const scrape = async (name: string): Promise<string> => {
    const context = name === 'api' ? sealift.context : contexts.get(name);
    return (await context?.metrics.render())?.body ?? '';
  };
  /** The sum of all samples of a metric whose labels contain the given texts; undefined if there are none. */
  const read = async (service: string, metric: string, ...labels: string[]): Promise<number | undefined> => {
    const lines = (await scrape(service)).split('\n');
    const found = lines.filter(
      (line) => line.startsWith(`${metric}{`) && labels.every((label) => line.includes(label)),
    );
    return found.length === 0
      ? undefined
      : found.reduce((sum, line) => sum + Number(line.split(' ').pop()), 0);
  };

  before(async () => {
    fake = await startCloud1SmFake();
    sealift = await startSealift({
      environment: { ...SHORT_LIMITS, EGRESS_ALLOW: '127.0.0.0/8' },
      workers: {
        connector: keep('connector', cloud1Worker(fake)),
        settings: keep('settings', startSettingsWorker),
        'key-maintenance': keep('key-maintenance', startKeyMaintenance),
      },
    });
    const driver = createSyncDriver(sealift, 'cloud1-sm', DESTINATION);
    await driver.configure(cloud1Settings());
    await driver.write(SECRET, { password: VALUE });
    fake.addFault({ kind: 'error', times: 1, status: 500 });
    await driver.associate(SECRET);
    await driver.settles(SECRET, 'SYNCED');
    // Until it is stored: on a busy machine, a call may be given up before its answer.
    fake.addFault({ kind: 'throttle', retryAfterSeconds: 1 });
    await driver.write(SECRET, { password: `${VALUE}-2` });
    await driver.settles(SECRET, 'THROTTLED');
    fake.clearFaults();
    await driver.settles(SECRET, 'SYNCED');
  });

  after(async () => {
    await sealift?.stop();
    await fake?.close();
  });

  it('metrics count requests by route pattern and status', async () => {
    await sealift.client.get('/v1/secret/data/nothing-here');
    await eventually(async () =>
      expect(
        await read('api', 'sealift_http_requests_total', 'route="GET /~kv2/data/*path"', 'status="404"'),
      ).to.be.above(0),
    );
    expect(await read('api', 'sealift_http_request_seconds_count', 'service="api"')).to.be.above(3);
  });

  it('metrics count attempts by type, outcome and cause code, and what was retried', async () => {
    const type = 'type="cloud1-sm"';
    expect(
      await read('connector', 'sealift_sync_attempts_total', type, 'outcome="SETTLED"', 'code="none"'),
    ).to.be.above(0);
    const failed = await read(
      'connector',
      'sealift_sync_attempts_total',
      type,
      'outcome="EXTERNAL_SERVICE_ERROR"',
    );
    expect(failed).to.be.above(0);
    expect(await read('connector', 'sealift_sync_retries_total', type)).to.equal(failed);
    expect(await read('connector', 'sealift_sync_push_seconds_count', type, 'result="done"')).to.be.above(0);
    expect(await read('connector', 'sealift_sync_push_seconds_count', type, 'result="failed"')).to.be.above(
      0,
    );
  });

  it('metrics tell how long stores have asked to wait, apart from failures', async () => {
    expect(await read('connector', 'sealift_sync_attempts_total', 'outcome="THROTTLED"')).to.be.above(0);
    expect(await read('connector', 'sealift_sync_throttled_seconds_total', 'type="cloud1-sm"')).to.be.within(
      0.5,
      60,
    );
  });

  it('metrics tell the age of the oldest due association of a type without a worker', async () => {
    const { db } = sealift.context;
    expect(await read('connector', 'sealift_sync_due', 'type="cloud1-sm"')).to.equal(0);
    const [waiting] = await db('destinations')
      .insert({
        namespace_id: 'root',
        type: 'nobody-serves',
        name: 'n',
        settings: {},
        container: 'p',
        granularity: 'secret-path',
        secret_name_template: 't',
      })
      .returning('id');
    const mount: { id: number } = await db('mounts').first('id');
    const due_at = new Date(Date.now() - 3_600_000);
    await insertAssociations(db, [
      { destination_id: waiting.id, mount_id: mount.id, secret_path: SECRET, due_at },
    ]);
    const labels = ['type="nobody-serves"'];
    expect(await read('key-maintenance', 'sealift_sync_due', ...labels)).to.equal(1);
    expect(await read('key-maintenance', 'sealift_sync_oldest_due_seconds', ...labels)).to.be.within(
      3599,
      3700,
    );
    await sealift.client.patch('/v1/sys/sync/config', { disabled: true });
    expect(await read('key-maintenance', 'sealift_sync_due', ...labels), 'while disabled').to.equal(0);
    await sealift.client.patch('/v1/sys/sync/config', { disabled: false });
    await db('destinations')
      .where({ id: waiting.id })
      .update({ throttled_until: new Date(Date.now() + 60_000) });
    expect(await read('key-maintenance', 'sealift_sync_due', ...labels), 'while throttled').to.equal(0);
    expect(await read('key-maintenance', 'sealift_sync_throttled_destinations', ...labels)).to.equal(1);
    await db('associations').where({ destination_id: waiting.id }).delete();
    await db('destinations').where({ id: waiting.id }).delete();
  });

  it('metrics tell the depth of the queues, and what nobody could read', async () => {
    expect(await read('connector', 'sealift_queue_messages', 'queue="connector.cloud1-sm"')).to.equal(0);
    const connection = await connect(infrastructure().amqpUrl);
    const channel = await connection.createConfirmChannel();
    channel.sendToQueue(
      sealift.context.topology.connectorQueue('cloud1-sm'),
      Buffer.from('not a work notification'),
    );
    await channel.waitForConfirms();
    await connection.close();
    await eventually(async () => {
      expect(await read('key-maintenance', 'sealift_queue_messages', 'queue="dead-letters"')).to.equal(1);
      expect(await read('connector', 'sealift_dead_letters_total', 'queue="connector.cloud1-sm"')).to.equal(
        1,
      );
      return true;
    });
  });

  it('metrics tell the signing key’s age, the runs of jobs, the pool and the broker', async () => {
    await sealift.client.get('/.well-known/jwks');
    await eventually(async () => {
      expect(await read('key-maintenance', 'sealift_signing_key_age_seconds')).to.be.within(0, 60);
      expect(await read('key-maintenance', 'sealift_signing_keys')).to.equal(1);
      expect(await read('key-maintenance', 'sealift_jobs_total', 'outcome="succeeded"')).to.be.above(0);
      return true;
    });
    expect(await read('api', 'sealift_database_pool_connections', 'state="limit"')).to.equal(10);
    expect(await read('api', 'sealift_database_pool_waiting')).to.equal(0);
    for (const name of ['api', 'connector', 'settings', 'key-maintenance']) {
      expect(await read(name, 'sealift_broker_connected'), name).to.equal(1);
    }
  });

  it('metrics count email by outcome', async () => {
    const attributes = {
      enabled: true,
      host: '127.0.0.1',
      port: 1,
      sender: 'sealift@example.com',
      'test-email-address': 'somebody@example.com',
    };
    const answer = await sealift.client.patch('/api/v2/admin/smtp-settings', { data: { attributes } });
    expect(answer.status, answer.text).to.equal(500);
    expect(await read('settings', 'sealift_smtp_conversations_total', 'outcome="smtp_failed"')).to.equal(1);
  });

  it('labels hold no secret, no destination and no value', async () => {
    for (const name of ['api', ...contexts.keys()]) {
      const text = await scrape(name);
      expect(text).to.have.length.above(1000);
      for (const word of [SECRET, DESTINATION, VALUE, sealift.token]) expect(text, name).to.not.include(word);
    }
  });

  it('metrics leave out what cannot be read, rather than show an old value', async () => {
    const metrics = createMetrics({ service: 'test' });
    let isBroken = false;
    metrics.read(['signingKeys'], () => {
      if (isBroken) throw new Error('away');
      metrics.signingKeys.set(2);
    });
    expect((await metrics.render()).body).to.include('sealift_signing_keys{service="test"} 2');
    isBroken = true;
    const { body } = await metrics.render();
    expect(body).to.not.include('sealift_signing_keys{');
    expect(body).to.include('sealift_scrape_failures_total{reading="signingKeys",service="test"} 1');
  });

  it('the cause codes that may become labels are bounded', () => {
    const label = createCodeLabels();
    expect(label(undefined)).to.equal('none');
    expect(label('rate_limited')).to.equal('rate_limited');
    expect(label('Said: “no”')).to.equal('other');
    const labels = new Set(Array.from({ length: 1000 }, (_, index) => label(`code_${index}`)));
    expect(labels.size).to.be.below(202);
  });
});
