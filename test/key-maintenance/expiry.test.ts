import { expect } from 'chai';
import { createToken } from '../../libs/store/access/tokens.ts';
import type { MaintenanceServices } from '../../services/key-maintenance/job.ts';
import { insertAssociations } from '../support/associations.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { daysFromNow, runNow, startMaintenance } from './support.ts';

describe('expired tokens, leases and purges', () => {
  let sealift: Sealift;
  let services: MaintenanceServices;
  before(async () => {
    sealift = await startSealift();
    services = await startMaintenance(sealift);
  });
  after(() => sealift.stop());

  const makeToken = async (name: string, ttlSeconds: number, parent?: string) => {
    const { db, installation } = services;
    const parentRow = parent ? await db('tokens').where({ display_name: parent }).first('id') : undefined;
    await createToken(db, installation.hashKey, {
      namespaceId: 'root',
      parentId: parentRow?.id ?? null,
      displayName: name,
      policies: ['default'],
      renewable: true,
      ttlSeconds,
      explicitMaxTtlSeconds: 0,
    });
  };
  const makeDestination = async (name: string, columns: Record<string, unknown> = {}) => {
    const [row] = await services
      .db('destinations')
      .insert({
        namespace_id: 'root',
        type: 'repo-host',
        name,
        settings: {},
        container: name,
        granularity: 'secret-key',
        secret_name_template: 'x',
        ...columns,
      })
      .returning('id');
    return row.id;
  };
  const associate = async (destinationId: number, path: string, columns: Record<string, unknown> = {}) => {
    const mount = await services.db('mounts').first('id');
    await insertAssociations(services.db, [
      { destination_id: destinationId, mount_id: mount.id, secret_path: path, ...columns },
    ]);
  };

  it('expired tokens go with the tokens made with them, the others stay', async () => {
    await makeToken('short', 3600);
    await makeToken('child-of-short', 0, 'short');
    await makeToken('long', 10 * 86_400);
    expect(await runNow(services, 'expire-tokens')).to.include({ tokens: 0 });
    expect(await runNow(services, 'expire-tokens', { now: daysFromNow(1) })).to.include({ tokens: 1 });
    const left = await services.db('tokens').orderBy('id').select('display_name');
    expect(left.map((row) => row.display_name)).to.deep.equal(['root', 'long']);
  });

  it('memory of single sign-on goes when it has expired', async () => {
    const { db } = services;
    await db('saml_requests').insert({ id: 'a', expires_at: daysFromNow(1) });
    await db('saml_assertions').insert({ hash: Buffer.from('b'), expires_at: daysFromNow(3) });
    expect(await runNow(services, 'expire-tokens', { now: daysFromNow(2) })).to.include({ sign_ons: 1 });
    expect(await db('saml_requests')).to.have.length(0);
    expect(await db('saml_assertions')).to.have.length(1);
  });

  it('leases that ended are counted, those that run are not', async () => {
    const id = await makeDestination('leased');
    await associate(id, 'ended', { lease_token: 1, due_at: daysFromNow(-1) });
    await associate(id, 'running', { lease_token: 2, due_at: daysFromNow(1) });
    await associate(id, 'waiting', { due_at: daysFromNow(-1) });
    expect(await runNow(services, 'finish-purges')).to.include({ expired_leases: 1 });
    const later = await runNow(services, 'finish-purges', { now: daysFromNow(2) });
    expect(later).to.include({ expired_leases: 2 });
  });

  it('a purge with nothing left to remove ends, and no other destination is touched', async () => {
    await makeDestination('idle');
    await makeDestination('empty', { purge_initiated_at: daysFromNow(-1) });
    const busy = await makeDestination('busy', { purge_initiated_at: daysFromNow(-1) });
    await associate(busy, 'left', { removing: true });
    expect(await runNow(services, 'finish-purges')).to.include({ purged: 1, purges_failed: 0 });
    const names = (await services.db('destinations').select('name')).map((row) => row.name);
    expect(names).to.include.members(['idle', 'busy', 'leased']);
    expect(names).to.not.include('empty');
  });

  it('a purge that two things keep tells one of them, in its own words', async () => {
    const id = await makeDestination('kept twice', { purge_initiated_at: daysFromNow(-1) });
    const failure = (code: string, message: string) => ({ class: 'CLIENT_SIDE_ERROR', code, message });
    await associate(id, 'x', { removing: true, due_at: null, failure: failure('denied', 'wrong rights') });
    await associate(id, 'y', { removing: true, due_at: null, failure: failure('expired', 'a new key') });
    await runNow(services, 'finish-purges');
    const row = await services.db('destinations').where({ id }).first('purge_error');
    expect(row.purge_error).to.equal('denied: wrong rights');
  });

  it('a purge without further tries says what keeps it', async () => {
    const stuck = await makeDestination('stuck', { purge_initiated_at: daysFromNow(-1) });
    const failure = {
      class: 'CLIENT_SIDE_ERROR',
      code: 'permission_missing',
      message: 'the token may not delete',
    };
    await associate(stuck, 'a', { removing: true, due_at: null, failure });
    await associate(stuck, 'b', { removing: true });
    expect(await runNow(services, 'finish-purges')).to.include({ purges_failed: 0 });
    await services.db('associations').where({ secret_path: 'b' }).update({ due_at: null, failure });
    expect(await runNow(services, 'finish-purges')).to.include({ purges_failed: 1 });
    const row = await services.db('destinations').where({ id: stuck }).first('purge_error');
    expect(row.purge_error).to.equal('permission_missing: the token may not delete');
    expect(await runNow(services, 'finish-purges')).to.include({ purges_failed: 0 });
  });
});
