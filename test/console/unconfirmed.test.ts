import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { SHORT_LIMITS } from '../faults/short-limits.ts';
import { linkKeyed } from './support/keyed.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

describe('what the page of a link says of each of its entries', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene({ ...SHORT_LIMITS, RETRY_MIN: '3000', RETRY_MAX: '3000' });
  });
  after(() => scene.close());

  const attempts = async (): Promise<{ outcome: string }[]> => {
    const path = `${scene.driver.path}/associations/history?mount=secret&secret_name=app/db`;
    return (await scene.sealift.client.get(path)).body.data.history;
  };

  it('a version that the store took is to be confirmed, also once writing it again fails', async () => {
    await scene.link('app/db');
    await scene.waitForCounts({ SYNCED: 1 });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/db`);
    scene.fake.addFault({ kind: 'held', operation: 'PutSecretValue', times: 1 });
    await scene.driver.write('app/db', { user: 'second' });
    await eventually(async () => (await attempts())[0]?.outcome === 'SYNCING');
    scene.fake.addFault({ kind: 'error', status: 503 });
    await scene.driver.settles('app/db', 'EXTERNAL_SERVICE_ERROR');
    await page.getByRole('region', { name: 'Status' }).getByText('Store failed').waitFor();
    await page.getByRole('cell', { name: 'v2 (to be confirmed)', exact: true }).waitFor();
    expect(await page.getByText('store has v1').count()).to.equal(0);
    scene.fake.clearFaults();
    await scene.driver.settles('app/db', 'SYNCED');
    scene.fake.addFault({ kind: 'error', status: 503 });
    await scene.sealift.client.post('/v1/secret/delete/app/db', { versions: [2] });
    await page.getByRole('cell', { name: 'v1 (store has v2, or already v1)', exact: true }).waitFor();
    scene.fake.clearFaults();
    await scene.driver.settles('app/db', 'SYNCED');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the head names what someone did to each key, if it is not the same', async () => {
    const keys = await linkKeyed(scene, { first: 'one', second: 'one' });
    await scene.waitForCounts({ SYNCED: 2 });
    const known = scene.fake.entries().find(({ name }) => name === 'keyed/first');
    scene.fake.plant({ ...known, name: 'keyed/first', value: 'of a colleague' });
    scene.fake.discard('keyed/second');
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/keys/secret/secret/keyed`);
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    const status = page.getByRole('region', { name: 'Status' });
    await status.getByText('Someone changed this entry').waitFor();
    const later = status.getByText(
      'Deleted in the store: second. The next new version of this secret writes it again.',
    );
    await later.waitFor();
    scene.fake.addFault({ kind: 'error', status: 503 });
    const keyed = { mount: 'secret', secret_name: 'keyed' };
    await scene.sealift.client.post(`${keys}/associations/set`, { ...keyed, only_seen: true });
    await status
      .getByText('Deleted in the store: second. Sealift writes it again at the same time.')
      .waitFor();
    await eventually(async () => {
      const { status: code } = await scene.sealift.client.post(`${keys}/associations/withdraw`, keyed);
      return code === 200;
    });
    scene.fake.clearFaults();
    await later.waitFor();
    await status.getByText(/^Unlink deletes all entries of this link from the store/).waitFor();
    const { status: saved } = await scene.sealift.client.patch(
      keys,
      { deletion_policy: 'retain' },
      { headers: { 'content-type': 'application/merge-patch+json' } },
    );
    expect(saved).to.equal(200);
    const history = page.getByRole('region', { name: 'History' });
    await history
      .getByRole('row', { name: /Destination/ })
      .filter({ hasText: 'left it' })
      .waitFor();
    expect(await status.getByText('was asked for').count(), 'nobody asked for it').to.equal(0);
    scene.fake.discard('keyed/first');
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await status
      .getByText(
        'To leave it deleted, remove the key from the secret. (Unlink deletes the entries of the other keys, too.)',
      )
      .waitFor();
    await scene.sealift.client.post(`${keys}/associations/set`, keyed);
    await scene.waitForCounts({ SYNCED: 2 });
    const rewritten = scene.fake.entries().find(({ name }) => name === 'keyed/first');
    scene.fake.plant({ ...rewritten, name: 'keyed/first', value: 'of another colleague' });
    scene.fake.discard('keyed/second');
    await scene.sealift.client.post(`${keys}/associations/verify`, keyed);
    await scene.sealift.client.post(`${keys}/pause`, {});
    await scene.driver.write('keyed', { first: 'two', second: 'two' });
    await status
      .getByText(
        /^Overwriting what someone changed in the store, and writing again what someone deleted there,/,
      )
      .waitFor();
    await status
      .getByText('Deleted in the store: second. Sealift writes it again once the pause ends.')
      .waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
