import { expect } from 'chai';
import { fingerprint } from '../../../libs/crypto/fingerprint.ts';
import { startConnectorWorker } from '../../../libs/sync/worker.ts';
import { connector } from '../../../services/connectors/github-secrets/connector.ts';
import { destination } from '../../../services/connectors/github-secrets/destination.ts';
import type { Service } from '../../../libs/service/run-service.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { destinationPath, create, expectOk, expectRefused, putSecret, repository, set } from './support.ts';

const web = destinationPath('web', 'repo-host');

describe('the plan of an association', () => {
  let sealift: Sealift;
  let worker: Service;
  beforeEach(async () => {
    sealift = await startSealift();
    // Plans only: a worker that pushes would call the store.
    expectOk(await sealift.client.patch('/v1/sys/sync/config', { disabled: true }));
    await startWorker();
    const body = { ...repository, secret_name_template: '{{ .SecretKey }}' };
    await create(sealift.client, web, body);
  });
  afterEach(() => sealift.stop());

  const startWorker = async (): Promise<void> => {
    worker = await sealift.start('worker', (context) =>
      startConnectorWorker(context, { destination, connector }, { environment: () => undefined }),
    );
  };

  const plan = (secret: string, path = web) =>
    sealift.client.post(`${path}/associations/plan`, { mount: 'secret', secret_name: secret });

  it('a plan shows every external name and writes nothing', async () => {
    await putSecret(sealift.client, 'app', { user: 'x', pass: 'y' });
    const data = expectOk(await plan('app'));
    expect(data).to.include({
      store_name: 'web',
      store_type: 'repo-host',
      secret_name: 'app',
      source_version: 1,
      is_fallback: false,
    });
    expect(data.planned).to.deep.equal([
      { sub_key: 'pass', external_name: 'PASS', action: 'create', reason: null },
      { sub_key: 'user', external_name: 'USER', action: 'create', reason: null },
    ]);
    for (const table of ['associations', 'entries']) {
      expect(await sealift.context.db(table).select('id')).to.have.length(0);
    }
  });

  it('a plan says of each key whether it would be written, left, deleted, or could not be', async () => {
    const { client, context } = sealift;
    await putSecret(client, 'first', { taken: 'x' });
    expectOk(await set(client, web, 'first'));
    await putSecret(client, 'app', { same: '1', changed: '1', gone: '1' });
    expectOk(await set(client, web, 'app'));
    const association = await context.db('associations').where({ secret_path: 'app' }).first('id');
    for (const [key, value] of [
      ['same', '1'],
      ['changed', '1'],
      ['gone', '1'],
    ] as const) {
      const value_fingerprint = fingerprint(context.installation.hashKey, `entry/${association.id}`, value);
      await context.db('entries').where({ sub_key: key }).update({ owned: true, value_fingerprint });
    }
    await putSecret(client, 'app', {
      same: '1',
      changed: '2',
      fresh: '1',
      taken: '1',
      '9bad': '1',
      Same: '2',
    });
    const { planned } = expectOk(await plan('app'));
    const actions = planned.map(({ sub_key, action }: { sub_key: string; action: string }) => [
      sub_key,
      action,
    ]);
    expect(Object.fromEntries(actions)).to.deep.equal({
      same: 'unchanged',
      changed: 'update',
      gone: 'delete',
      fresh: 'create',
      taken: 'taken',
      '9bad': 'refused',
      Same: 'taken',
    });
    const taken = planned.find(({ sub_key }: { sub_key: string }) => sub_key === 'taken');
    expect(taken.reason).to.contain('secret first of mount secret/');
  });

  it('a plan is refused as the association would be', async () => {
    expectRefused(await plan('missing'), 400);
    await putSecret(sealift.client, 'app');
    expectRefused(await plan('app', destinationPath('nobody')), 404);
  });

  it('a plan is refused with 503 where no worker of the type runs, and planned once one does', async () => {
    await putSecret(sealift.client, 'app', { user: 'x' });
    expectOk(await plan('app'));
    await worker.stop();
    expect(expectRefused(await plan('app'), 503)).to.match(
      /no connector.repo-host worker .* nothing was done/,
    );
    await startWorker();
    expectOk(await plan('app'));
  });
});
