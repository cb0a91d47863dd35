import { expect } from 'chai';
import { entryOf, named } from '../api/audit/support.ts';
import { startAdmin, type AdminSealift } from './support/admin.ts';

describe('changes of settings in the audit trail', () => {
  let sealift: AdminSealift;
  before(async () => {
    sealift = await startAdmin();
  });
  after(() => sealift.stop());

  const change = async (type: string, attributes: object, requestId: string) => {
    const answer = await sealift.client.patch(
      `/api/v2/admin/${type}`,
      { data: { type, attributes } },
      named(requestId),
    );
    expect(answer.status, answer.text).to.equal(200);
    return ((await entryOf(sealift, requestId)).detail?.['changed'] ?? {}) as Record<
      string,
      { old: unknown; new: unknown }
    >;
  };

  it('a change tells the attributes that differ, with the old and the new value', async () => {
    const first = await change('smtp-settings', { host: 'mail.example', port: 2525 }, 'settings-1');
    expect(first['host']).to.deep.equal({ old: null, new: 'mail.example' });
    const second = await change('smtp-settings', { host: 'mail.example', port: 2526 }, 'settings-2');
    expect(second).to.deep.equal({ port: { old: 2525, new: 2526 } });
    expect(await change('smtp-settings', { port: 2526 }, 'settings-3')).to.deep.equal({});
  });

  it('a secret shows only a fingerprint, which is the same for the same value', async () => {
    const set = async (password: string, requestId: string) => {
      const { password: changed } = await change(
        'smtp-settings',
        { auth: 'plain', username: 'u', password },
        requestId,
      );
      return changed;
    };
    const first = await set('CaNaRy-one', 'settings-4');
    expect(first?.new).to.match(/^fingerprint:[0-9a-f]{16}$/);
    const second = await set('CaNaRy-two', 'settings-5');
    expect(second?.old).to.equal(first?.new);
    expect(second?.new).to.not.equal(first?.new);
    const rows = JSON.stringify(await sealift.context.db('audit_events').select('*'));
    expect(rows).to.not.include('CaNaRy');
  });

  it('a retention policy is told by its days, before and after', async () => {
    const set = async (days: number, requestId: string) => {
      const type = 'data-retention-policy-delete-olders';
      await sealift.client.post(
        '/api/v2/admin/data-retention-policy-settings',
        { data: { type, attributes: { 'delete-older-than-n-days': days } } },
        named(requestId),
      );
      return (await entryOf(sealift, requestId)).detail;
    };
    await set(30, 'retention-1');
    expect(await set(60, 'retention-2')).to.deep.equal({
      changed: { 'delete-older-than-n-days': { old: 30, new: 60 } },
    });
  });
});
