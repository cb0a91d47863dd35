import { expect } from 'chai';
import { startSealift, type Sealift } from '../../support/sealift.ts';

describe('the capability subscribe in policies', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  const write = (policy: string) => sealift.client.post('/v1/sys/policies/acl/follower', { policy });

  it('subscribe is a capability like the others', async () => {
    const rule = `path "secret/data/*" {
  capabilities = ["read", "subscribe"]
  subscribe_event_types = ["kv-v2/*"]
}`;
    const written = await write(rule);
    expect(written.status, written.text).to.equal(204);
    const preview = await sealift.client.post('/v1/sys/policies/preview', {
      policy: rule,
      paths: ['secret/data/a'],
    });
    expect(preview.body.data['secret/data/a']).to.deep.equal(['read', 'subscribe']);
    expect((await sealift.client.get('/v1/sys/policies/acl/follower')).body.data.policy).to.equal(rule);
  });

  it('subscribe without types of events brings a warning, and so do types without subscribe', async () => {
    const without = await write('path "a" { capabilities = ["subscribe"] }');
    expect(without.body.warnings).to.deep.equal([
      'line 1, column 10: the capability subscribe of "a" has no effect without subscribe_event_types',
    ]);
    const alone = await write('path "a" { capabilities = ["read"] subscribe_event_types = ["*"] }');
    expect(alone.body.warnings).to.deep.equal([
      'line 1, column 10: subscribe_event_types of "a" has no effect without the capability subscribe',
    ]);
  });

  it('types of events that are no list of names are refused', async () => {
    for (const types of ['"kv-v2/*"', '[1]', '{}']) {
      const answer = await write(
        `path "a" { capabilities = ["subscribe"] subscribe_event_types = ${types} }`,
      );
      expect(answer.status, types).to.equal(400);
      expect(answer.body.errors[0]).to.include('subscribe_event_types must be a list of names');
    }
  });
});
