import { expect } from 'chai';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const KEYS = '/v1/sys/sync/destinations/cloud1-sm/keys';

describe('what the console says of changes that wait for their store', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    const { client } = scene.sealift;
    await client.post(KEYS, {
      access_key_id: 'AKIAEXAMPLEONE',
      secret_access_key: 'a-secret-key',
      region: 'eu-central-1',
      granularity: 'secret-key',
    });
    for (const path of ['app/keyed', 'app/limited']) {
      await scene.driver.write(path, { password: 'one', user: 'app' });
      await client.post(`${KEYS}/associations/set`, { mount: 'secret', secret_name: path });
    }
    await scene.waitForCounts({ SYNCED: 2 });
  });
  after(() => scene.close());

  it('a rate-limited link tells why, since when, and what the store has of each of its keys', async () => {
    scene.fake.addFault({ kind: 'throttle', status: 429, retryAfterSeconds: 50 });
    await scene.driver.write('app/limited', { password: 'two', user: 'app' });
    await scene.waitForCounts({ THROTTLED: 1 });
    await scene.driver.write('app/keyed', { key: 'two', salt: 'two' });
    await scene.waitForCounts({ THROTTLED: 2 });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/keys/secret/secret/app/keyed`);
    const status = page.getByRole('region', { name: 'Status' });
    await status.getByText(/^Out of sync for \d+ (?:s|min) /).waitFor();
    await status.getByText(/^resumes in \d+ s /).waitFor();
    await status
      .getByText('The store refuses calls for now: its rate limit was reached. The change is kept.')
      .waitFor();
    const entries = page.getByRole('region', { name: 'In the store' });
    const row = (key: string) =>
      entries.getByRole('row').filter({ has: page.getByRole('cell', { name: key, exact: true }) });
    for (const key of ['password', 'user']) await row(key).getByText('v1 (v2 has no such key)').waitFor();
    for (const key of ['key', 'salt']) await row(key).getByText('v2 (not in the store yet)').waitFor();
    await page.goto(`${scene.url}destinations/cloud1-sm/keys/secret/secret/app/limited`);
    await status.getByText('1 of 2 keys', { exact: true }).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the activity of a secret tells of each version that waits, and what holds it back', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}activity/secret/app/keyed`);
    await page.getByText(/^Version 2 waits for .*keys.*: rate limited until \d+ \w+ 2\d{3}, .*\.$/).waitFor();
    await scene.sealift.client.post(`${KEYS}/pause`, { reason: 'a move' });
    await page.reload();
    await page
      .getByText(/^Version 2 waits for .*keys.*: paused by root since \d+ \w+ 2\d{3}, .*\.$/)
      .waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the history of a link says "rate limited" of a store that asks to wait, and its words once', async () => {
    scene.fake.clearFaults();
    await scene.link('app/db');
    await scene.driver.settles('app/db', 'SYNCED');
    scene.fake.addFault({ kind: 'throttle' });
    await scene.driver.write('app/db', { value: 'too much' });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/db`);
    const history = page.getByRole('region', { name: 'History' });
    await history
      .getByRole('row', { name: /Tried to update.*Rate limited/s })
      .nth(1)
      .waitFor();
    // What each of the attempts was refused with is folded away.
    expect(
      await history
        .getByText(/its rate limit was reached/)
        .filter({ visible: true })
        .count(),
    ).to.equal(1);
    expect(await history.getByText('Store error').count()).to.equal(0);
    expect(faults).to.deep.equal([]);
    scene.fake.clearFaults();
    await context.close();
  });

  it('a rate-limited link that is tried every second says one thing, and does not flicker', async () => {
    scene.fake.clearFaults();
    await scene.link('app/often');
    await scene.driver.settles('app/often', 'SYNCED');
    scene.fake.addFault({ kind: 'throttle', target: 'app/often' });
    await scene.driver.write('app/often', { value: 'newer' });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/often`);
    const status = page.getByRole('region', { name: 'Status' });
    await status.getByText(/^Out of sync for /).waitFor();
    const texts = await status.evaluate(async (head) => {
      const seen = new Set<string>();
      for (let looks = 0; looks < 50; looks += 1) {
        seen.add(head.textContent.replace(/Out of sync for .*? UTC/, ''));
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return [...seen];
    });
    expect(texts).to.have.length(1);
    expect(texts[0]).to.match(/^Rate limitedtried again within seconds/);
    scene.fake.clearFaults();
    scene.fake.addFault({ kind: 'hang', target: 'app/often', times: 1 });
    await scene.driver.settles('app/often', 'SYNCING');
    await status.getByText('tried again within seconds', { exact: true }).waitFor();
    scene.fake.clearFaults();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a link that waits behind others for a rate limit says so until its turn has come', async () => {
    scene.fake.clearFaults();
    const names = ['turn/a', 'turn/b', 'turn/c', 'turn/d'];
    for (const name of names) await scene.link(name);
    for (const name of names) await scene.driver.settles(name, 'SYNCED');
    scene.fake.addFault({ kind: 'limit', writes: 1, perMs: 4000 });
    for (const name of names) await scene.driver.write(name, { value: 'newer' });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/turn/d`);
    const status = page.getByRole('region', { name: 'Status' });
    await status.getByText(/^Out of sync for /).waitFor();
    const seen = await status.evaluate(async (head) => {
      const all = new Set<string>();
      for (let looks = 0; looks < 400 && !head.textContent.startsWith('In sync'); looks += 1) {
        all.add(head.textContent.slice(0, 12));
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return [...all];
    });
    expect(seen).to.deep.equal(['Rate limited']);
    scene.fake.clearFaults();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a destination that was resumed says what is tried, and no longer than that is news', async () => {
    await scene.sealift.client.post('/v1/sys/sync/destinations/cloud1-sm/prod/pause', {});
    const { page, context, faults } = await scene.signIn();
    await page.clock.install();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/turn/d`);
    await page.getByRole('button', { name: 'Resume…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resume', exact: true }).click();
    const said = page.getByText('Syncing to prod goes on.');
    await said.waitFor();
    await page.clock.fastForward(11_000);
    await said.waitFor({ state: 'detached', timeout: 5000 });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the history and the activity say how long a change waited, and what for', async () => {
    const { client, context: service } = scene.sealift;
    await client.post(`${KEYS}/pause`, {});
    await scene.driver.write('app/keyed', { password: 'two', user: 'app' });
    await service.db('associations').update({
      trigger: service.db.raw(`trigger || jsonb_build_object('at', (trigger -> 'at')::bigint - 120)`),
    });
    await client.post(`${KEYS}/resume`, {});
    const { page, context, faults } = await scene.signIn();
    const waited = page.getByText(/^Waited 2 min, since \d.* UTC: Paused$/);
    for (const path of ['destinations/cloud1-sm/keys/secret/secret/app/keyed', 'activity/secret/app/keyed']) {
      await page.goto(`${scene.url}${path}`);
      await waited.first().waitFor();
    }
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
