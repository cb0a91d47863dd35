import { expect } from 'chai';
import { startCloud1SmFake } from '../../sandbox/aws-secrets-manager/fake.ts';
import { eventually } from '../../support/eventually.ts';
import { cloud1Settings, cloud1Worker } from '../../support/sandboxed.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { listen } from './events.ts';
import { destinationPath, create, expectOk, putSecret, recordsOf, set } from './support.ts';

describe('the sync endpoints with a worker', () => {
  let fake: Awaited<ReturnType<typeof startCloud1SmFake>>;
  let sealift: Sealift;
  const secret = { mount: 'secret', secret_name: 'app/db' };
  const post = async (path: string, body: object = {}) =>
    expectOk(await sealift.client.post(`${destinationPath('prod')}/${path}`, body));

  before(async () => {
    fake = await startCloud1SmFake();
    sealift = await startSealift({ workers: { 'cloud1-sm': cloud1Worker(fake) } });
    await create(sealift.client, destinationPath('prod'), cloud1Settings());
    await putSecret(sealift.client, 'app/db');
  });
  after(async () => {
    await sealift.stop();
    await fake.close();
  });

  it('`set` answers with the first outcome', async () => {
    const answer = await set(sealift.client, destinationPath('prod'), 'app/db', { headers: {} });
    const [record] = recordsOf(answer);
    expect(record).to.include({
      sync_status: 'SYNCED',
      synced_version: 1,
      attempts: 1,
      external_name: 'app/db',
    });
  });

  it('`plan` says that nothing is to be done, until something is', async () => {
    const actions = async () =>
      (await post('associations/plan', secret)).planned.map((step: { action: string }) => step.action);
    expect(await actions()).to.deep.equal(['unchanged']);
    expectOk(await sealift.client.patch(destinationPath('prod'), { custom_tags: { team: 'web' } }));
    await eventually(async () => {
      const [record] = recordsOf(await sealift.client.get(`${destinationPath('prod')}/associations`));
      return record?.['sync_status'] === 'SYNCED';
    });
    expect(await actions()).to.deep.equal(['unchanged']);
  });

  it('`verify` compares with what is outside, and `history` tells what was done', async () => {
    const { entries } = await post('associations/verify', secret);
    expect(entries).to.deep.equal([{ sub_key: '', external_name: 'app/db', state: 'in_sync', cause: null }]);
    await eventually(async () => {
      const event = await sealift.context
        .db('audit_events')
        .where('action', 'like', '%/verify')
        .first('outcome', 'detail');
      expect(event).to.deep.equal({
        outcome: 'succeeded',
        detail: { secret: 'secret/app/db', found: { in_sync: 1 } },
      });
      return true;
    });
    const query = 'mount=secret&secret_name=app/db';
    const { history } = expectOk(
      await sealift.client.get(`${destinationPath('prod')}/associations/history?${query}`),
    );
    expect(history.at(-1)).to.include({
      action: 'create',
      external_name: 'app/db',
      outcome: 'SYNCED',
      version: 1,
      version_by: 'root',
    });
  });

  it('other services are told the outcome of a push, with ids and codes only', async () => {
    const events = await listen(sealift, 'association.status');
    expectOk(await sealift.client.post('/v1/secret/data/app/db', { data: { password: 'told-to-nobody' } }));
    const [event] = await events.take(1);
    await events.stop();
    expect(event).to.include({ event: 'association.status', type: 'cloud1-sm' });
    const associations = event?.['associations'];
    expect(associations).to.be.an('array').with.length(1);
    expect(event).to.have.nested.property('associations[0].outcome', 'SETTLED');
    expect(event).to.have.nested.property('associations[0].written', 1);
    expect(JSON.stringify(event)).not.to.match(/told-to-nobody|app\/db|password/);
  });

  it('`check` tries the credentials and says what is wrong with them', async () => {
    expect(await post('check')).to.include({ ok: true, cause: null });
    await create(sealift.client, destinationPath('wrong'), {
      ...cloud1Settings(),
      access_key_id: 'AKIAREVOKED',
    });
    fake.revoke('AKIAREVOKED');
    const { ok, cause } = expectOk(await sealift.client.post(`${destinationPath('wrong')}/check`));
    expect(ok).to.equal(false);
    expect(cause.class).to.equal('CLIENT_SIDE_ERROR');
    expect(JSON.stringify(cause)).to.not.contain('AKIAREVOKED');
  });

  it('many checks of a store that hangs keep no check of another destination waiting', async () => {
    await create(sealift.client, destinationPath('hangs'), {
      ...cloud1Settings(),
      access_key_id: 'AKIAHANGS',
    });
    await create(sealift.client, destinationPath('works'), cloud1Settings());
    const check = (name: string) => sealift.client.post(`${destinationPath(name)}/check`);
    fake.addFault({ kind: 'hang', times: 1 });
    const checks = Array.from({ length: 80 }, () => check('hangs'));
    const refused = await Promise.any(
      checks.map(async (answer) => {
        if ((await answer).status !== 503) throw new Error('not refused');
        return answer;
      }),
    );
    expect(refused.body.errors[0]).to.include('asked many times at once');
    expect(expectOk(await check('works'))).to.include({ ok: true });
    const statuses = (await Promise.all(checks)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).to.have.length.within(1, 8);
    expect(statuses.every((status) => status === 200 || status === 503)).to.equal(true);
  });

  it('refused credentials show after a change of the destination, though no value changed', async () => {
    const shown = async () =>
      recordsOf(await sealift.client.get(`${destinationPath('prod')}/associations`))[0];
    const path = destinationPath('prod');
    expectOk(await sealift.client.patch(path, { secret_access_key: 'a-wrong-key' }));
    await eventually(async () => {
      const record = await shown();
      expect(record?.['sync_status']).to.equal('CLIENT_SIDE_ERROR');
      expect(record?.['cause']).to.include({ code: 'credentials_refused' });
      return true;
    });
    expectOk(await sealift.client.patch(path, { secret_access_key: 'a-secret-key' }));
    await eventually(async () => (await shown())?.['sync_status'] === 'SYNCED');
  });

  it('changed settings are tried by one read, which writes over no change in the store', async () => {
    const entry = fake.entries().find(({ name }) => name === 'app/db');
    const value = entry?.value;
    fake.plant({ ...entry, name: 'app/db', value: 'by hand' });
    fake.clearCalls();
    expectOk(await sealift.client.patch(destinationPath('prod'), { disable_strict_networking: true }));
    await eventually(() => fake.calls().length > 0);
    await eventually(async () => {
      const [record] = recordsOf(await sealift.client.get(`${destinationPath('prod')}/associations`));
      return record?.['sync_status'] === 'SYNCED';
    });
    expect(fake.entries().find(({ name }) => name === 'app/db')?.value).to.equal('by hand');
    expectOk(await sealift.client.patch(destinationPath('prod'), { disable_strict_networking: false }));
    fake.plant({ ...entry, name: 'app/db', value: value ?? '' });
  });

  it('`remove` takes the entry away, then the record', async () => {
    const answer = await sealift.client.post(`${destinationPath('prod')}/associations/remove`, secret);
    expect(recordsOf(answer)[0]).to.include({ sync_status: 'UNSYNCING', secret_name: 'app/db' });
    expect(fake.entries().map(({ name }) => name)).to.not.contain('app/db');
    expect(recordsOf(await sealift.client.get(`${destinationPath('prod')}/associations`))).to.deep.equal([]);
    expect((await sealift.client.get('/v1/sys/sync/associations/secret/app/db')).status).to.equal(404);
  });

  it('`remove`, then the deletion of destination and mount, succeed one right after the other', async () => {
    const { client } = sealift;
    await create(client, destinationPath('short'), cloud1Settings('eu-west-2'));
    await client.post('/v1/sys/mounts/short', { type: 'kv-v2' });
    const names = ['a', 'b', 'c', 'd'];
    for (const name of names) {
      await putSecret(client, name, { a: '1' }, 'short');
      expectOk(await set(client, destinationPath('short'), name, { mount: 'short', headers: {} }));
    }
    const removed = await Promise.all(
      names.map((secret_name) =>
        client.post(`${destinationPath('short')}/associations/remove`, { mount: 'short', secret_name }),
      ),
    );
    for (const answer of removed) expect(recordsOf(answer)).to.have.length(1);
    expect((await client.delete(destinationPath('short'))).status).to.equal(204);
    expect((await client.delete('/v1/sys/mounts/short')).status).to.equal(204);
  });
});
