import { expect } from 'chai';
import { actionOf, createActionSpellings } from '../../../services/api/audit/action.ts';
import { adminEndpoints, publicEndpoints, secretsEndpoints } from '../../../services/api/endpoints/index.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { entriesWith, entryOf, named } from './support.ts';

describe('the filters of the audit trail', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  const POLICY = { policy: 'path "secret/*" { capabilities = ["read"] }' };

  it('one operation has one action, whichever alias or method a request uses', async () => {
    const { client } = sealift;
    await client.post('/v1/sys/policies/acl/one', POLICY, named('same-1'));
    await client.call('PUT', '/v1/sys/policies/acl/one', POLICY, named('same-2'));
    await client.call('PUT', '/v1/sys/policy/one', POLICY, named('same-3'));
    await client.post('/v1/sys/policy/one', POLICY, named('same-4'));
    const actions = await Promise.all(
      [1, 2, 3, 4].map(async (number) => (await entryOf(sealift, `same-${number}`)).action),
    );
    expect(new Set(actions)).to.deep.equal(new Set(['POST /sys/policies/acl/:name']));
    for (const method of ['POST', 'PUT', 'put'])
      for (const route of ['/sys/policies/acl/:name', '/sys/policy/:name'])
        expect(await entriesWith(sealift, { action: `${method} ${route}` })).to.have.length(4);
    expect(await entriesWith(sealift, { action: 'DELETE /sys/policy/:name' })).to.have.length(0);
  });

  it('entries of earlier versions are found by each alias too', async () => {
    for (const action of ['PUT /sys/policy/:name', 'PATCH /api/v2/admin/twilio-settings/verify'])
      await sealift.context
        .db('audit_events')
        .insert({ actor: 'old', namespace: '', action, path: '', request_id: action, outcome: 'succeeded' });
    const found = await entriesWith(sealift, { action: 'POST /sys/policies/acl/:name', actor: 'old' });
    expect(found.map(({ action }) => action)).to.deep.equal(['PUT /sys/policy/:name']);
    expect(
      await entriesWith(sealift, { action: 'POST /api/v2/admin/sms-settings/verify', actor: 'old' }),
    ).to.have.length(1);
  });

  it('no spelling of an action means two operations', () => {
    const rows = [...publicEndpoints, ...secretsEndpoints, ...adminEndpoints];
    const spellings = createActionSpellings(() => rows);
    for (const row of rows) {
      expect(spellings(actionOf(row, row.method))).to.include(actionOf(row, row.method));
      for (const other of rows)
        if (spellings(actionOf(row, row.method)).includes(actionOf(other, other.method)))
          expect(actionOf(other, other.method)).to.equal(actionOf(row, row.method));
    }
  });

  it('the accessor of a token finds what was done with the token, and what was done to it', async () => {
    const { client } = sealift;
    const made = await client.post('/v1/auth/token/create', { policies: ['default'] }, named('about-1'));
    const { accessor, client_token: token } = made.body.auth;
    await client.post('/v1/auth/token/renew-self', {}, { token, ...named('about-2') });
    await client.post('/v1/auth/token/revoke-accessor', { accessor }, named('about-3'));
    const idsOf = async (filters: Record<string, string>): Promise<unknown[]> =>
      (await entriesWith(sealift, filters)).map((entry) => entry['request-id']);
    expect(await idsOf({ token: accessor })).to.deep.equal(['about-3', 'about-2', 'about-1']);
    expect(await idsOf({ accessor })).to.deep.equal(['about-2']);
    expect(await idsOf({ token: accessor, action: 'PUT /auth/token/revoke-accessor' })).to.deep.equal([
      'about-3',
    ]);
  });
});
