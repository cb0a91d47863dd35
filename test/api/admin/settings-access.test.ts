import { expect } from 'chai';
import { startAdmin, type AdminSealift } from '../../settings/support/admin.ts';

const DOCUMENTS = ['general', 'cost-estimation', 'saml', 'smtp', 'sms', 'customization'];
const admin = '/api/v2/admin';

/** All calls of the settings API, each with a valid body. */
const CALLS: { method: string; path: string; body?: object }[] = [
  ...DOCUMENTS.flatMap((kind) => [
    { method: 'GET', path: `${admin}/${kind}-settings` },
    { method: 'PATCH', path: `${admin}/${kind}-settings`, body: { data: { attributes: {} } } },
  ]),
  { method: 'POST', path: `${admin}/saml-settings/actions/revoke-old-certificate`, body: {} },
  {
    method: 'POST',
    path: `${admin}/sms-settings/verify`,
    body: { data: { attributes: { 'test-number': '+1' } } },
  },
  { method: 'GET', path: `${admin}/data-retention-policy-settings` },
  {
    method: 'POST',
    path: `${admin}/data-retention-policy-settings`,
    body: {
      data: { type: 'data-retention-policy-delete-olders', attributes: { 'delete-older-than-n-days': 1 } },
    },
  },
  { method: 'DELETE', path: `${admin}/data-retention-policy-settings` },
];

describe('access to the settings', () => {
  let sealift: AdminSealift;
  let ordinary: string;

  before(async () => {
    sealift = await startAdmin();
    ordinary = await sealift.tokenWith('default');
  });

  after(() => sealift.stop());

  for (const { method, path, body } of CALLS) {
    describe(`${method} ${path}`, () => {
      it(`${method} ${path} is 401 without a token and with a wrong one`, async () => {
        for (const token of [null, 'slt.wrong']) {
          const answer = await sealift.client.call(method, path, body, { token });
          expect(answer.status).to.equal(401);
          expect(answer.body.errors[0]).to.include({ status: '401', title: 'unauthorized' });
        }
      });

      it(`${method} ${path} is a 404 like any unknown path for a token without the right`, async () => {
        const answer = await sealift.client.call(method, path, body, { token: ordinary });
        const nowhere = await sealift.client.call(method, `${admin}/no-such-thing`, body, {
          token: ordinary,
        });
        const nowhereForAdmin = await sealift.client.call(method, `${admin}/no-such-thing`, body);
        expect(answer.status).to.equal(404);
        expect(answer.text).to.equal(nowhere.text).and.to.equal(nowhereForAdmin.text);
        expect(answer.headers['content-type']).to.equal(nowhere.headers['content-type']);
      });

      if (method === 'GET') return;

      it(`${method} ${path} refuses another content type with 415`, async () => {
        const headers = { 'content-type': 'text/plain' };
        const answer = await sealift.client.call(method, path, body ?? {}, { headers });
        expect(answer.status).to.equal(415);
        expect(answer.body.errors[0].status).to.equal('415');
      });
    });
  }

  for (const { method, path } of CALLS.filter(({ body }) => body && 'data' in body)) {
    it(`${method} ${path} refuses a malformed body with 422`, async () => {
      for (const raw of ['{', '[]', '"text"', '{"data":[]}', '{"data":{"attributes":7}}']) {
        const answer = await sealift.client.call(method, path, undefined, {
          raw,
          headers: { 'content-type': 'application/vnd.api+json' },
        });
        expect(answer.status, raw).to.equal(422);
        expect(answer.body.errors[0].status).to.equal('422');
      }
    });
  }

  for (const kind of DOCUMENTS) {
    it(`${kind} settings refuse a change without data or attributes with 422`, async () => {
      const path = `${admin}/${kind}-settings`;
      for (const body of [{}, { data: {} }, { data: null }]) {
        expect((await sealift.client.patch(path, body)).status).to.equal(422);
      }
    });

    it(`${kind} settings take an absent, empty or right type, and refuse another with 422`, async () => {
      const path = `${admin}/${kind}-settings`;
      for (const type of [undefined, '', `${kind}-settings`]) {
        expect((await sealift.client.patch(path, { data: { type, attributes: {} } })).status).to.equal(200);
      }
      const answer = await sealift.client.patch(path, { data: { type: 'others', attributes: {} } });
      expect(answer.status).to.equal(422);
      expect(answer.body.errors[0].source.pointer).to.equal('/data/type');
    });

    it(`${kind} settings take an absent, empty or right id, and refuse another with 409`, async () => {
      const path = `${admin}/${kind}-settings`;
      for (const id of [undefined, '', null, kind]) {
        expect((await sealift.client.patch(path, { data: { id, attributes: {} } })).status).to.equal(200);
      }
      const answer = await sealift.client.patch(path, { data: { id: 'others', attributes: {} } });
      expect(answer.status).to.equal(409);
      expect(answer.body.errors[0].source).to.deep.equal({ pointer: '/data/id' });
    });

    it(`${kind} settings have an id, a type, their attributes and who changed them`, async () => {
      const { body, headers } = await sealift.client.get(`${admin}/${kind}-settings`);
      expect(headers['content-type']).to.match(/^application\/vnd\.api\+json/);
      expect(body).to.have.all.keys('data');
      expect(body.data).to.have.all.keys('id', 'type', 'attributes', 'meta');
      const keys = [
        'revision',
        'changed-at',
        'changed-by',
        'set',
        ...(kind === 'saml' ? ['certificates', 'public-url'] : []),
      ];
      expect(body.data.meta).to.have.all.keys(keys);
      expect(body.data).to.include({ id: kind, type: `${kind}-settings` });
    });
  }

  it('a token with the site-admin policy may read and change settings', async () => {
    const token = await sealift.tokenWith('site-admin');
    expect((await sealift.client.get(`${admin}/sms-settings`, { token })).status).to.equal(200);
    const body = { data: { attributes: {} } };
    expect((await sealift.client.patch(`${admin}/sms-settings`, body, { token })).status).to.equal(200);
  });

  it('a site-admin policy of another namespace gives no access to the settings', async () => {
    await sealift.context.db('namespaces').insert({ id: 'team01', path: 'team' });
    const token = await sealift.tokenWith('site-admin');
    await sealift.context.db('tokens').where({ display_name: 'test' }).update({ namespace_id: 'team01' });
    for (const namespace of ['team', '']) {
      const answer = await sealift.client.get(`${admin}/sms-settings`, { token, namespace });
      expect(answer.status).to.equal(404);
      // Unknown paths get the same answer, so the caller does not learn which paths exist.
      const wrong = await sealift.client.delete(`${admin}/sms-settings`, { token, namespace });
      expect([wrong.status, wrong.headers['allow'], wrong.text]).to.deep.equal([404, undefined, answer.text]);
    }
  });

  it('ping answers anybody with 204 and says which API this is', async () => {
    for (const token of [null, ordinary]) {
      const answer = await sealift.client.get('/api/v2/ping', { token });
      expect(answer.status).to.equal(204);
      expect(answer.headers).to.include({ 'tfp-api-version': '2.6', 'tfp-appname': 'Sealift' });
    }
  });
});
