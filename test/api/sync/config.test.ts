import { expect } from 'chai';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { expectOk, expectRefused } from './support.ts';

const PATH = '/v1/sys/sync/config';
const DEFAULTS = { disabled: false, queue_capacity: 1_000_000 };

describe('sync configuration', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  it('the configuration reads its defaults, changes as sent, and goes back to the defaults', async () => {
    const { client } = sealift;
    expect(expectOk(await client.get(PATH))).to.deep.equal(DEFAULTS);
    expect(expectOk(await client.patch(PATH, { disabled: true }))).to.deep.equal({
      ...DEFAULTS,
      disabled: true,
    });
    expect(expectOk(await client.patch(PATH, { queue_capacity: '5' }))).to.deep.equal({
      disabled: true,
      queue_capacity: 5,
    });
    expect(expectOk(await client.patch(PATH, { disabled: 'false', queue_capacity: null }))).to.deep.equal(
      DEFAULTS,
    );
    await client.patch(PATH, { disabled: true });
    expect(expectOk(await client.delete(PATH))).to.deep.equal(DEFAULTS);
    expect(expectOk(await client.get(PATH))).to.deep.equal(DEFAULTS);
  });

  it('an invalid boolean or capacity is refused, and nothing changes', async () => {
    const { client } = sealift;
    for (const body of [
      { disabled: 'maybe' },
      { queue_capacity: 0 },
      { queue_capacity: 1e12 },
      { disabled: [true] },
    ]) {
      expectRefused(await client.patch(PATH, body), 400);
    }
    expectRefused(await client.patch(PATH, undefined, { raw: '{"disabled":' }), 400);
    expectRefused(await client.patch(PATH, undefined, { raw: '[]' }), 400);
    expect(expectOk(await client.get(PATH))).to.deep.equal(DEFAULTS);
  });

  it('unknown keys get a warning', async () => {
    const answer = await sealift.client.patch(PATH, { disabled: false, speed: 9 });
    expect(answer.status).to.equal(200);
    expect(answer.body.warnings).to.deep.equal(['Endpoint ignored these unrecognized parameters: [speed]']);
  });

  it('the configuration takes a merge patch or plain JSON and no other content type', async () => {
    const { client } = sealift;
    const as = (type: string) =>
      client.patch(PATH, { disabled: false }, { headers: { 'content-type': type } });
    expect((await as('application/merge-patch+json')).status).to.equal(200);
    expect((await as('application/json; charset=utf-8')).status).to.equal(200);
    expect(expectRefused(await as('text/plain'), 415)).to.contain('application/merge-patch+json');
  });

  it('only the root namespace reaches the configuration', async () => {
    const { client } = sealift;
    await client.post('/v1/sys/namespaces/team');
    const inside = { namespace: 'team' };
    const refused = 'this API is reserved to the root namespace';
    expect(expectRefused(await client.get(PATH, inside), 403)).to.equal(refused);
    expect(expectRefused(await client.patch(PATH, { disabled: true }, inside), 403)).to.equal(refused);
    expect(expectRefused(await client.delete(PATH, inside), 403)).to.equal(refused);
    expect(expectOk(await client.get(PATH))).to.deep.equal(DEFAULTS);
  });
});
