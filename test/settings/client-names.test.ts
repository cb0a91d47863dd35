import { expect } from 'chai';
import { startSmsFake, type SmsFake } from '../sandbox/sms/fake.ts';
import { startAdmin, type AdminSealift } from './support/admin.ts';

const SID = `AC${'0'.repeat(32)}`;
const ADMIN = '/api/v2/admin';
const COLLECTIONS = ['policy-engine-versions', 'opa-versions', 'sentinel-versions'];

const release = (type: string, version = '1.2.3'): object => ({
  data: { type, attributes: { version, url: 'https://releases.test/engine', sha: 'a'.repeat(64) } },
});

describe('names that administration clients use', () => {
  let sealift: AdminSealift;
  let fake: SmsFake;

  before(async () => {
    fake = await startSmsFake();
    fake.addAccount({ sid: SID, token: 'right', numbers: ['+15005550006'] });
    sealift = await startAdmin({ environment: { SMS_API_URL: fake.url } });
  });

  after(async () => {
    await sealift.stop();
    await fake.close();
  });

  it('the document sms-settings is also twilio-settings, named as it was asked', async () => {
    const attributes = {
      enabled: true,
      'account-sid': SID,
      'auth-token': 'right',
      'from-number': '+15005550006',
    };
    const changed = await sealift.client.patch(`${ADMIN}/twilio-settings`, {
      data: { type: 'twilio-settings', attributes },
    });
    expect(changed.status, changed.text).to.equal(200);
    expect(changed.body.data).to.include({ type: 'twilio-settings', id: 'twilio' });
    const neutral = await sealift.client.get(`${ADMIN}/sms-settings`);
    expect(neutral.body.data).to.include({ type: 'sms-settings', id: 'sms' });
    expect(neutral.body.data.attributes).to.deep.equal(changed.body.data.attributes);
    const read = await sealift.client.get(`${ADMIN}/twilio-settings`);
    expect(read.body.data).to.deep.equal(changed.body.data);
  });

  it('the type and the id of the other name are refused at twilio-settings', async () => {
    const body = (data: object): object => ({ data: { attributes: {}, ...data } });
    const change = (data: object) => sealift.client.patch(`${ADMIN}/twilio-settings`, body(data));
    expect((await change({ type: 'sms-settings' })).status).to.equal(422);
    expect((await change({ type: 'twilio-settings', id: 'sms' })).status).to.equal(409);
  });

  it('the path twilio-settings/verify sends a message', async () => {
    fake.messages.length = 0;
    const answer = await sealift.client.patch(`${ADMIN}/twilio-settings/verify`, {
      data: { attributes: { 'test-number': '555-555-5555' } },
    });
    expect(answer.status, answer.text).to.equal(200);
    expect(fake.messages).to.have.length(1);
  });

  it('each collection of versions has its own versions, and echoes its own type', async () => {
    for (const type of COLLECTIONS) {
      const created = await sealift.client.post(`${ADMIN}/${type}`, release(type));
      expect(created.status, `${type}: ${created.text}`).to.equal(201);
      expect(created.body.data.type).to.equal(type);
      expect(created.headers['location']).to.include(`${ADMIN}/${type}/${created.body.data.id}`);
      const listed = await sealift.client.get(`${ADMIN}/${type}`);
      expect(listed.body.data).to.deep.equal([created.body.data]);
      expect(listed.body.links.self).to.include(`${ADMIN}/${type}?`);
    }
  });

  it('a collection refuses a version that it has, and the type of another collection', async () => {
    const taken = await sealift.client.post(`${ADMIN}/opa-versions`, release('opa-versions'));
    expect(taken.status).to.equal(422);
    expect(taken.body.errors[0].detail).to.equal('version has already been taken');
    const other = await sealift.client.post(`${ADMIN}/opa-versions`, release('sentinel-versions', '2.0.0'));
    expect(other.status).to.equal(422);
    expect(other.body.errors[0].source.pointer).to.equal('/data/type');
  });

  it('a version is read, changed, used and deleted in its own collection only', async () => {
    const created = await sealift.client.post(`${ADMIN}/opa-versions`, release('opa-versions', '3.0.0'));
    const { id } = created.body.data;
    const change = { data: { type: 'sentinel-versions', attributes: { beta: true } } };
    const elsewhere = `${ADMIN}/sentinel-versions/${id}`;
    expect((await sealift.client.get(elsewhere)).status).to.equal(404);
    expect((await sealift.client.patch(elsewhere, change)).status).to.equal(404);
    expect((await sealift.client.delete(elsewhere)).status).to.equal(404);
    expect((await sealift.client.call('PUT', `${elsewhere}/usages/workspaces/ws-1`)).status).to.equal(404);
    const own = `${ADMIN}/opa-versions/${id}`;
    expect((await sealift.client.call('PUT', `${own}/usages/workspaces/ws-1`)).status).to.equal(204);
    expect((await sealift.client.get(own)).body.data.attributes.usage).to.equal(1);
    expect((await sealift.client.delete(own)).status).to.equal(422);
    expect((await sealift.client.delete(`${own}/usages/workspaces/ws-1`)).status).to.equal(204);
    expect((await sealift.client.delete(own)).status).to.equal(204);
  });
});
