import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../../support/sandboxed.ts';
import { expectOk, expectRefused } from './support.ts';

const SECRET = { mount: 'secret', secret_name: 'app/taken' };
const SYNCS: [call: string, body: object][] = [
  ['set', SECRET],
  ['set', { ...SECRET, conflict_policy: 'adopt' }],
  ['set', { ...SECRET, conflict_policy: 'overwrite' }],
  ['set', { ...SECRET, secret_name_template: 'app/other' }],
];

describe('a link that someone unlinks while another person decides about it', () => {
  let scene: Cloud1Scene;

  before(async () => {
    scene = await openCloud1Scene();
    await scene.sealift.start('worker', cloud1Worker(scene.fake));
    await scene.driver.write('app/taken', { password: 'ours' });
    scene.fake.plant({ name: 'app/taken', value: 'of somebody else' });
    await scene.driver.associate('app/taken');
    await scene.driver.settles('app/taken', 'CLIENT_SIDE_ERROR');
  });
  after(() => scene.close());

  const post = (what: string, body: object) =>
    scene.sealift.client.post(`${scene.driver.path}/associations/${what}`, body);
  const read = () =>
    scene.sealift.client.get(`${scene.driver.path}/associations?mount=secret&secret_name=app/taken`);

  async function expectRefusals(status: number, reason: string): Promise<void> {
    for (const [call, body] of SYNCS)
      expect(expectRefused(await post(call, { ...body, only_linked: true }), status)).to.include(reason);
    const many = expectOk(await post('set-many', { secrets: [SECRET], only_linked: true }));
    expect(many.secrets).to.deep.equal([{ ...SECRET, outcome: 'refused', error: reason }]);
  }

  it('a sync that is only for what is linked is not refused while that is linked', async () => {
    expectOk(await post('set', { ...SECRET, only_linked: true }));
    const many = expectOk(await post('set-many', { secrets: [SECRET], only_linked: true }));
    expect(many.totals).to.deep.equal({ refreshed: 1 });
  });

  it('nothing that is only for what is linked keeps a link that is being unlinked', async () => {
    await scene.sealift.client.post(`${scene.driver.path}/pause`, {});
    expectOk(await post('remove', SECRET));
    await expectRefusals(409, 'the secret is being unlinked from this destination');
    const [record] = Object.values<{ unlinking?: true }>(expectOk(await read()).associated_secrets);
    expect(record?.unlinking).to.equal(true);
  });

  it('once it is unlinked, nothing that is only for what is linked links it again', async () => {
    await scene.sealift.client.post(`${scene.driver.path}/resume`, {});
    await eventually(async () => (await read()).status === 404);
    await expectRefusals(404, 'the secret is not associated with this destination');
    expect((await read()).status).to.equal(404);
    expect(scene.fake.entries().map(({ value }) => value)).to.deep.equal(['of somebody else']);
  });
});
