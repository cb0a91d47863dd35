import { expect } from 'chai';
import { startApi } from '../../services/api/start.ts';
import { createClient } from '../support/client.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { listen } from './sync/events.ts';
import type { Resource } from './policy-engine-versions/support.ts';

describe('the first signing key', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  it('the first signing key is made for whoever asks first, told and recorded once', async () => {
    const second = (await sealift.start('api-2', startApi)) as unknown as { port: number };
    const events = await listen(sealift, 'oidc-key.*');
    const clients = [sealift.client, createClient(`http://127.0.0.1:${second.port}`, '')];
    const answers = await Promise.all(
      clients.map((client) => client.get('/.well-known/jwks', { token: null })),
    );
    const [kid, ...others] = new Set(answers.map(({ body }) => body.keys[0].kid));
    expect(others).to.deep.equal([]);
    const [event] = await events.take(1);
    expect(event).to.include({ event: 'oidc-key.rotated', kid });
    const { body } = await sealift.client.get('/api/v2/admin/audit-events');
    const entries = body.data.map((entry: Resource) => entry.attributes);
    expect(entries).to.have.length(1);
    expect(entries[0]).to.deep.include({
      action: 'first signing key',
      actor: 'api',
      accessor: null,
      outcome: 'succeeded',
      detail: { added: kid },
    });
    expect(await events.take(0)).to.deep.equal([]);
    await events.stop();
  });
});
