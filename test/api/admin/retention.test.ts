import { expect } from 'chai';
import { findRetentionPolicy } from '../../../libs/store/settings/retention.ts';
import { pointersOf, startAdmin, type AdminSealift } from '../../settings/support/admin.ts';

const path = '/api/v2/admin/data-retention-policy-settings';
const type = 'data-retention-policy-delete-olders';

describe('the data retention policy', () => {
  let sealift: AdminSealift;

  before(async () => {
    sealift = await startAdmin();
  });

  after(() => sealift.stop());

  beforeEach(() => sealift.client.delete(path));

  const set = (attributes: object) => sealift.client.post(path, { data: { type, attributes } });

  it('a fresh installation has no retention policy', async () => {
    expect((await sealift.client.get(path)).status).to.equal(404);
    expect(await findRetentionPolicy(sealift.context.db)).to.equal(undefined);
  });

  it('a retention policy is created with 201 and replaced with 200, and keeps its id', async () => {
    const created = await set({ 'delete-older-than-n-days': 33 });
    expect(created.status).to.equal(201);
    expect(created.headers['location']).to.equal(path);
    expect(created.body.data).to.deep.include({
      type,
      attributes: { 'delete-older-than-n-days': 33 },
      relationships: { target: { data: null } },
    });
    expect(created.body.data.id).to.match(/^drp-[0-9A-Za-z]{16}$/);
    const replaced = await set({ 'delete-older-than-n-days': 34 });
    expect(replaced.status).to.equal(200);
    expect(replaced.headers).not.to.have.property('location');
    const read = await sealift.client.get(path);
    expect(read.body).to.deep.equal(replaced.body);
    expect(read.body.data.id).to.equal(created.body.data.id);
    expect((await findRetentionPolicy(sealift.context.db))?.delete_older_than_days).to.equal(34);
  });

  it('the audit trail says how long entries are kept, with a policy and without one', async () => {
    const keptDays = async () => {
      const trail = await sealift.client.get('/api/v2/admin/audit-events?page[size]=1');
      const devices = await sealift.client.get('/v1/sys/audit');
      const { retention_days: ofDevice } = devices.body.data['file/'].options;
      return [trail.body.meta['kept-days'], ofDevice];
    };
    expect(await keptDays()).to.deep.equal([365, '365']);
    await set({ 'delete-older-than-n-days': 3 });
    expect(await keptDays()).to.deep.equal([7, '7']);
  });

  it('a preview of a policy counts what it would delete, and no young audit entries', async () => {
    const { client, context } = sealift;
    await client.post('/v1/secret/data/gone', { data: { v: '1' } });
    await client.delete('/v1/secret/data/gone');
    const preview = async (days: number) =>
      (await client.get(`${path}/preview?days=${days}`)).body.data.attributes;
    const none = { 'audit-entries': 0, 'history-entries': 0, 'deleted-versions': 0 };
    expect(await preview(3)).to.deep.equal({ 'audit-days': 7, ...none });
    await context.db.raw(
      "UPDATE secret_versions SET deletion_time = now() - interval '4 days' WHERE deletion_time IS NOT NULL",
    );
    expect(await preview(3)).to.deep.equal({ 'audit-days': 7, ...none, 'deleted-versions': 1 });
    expect(await preview(5)).to.deep.equal({ 'audit-days': 7, ...none });
    expect((await client.get(`${path}/preview?days=0`)).status).to.equal(422);
  });

  it('only a caller who may update replaces a policy; a right to create alone makes the first', async () => {
    const policy = JSON.stringify({ path: { 'api/v2/admin/*': { capabilities: ['create'] } } });
    await sealift.client.post('/v1/sys/policies/acl/creator', { policy });
    const token = await sealift.tokenWith('creator');
    const statusOf = async (days: number) =>
      (
        await sealift.client.post(
          path,
          { data: { type, attributes: { deleteOlderThanNDays: days } } },
          { token },
        )
      ).status;
    expect(await statusOf(33)).to.equal(201);
    expect(await statusOf(34)).to.equal(404);
    expect((await findRetentionPolicy(sealift.context.db))?.delete_older_than_days).to.equal(33);
  });

  it('both spellings of the days are taken, from 1 to 36500', async () => {
    for (const days of [1, 36_500]) {
      const answer = await set({ deleteOlderThanNDays: days });
      expect(answer.body.data.attributes).to.deep.equal({ 'delete-older-than-n-days': days });
    }
  });

  for (const days of [0, -1, 36_501, 1.5, '33', null]) {
    it(`a policy of ${JSON.stringify(days)} days is refused with 422`, async () => {
      const answer = await set({ 'delete-older-than-n-days': days });
      expect(answer.status).to.equal(422);
      expect(pointersOf(answer)).to.deep.equal(['/data/attributes/delete-older-than-n-days']);
    });
  }

  it('a request without days is refused with 422', async () => {
    expect((await set({})).status).to.equal(422);
  });

  for (const other of ['data-retention-policy-dont-deletes', 'data-retention-policies', '', undefined]) {
    it(`a policy of the type ${JSON.stringify(other)} is refused with 422`, async () => {
      const data = { type: other, attributes: { 'delete-older-than-n-days': 1 } };
      const answer = await sealift.client.post(path, { data });
      expect(answer.status).to.equal(422);
      expect(pointersOf(answer)).to.deep.equal(['/data/type']);
    });
  }

  it('a policy is removed with 204, also where there is none', async () => {
    await set({ 'delete-older-than-n-days': 5 });
    for (const _ of [1, 2]) expect((await sealift.client.delete(path)).status).to.equal(204);
    expect((await sealift.client.get(path)).status).to.equal(404);
  });
});
