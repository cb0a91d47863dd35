import { expect } from 'chai';
import { startSealift, type Sealift } from '../support/sealift.ts';

const STORE = '/v1/sys/sync/destinations/repo-host/held';
const ONLY_IF_NOT = { headers: { 'if-none-match': '*' } };

describe('pauses of several people', () => {
  let sealift: Sealift;
  let petra: { token: string };

  before(async () => {
    sealift = await startSealift();
    const { client } = sealift;
    await client.post(STORE, { access_token: 'x', repository_owner: 'o', repository_name: 'r' });
    const made = await client.post('/v1/auth/token/create', { policies: ['root'], display_name: 'petra' });
    petra = { token: made.body.auth.client_token };
  });
  after(() => sealift.stop());

  for (const [what, path] of [
    ['a destination', STORE],
    ['the installation', '/v1/sys/sync'],
  ] as const) {
    const pauseNow = async () => {
      const shown = (await sealift.client.get('/v1/sys/sync/summary')).body.data;
      return path === STORE ? shown.destinations[0].paused : shown.paused;
    };

    it(`a pause of ${what} under the condition that there is none keeps that of somebody else`, async () => {
      const { client } = sealift;
      const begun = await client.post(`${path}/pause`, { reason: 'an audit' }, { ...petra, ...ONLY_IF_NOT });
      expect(begun.status, begun.text).to.equal(200);
      const pause = await pauseNow();
      const refused = await client.post(`${path}/pause`, { reason: 'a move' }, ONLY_IF_NOT);
      expect(refused.status).to.equal(412);
      expect(refused.body.errors.join()).to.match(/petra paused it at \d{4}-.*Z: “an audit”/);
      expect(await pauseNow()).to.deep.equal(pause);
      expect(pause.changed_at).to.equal(pause.since);
      await client.post(`${path}/resume`, {});
      const other = await client.post(`${path}/pause`, {}, { headers: { 'if-none-match': '"1"' } });
      expect(other.status).to.equal(400);
    });

    it(`a pause of ${what} that is changed keeps its beginning, and says who changed it when`, async () => {
      const { client } = sealift;
      await client.post(`${path}/pause`, { reason: 'an audit' }, petra);
      const begun = await pauseNow();
      await client.post(`${path}/pause`, { reason: 'a longer audit' });
      const changed = await pauseNow();
      expect(changed).to.include({ since: begun.since, by: 'root', reason: 'a longer audit' });
      expect(changed.changed_at > changed.since).to.equal(true);
      await client.post(`${path}/resume`, {});
      await client.post(`${path}/pause`, { reason: ' ' }, petra);
      const again = await pauseNow();
      expect(again).to.include({ by: 'token-petra', reason: null, changed_at: again.since });
      expect(again.since > changed.since).to.equal(true);
      await client.post(`${path}/resume`, {});
    });
  }
});
