import { connect } from 'amqplib';
import { expect } from 'chai';
import { assertEvents, createTopology } from '../../libs/queue/topology.ts';
import { eventually } from '../support/eventually.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { runCommand } from './support.ts';

type Recovered = { token: string; accessor: string; ttl_seconds: number };

describe('the recovery of a root token', () => {
  // Each command runs in its own process.
  let sealift: Sealift;

  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  const run = (words: string, environment: Record<string, string> = {}) =>
    runCommand(`recover root-token --json ${words}`.trim().split(' '), {
      ...sealift.environment,
      ...environment,
    });

  it('an operator whose last root token was revoked gets a root token that ends by itself', async () => {
    expect((await sealift.client.post('/v1/auth/token/revoke-self', {})).status).to.equal(204);
    expect((await sealift.client.get('/v1/auth/token/lookup-self')).status).to.equal(403);
    const { stdout, stderr, code } = await run('--ttl 15m');
    expect(code, stderr).to.equal(0);
    const { token, accessor, ttl_seconds } = JSON.parse(stdout) as Recovered;
    expect(ttl_seconds).to.equal(900);
    const own = await sealift.client.get('/v1/auth/token/lookup-self', { token });
    expect(own.status, own.text).to.equal(200);
    expect(own.body.data).to.deep.include({ policies: ['root'], accessor, renewable: false });
    expect(own.body.data.ttl).to.be.within(1, 900);
    const lasting = await sealift.client.post(
      '/v1/auth/token/create-orphan',
      { policies: ['root'], ttl: '48h' },
      { token },
    );
    expect(lasting.body.auth.lease_duration).to.equal(172_800);
  });

  it('the audit trail tells of each recovery, and holds no token', async () => {
    const { token, accessor } = JSON.parse((await run('')).stdout) as Recovered;
    const path = '/api/v2/admin/audit-events?filter%5Baction%5D=recover%20root%20token';
    const trail = await sealift.client.get(path, { token });
    expect(trail.status, trail.text).to.equal(200);
    expect(trail.text).to.not.include(token);
    const [newest] = trail.body.data;
    expect(newest.attributes).to.deep.include({ actor: 'operator', outcome: 'succeeded', accessor: null });
    expect(newest.attributes.detail).to.deep.include({ accessor, ttl_seconds: 3600 });
  });

  it('an event tells other services of a recovery', async () => {
    const { AMQP_URL = '', AMQP_PREFIX = '' } = sealift.environment;
    const connection = await connect(AMQP_URL);
    try {
      const channel = await connection.createChannel();
      const { events } = createTopology({ AMQP_PREFIX, AMQP_URL });
      await assertEvents(channel, events);
      const { queue } = await channel.assertQueue('', { exclusive: true });
      await channel.bindQueue(queue, events, 'root-token.recovered');
      const { token, accessor } = JSON.parse((await run('--ttl 60')).stdout) as Recovered;
      let body = '';
      await eventually(async () => {
        const message = await channel.get(queue, { noAck: true });
        if (message) body = message.content.toString();
        return body !== '';
      });
      expect(JSON.parse(body)).to.deep.include({ accessor, ttl_seconds: 60 });
      expect(body).to.not.include(token);
    } finally {
      await connection.close();
    }
  });

  it('a recovery works while RabbitMQ is away, and says that no event was published', async () => {
    const { stdout, stderr, code } = await run('', { AMQP_URL: 'amqp://127.0.0.1:1' });
    expect(code, stderr).to.equal(0);
    expect((JSON.parse(stdout) as Recovered).token).to.match(/^slt\./);
    expect(stderr).to.include('no event was published');
  });

  it('a wrong master key recovers nothing', async () => {
    const count = async () => Number((await sealift.context.db('tokens').count().first())?.['count']);
    const before = await count();
    const { stdout, code } = await run('', { SEALIFT_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') });
    expect(code).to.not.equal(0);
    expect(stdout).to.equal('');
    expect(await count()).to.equal(before);
  });

  for (const ttl of ['0', '25h', 'soon', '-1h']) {
    it(`the lifetime ${ttl} is refused`, async () => {
      const { code, stderr } = await run(`--ttl=${ttl}`);
      expect(code, stderr).to.equal(2);
      expect(stderr).to.include('from 1s to 24h');
    });
  }
});
