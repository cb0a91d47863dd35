import { expect } from 'chai';
import { startConnectorWorker } from '../../libs/sync/worker.ts';
import { connector } from '../../services/connectors/aws-secrets-manager/connector.ts';
import { destination } from '../../services/connectors/aws-secrets-manager/destination.ts';
import { eventually } from '../support/eventually.ts';
import { cloud1Environment, cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../support/sandboxed.ts';

// The worker starts when all associations are due, so its first claim takes all of them.
describe('secrets in one claim', () => {
  let fake: Cloud1Scene['fake'];
  let sealift: Cloud1Scene['sealift'];
  let driver: Cloud1Scene['driver'];
  let close: Cloud1Scene['close'];

  beforeEach(async () => {
    ({ fake, sealift, driver, close } = await openCloud1Scene());
  });

  afterEach(() => close());

  const queue = async (secret: string, value: string): Promise<void> => {
    await driver.write(secret, { value });
    const answer = await sealift.client.post(
      `${driver.path}/associations/set`,
      { mount: 'secret', secret_name: secret },
      { headers: { prefer: 'respond-async' } },
    );
    expect(answer.status, answer.text).to.be.oneOf([200, 202]);
  };
  const outside = (): string[] =>
    fake
      .entries()
      .map(({ name }) => name)
      .toSorted();

  it('only the first of two secrets that want one name has it', async () => {
    for (const secret of ['red/db', 'blue/db', 'red/api', 'blue/web']) await queue(secret, secret);
    expect((await driver.patch({ secret_name_template: '{{ .SecretBaseName }}' })).status).to.equal(200);
    await sealift.start('worker', cloud1Worker(fake));
    await driver.settles('red/api', 'SYNCED');
    await driver.settles('blue/web', 'SYNCED');
    await eventually(async () => {
      const both = (await driver.records()).filter(({ secret_name: secret }) => secret.endsWith('/db'));
      expect(both.map(({ sync_status: status }) => status)).to.have.members(['SYNCED', 'CLIENT_SIDE_ERROR']);
      expect(both.find(({ cause }) => cause)?.cause?.code).to.equal('name_collision');
      const winner = both.find(({ cause }) => !cause)?.secret_name;
      expect(fake.entries().find(({ name }) => name === 'db')?.value).to.equal(`{"value":"${winner}"}`);
      return true;
    });
    expect(outside()).to.deep.equal(['api', 'db', 'web']);
  });

  it('several claims take more bytes than one may hold, and all of them arrive', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `big/${index}`);
    for (const name of names) await queue(name, 'x'.repeat(1_000_000));
    await queue('small', 'y');
    await sealift.start('worker', cloud1Worker(fake));
    for (const name of names) {
      const [record] = await driver.settles(name, 'CLIENT_SIDE_ERROR');
      expect(record?.cause?.code).to.equal('value_too_large');
    }
    await driver.settles('small', 'SYNCED');
    expect(outside()).to.deep.equal(['small']);
  });

  it('a secret that cannot be opened holds up none of the others in its claim', async () => {
    for (const secret of ['one', 'two', 'three']) await queue(secret, secret);
    await sealift.context
      .db('secret_versions')
      .whereIn('secret_id', sealift.context.db('secrets').where({ path: 'two' }).select('id'))
      .update({ sealed: Buffer.alloc(200, 1) });
    await sealift.start('worker', cloud1Worker(fake));
    await driver.settles('one', 'SYNCED');
    await driver.settles('three', 'SYNCED');
    const [failed] = await driver.settles('two', 'INTERNAL_ERROR');
    expect(failed?.cause?.code).to.equal('unseal_failed');
    expect(outside()).to.deep.equal(['one', 'three']);
  });

  it('secrets of one claim are pushed by one connection, which is opened once', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `app${index}`);
    for (const name of names) await queue(name, name);
    let opened = 0;
    const counted: typeof connector = {
      open(settings, context) {
        opened += 1;
        return connector.open(settings, context);
      },
    };
    const environment = cloud1Environment(fake);
    await sealift.start('worker', (context) =>
      startConnectorWorker(
        context,
        { destination, connector: counted },
        { environment: (name) => environment[name] },
      ),
    );
    await eventually(() => outside().length === names.length);
    expect(opened).to.equal(1);
  });

  for (const [title, stop] of [
    ['syncing is disabled', () => sealift.client.patch('/v1/sys/sync/config', { disabled: true })],
    [
      'their destination is deleted by force',
      () => sealift.client.delete(`${driver.path}?force_delete=true`),
    ],
  ] as const)
    it(`secrets that wait for a slow store are not pushed any more once ${title}`, async () => {
      for (let index = 0; index < 40; index += 1) await queue(`app${index}`, 'x');
      fake.addFault({ kind: 'slow', operation: 'CreateSecret', delayMs: 1000 });
      await sealift.start('worker', cloud1Worker(fake));
      await eventually(() => fake.callsOf('CreateSecret').length === 16);
      await stop();
      await eventually(() => outside().length === 16);
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(fake.callsOf('CreateSecret')).to.have.length(16);
    });
});
