import { expect } from 'chai';
import type { RecordAnswer } from '../../services/api/contract/associations.ts';
import { eventually } from '../support/eventually.ts';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const KEYS = '/v1/sys/sync/destinations/cloud1-sm/keys';

describe('a link of which one key waits for a rate limit', function () {
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
    await scene.driver.write('app/keyed', { host: 'one', password: 'one', user: 'one' });
    await client.post(`${KEYS}/associations/set`, { mount: 'secret', secret_name: 'app/keyed' });
    await scene.waitForCounts({ SYNCED: 1 });
    const target = scene.fake.entries().find(({ name }) => name.includes('password'))?.name ?? '';
    scene.fake.addFault({ kind: 'throttle', target });
  });
  after(() => scene.close());

  it('the link is out of sync since its version was saved, and says that the other keys have it', async () => {
    const saved = Date.now();
    await scene.driver.write('app/keyed', { host: 'one', password: 'two', user: 'one' });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/keys/secret/secret/app/keyed`);
    const status = page.getByRole('region', { name: 'Status' });
    await status.getByText('1 of 3 keys', { exact: true }).waitFor();
    await status.getByText('password', { exact: true }).waitFor();
    const rows = page.getByRole('region', { name: 'In the store' }).getByRole('row');
    for (const key of ['host', 'user'])
      await rows.filter({ hasText: key }).getByText('v2 is in the store', { exact: true }).waitFor();
    await rows.filter({ hasText: 'password' }).getByText('Rate limited', { exact: true }).waitFor();
    // Over several attempts.
    const begins = await status.evaluate(async (head) => {
      const seen = new Set<string>();
      for (let looks = 0; looks < 80; looks += 1) {
        seen.add(head.querySelector('time')?.dateTime ?? '');
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return [...seen];
    });
    expect(begins).to.have.length(1);
    expect(Date.parse(begins[0] ?? '')).to.be.closeTo(saved, 3000);
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a newer version does not begin anew how long the link has been out of sync', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/keys/secret/secret/app/keyed`);
    const status = page.getByRole('region', { name: 'Status' });
    const begin = () => status.locator('time').first().getAttribute('datetime');
    await status.getByText('1 of 3 keys', { exact: true }).waitFor();
    await status.getByText('password', { exact: true }).waitFor();
    const first = await begin();
    scene.fake.addFault({ kind: 'throttle' });
    await scene.driver.write('app/keyed', { host: 'three', password: 'two', user: 'one' });
    await status.getByText('2 of 3 keys', { exact: true }).waitFor();
    expect(await begin()).to.equal(first);
    await scene.sealift.client.post(`${KEYS}/associations/set`, {
      mount: 'secret',
      secret_name: 'app/keyed',
    });
    await page.reload();
    await status.getByText(/^Out of sync for /).waitFor();
    expect(await begin()).to.equal(first);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a change in one entry counts that key alone, since it was found, until the limit ends', async () => {
    scene.fake.clearFaults();
    const body = { mount: 'secret', secret_name: 'app/keyed' };
    await scene.waitForCounts({ SYNCED: 1 });
    const own = scene.fake.entries().find(({ name }) => name.includes('user'));
    if (!own) throw new Error('there is no entry of user');
    scene.fake.plant({ ...own, value: 'theirs' });
    await scene.sealift.client.post(`${KEYS}/associations/verify`, body);
    const { body: answer } = await scene.sealift.client.get(
      `${KEYS}/associations?mount=secret&secret_name=app/keyed`,
    );
    const records: RecordAnswer[] = Object.values(answer.data.associated_secrets);
    const since = records.find(({ sub_key: key }) => key === 'user')?.drift?.since;
    scene.fake.addFault({ kind: 'throttle' });
    await scene.sealift.client.post(`${KEYS}/associations/set`, { ...body, conflict_policy: 'overwrite' });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/keys/secret/secret/app/keyed`);
    const status = page.getByRole('region', { name: 'Status' });
    await status.getByText('1 of 3 keys', { exact: true }).waitFor();
    await status.getByText('user', { exact: true }).waitFor();
    const rows = page.getByRole('region', { name: 'In the store' }).getByRole('row');
    for (const key of ['host', 'password'])
      await rows
        .filter({ hasText: key })
        .getByText(/^v\d is in the store$/)
        .waitFor();
    await status.getByText('Sealift does it once the rate limit of the store has ended.').waitFor();
    // Over several attempts.
    const seen = await status.evaluate(async (head) => {
      const begins = new Set<string>();
      const ways = new Set<boolean>();
      for (let looks = 0; looks < 80; looks += 1) {
        begins.add(head.querySelector('time')?.dateTime ?? '');
        ways.add(head.textContent.includes('at once if you choose Sync now'));
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return { begins: [...begins], ways: [...ways] };
    });
    expect(seen).to.deep.equal({ begins: [new Date(since ?? '').toISOString()], ways: [false] });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('refused credentials count only the keys whose newest value they keep from the store', async () => {
    scene.fake.clearFaults();
    const keyed = async () => {
      const path = `${KEYS}/associations?mount=secret&secret_name=app/keyed`;
      const { body } = await scene.sealift.client.get(path);
      return Object.values<{ sync_status: string }>(body.data.associated_secrets);
    };
    await eventually(async () => (await keyed()).every(({ sync_status: status }) => status === 'SYNCED'));
    scene.fake.addFault({ kind: 'revoked' });
    await scene.driver.write('app/keyed', { host: 'three', password: 'three', user: 'one' });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/keys/secret/secret/app/keyed`);
    const status = page.getByRole('region', { name: 'Status' });
    await status.getByText('1 of 3 keys', { exact: true }).waitFor();
    await status.getByText('password', { exact: true }).waitFor();
    const rows = page.getByRole('region', { name: 'In the store' }).getByRole('row');
    for (const key of ['host', 'user'])
      await rows.filter({ hasText: key }).getByText('v4 is in the store', { exact: true }).waitFor();
    await rows.filter({ hasText: 'password' }).getByText('Needs attention').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a cause that all keys share is told once', async () => {
    scene.fake.clearFaults();
    await scene.sealift.client.post(`${KEYS}/associations/set`, {
      mount: 'secret',
      secret_name: 'app/keyed',
    });
    await scene.waitForCounts({ SYNCED: 1 });
    scene.fake.addFault({ kind: 'denied' });
    await scene.driver.write('app/keyed', { host: 'five', password: 'five', user: 'five' });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/keys/secret/secret/app/keyed`);
    const entries = page.getByRole('region', { name: 'In the store' });
    await entries.getByText('Needs attention').nth(2).waitFor();
    const request = /^Request ID of the store: /;
    await page.getByRole('region', { name: 'Status' }).getByText(request).waitFor();
    expect(await entries.getByText(request).count()).to.equal(0);
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
