import { expect } from 'chai';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import {
  destinationPath,
  create,
  expectOk,
  expectRefused,
  noWait,
  putSecret,
  recordsOf,
  set,
} from './support.ts';

describe('the deletion of a destination', () => {
  let sealift: Sealift;
  beforeEach(async () => {
    sealift = await startSealift();
    await create(sealift.client, destinationPath('prod'), { region: 'eu-west-1' });
  });
  afterEach(() => sealift.stop());

  const associate = async (...secrets: string[]) => {
    for (const secret of secrets) {
      await putSecret(sealift.client, secret);
      expectOk(await set(sealift.client, destinationPath('prod'), secret));
    }
  };
  const remove = (query = '') => sealift.client.delete(`${destinationPath('prod')}${query}`);

  it('a deletion is a 204 with and without a destination, and for an unknown type', async () => {
    for (const path of [destinationPath('prod'), destinationPath('prod'), destinationPath('x', 'nonsense')]) {
      const answer = await sealift.client.delete(path);
      expect([answer.status, answer.text]).to.deep.equal([204, '']);
    }
    expect((await sealift.client.get(destinationPath('prod'))).status).to.equal(404);
  });

  it('a deletion is refused while the destination manages associations, and says how many', async () => {
    await associate('a', 'b');
    expect(expectRefused(await remove(), 400)).to.contain('2 associations');
    expect((await sealift.client.get(destinationPath('prod'))).status).to.equal(200);
  });

  it('a deletion during the removal of all associations is refused with advice', async () => {
    await associate('a');
    const body = { mount: 'secret', secret_name: 'a' };
    await sealift.client.post(`${destinationPath('prod')}/associations/remove`, body, noWait);
    expect(expectRefused(await remove(), 400)).to.contain('1 association: all are being removed already');
    const mount = await sealift.client.delete('/v1/sys/mounts/secret');
    expect(expectRefused(mount, 400)).to.contain('1 association').and.to.contain('try again');
  });

  it('a purge unsyncs everything first, shows it meanwhile, and allows no change', async () => {
    await associate('a', 'b');
    const shown = expectOk(await remove('?purge=true'));
    expect(shown).to.include({ name: 'prod', type: 'cloud1-sm' });
    expect(Date.parse(shown.purge_initiated_at)).to.be.closeTo(Date.now(), 60_000);
    expect(expectOk(await sealift.client.get(destinationPath('prod'))).purge_initiated_at).to.equal(
      shown.purge_initiated_at,
    );
    const records = recordsOf(await sealift.client.get(`${destinationPath('prod')}/associations`));
    expect(records.map((record) => record['sync_status'])).to.deep.equal(['UNSYNCING', 'UNSYNCING']);
    for (const answer of [
      await sealift.client.post(destinationPath('prod'), { region: 'eu-west-2' }),
      await sealift.client.patch(destinationPath('prod'), { region: 'eu-west-2' }),
      await set(sealift.client, destinationPath('prod'), 'a'),
    ]) {
      expect(expectRefused(answer, 400)).to.contain('being purged');
    }
  });

  it('a purge without associations is done at once', async () => {
    expect((await remove('?purge=true')).status).to.equal(204);
    expect((await sealift.client.get(destinationPath('prod'))).status).to.equal(404);
  });

  const failPurge = async () => {
    await remove('?purge=true');
    await sealift.context.db('destinations').update({ purge_error: 'permission_missing: no' });
    expect(expectOk(await sealift.client.get(destinationPath('prod'))).purge_error).to.equal(
      'permission_missing: no',
    );
  };
  const expectKept = async () => {
    const kept = expectOk(await sealift.client.get(destinationPath('prod')));
    expect(kept).to.not.have.any.keys('purge_initiated_at', 'purge_error');
    expectOk(
      await sealift.client.patch(destinationPath('prod'), { custom_tags: { again: String(Math.random()) } }),
    );
  };
  const removing = () => sealift.context.db('associations').where({ removing: true }).pluck('secret_path');

  it('a change keeps a destination whose purge failed, and continues removals', async () => {
    await associate('a', 'b');
    await failPurge();
    expectOk(await sealift.client.patch(destinationPath('prod'), { custom_tags: { a: '1' } }));
    await expectKept();
    expect(await removing()).to.have.members(['a', 'b']);
  });

  it('a newly associated secret keeps a destination whose purge failed', async () => {
    await associate('a', 'b');
    await failPurge();
    await associate('a');
    await expectKept();
    expect(await removing()).to.deep.equal(['b']);
  });

  it('a failed purge can be started again, and refuses changes again', async () => {
    await associate('a');
    await failPurge();
    const [former] = await sealift.context.db('destinations').pluck('purge_initiated_at');
    const again = expectOk(await remove('?purge=true'));
    expect(Date.parse(again.purge_initiated_at)).to.be.greaterThan(former.getTime());
    expect(again).to.not.have.property('purge_error');
    expectRefused(await sealift.client.patch(destinationPath('prod'), { custom_tags: { a: '1' } }), 400);
  });

  it('a deletion by force drops the destination with its ledger, also when asked in the body', async () => {
    await associate('a', 'b');
    const answer = await sealift.client.call('DELETE', destinationPath('prod'), { force_delete: 'true' });
    expect(answer.status).to.equal(204);
    for (const table of ['destinations', 'associations', 'entries']) {
      expect(await sealift.context.db(table).select('id'), table).to.have.length(0);
    }
    await create(sealift.client, destinationPath('prod'));
    await associate('a');
  });

  it('a flag that is no boolean is refused', async () => {
    expectRefused(await remove('?purge=perhaps'), 400);
  });
});
