import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { cloud1Settings } from '../support/sandboxed.ts';
import { createSyncDriver } from '../support/sync-driver.ts';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

describe('incidents in the console', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene({ RETRY_MIN: '50', RETRY_MAX: '500' });
    await scene.link('app/db');
    await scene.waitForCounts({ SYNCED: 1 });
  });

  after(() => scene.close());

  it('the timeline shows what failed in a time, that it healed, and who does what', async () => {
    const { page, context, faults } = await scene.enter();
    scene.fake.addFault({ kind: 'error', status: 500, operation: 'PutSecretValue' });
    await scene.driver.write('app/db', { user: 'app', password: 'another-value' });
    await page.getByRole('link', { name: 'Problems' }).click();
    await page.getByRole('link', { name: 'Timeline' }).click();
    await page.getByText('Still failing').waitFor();
    expect(await page.getByText(/Times are in \S+\./).count()).to.equal(1);
    expect(await findBarriers(page)).to.deep.equal([]);
    scene.fake.clearFaults();
    await page.getByText('Ended after an automatic retry').waitFor();
    await page.getByText(/lasted [0-9]+ (s|min)/).waitFor();
    await page.getByLabel('Cause', { exact: true }).fill('conflict');
    await page.getByLabel('Cause', { exact: true }).press('Enter');
    await page.getByText('No matching incidents').waitFor();
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await page.getByLabel('Destination', { exact: true }).fill('pro');
    await page.getByLabel('Destination', { exact: true }).press('Enter');
    await page.waitForURL(/destination=cloud1-sm%2Fprod/);
    await page.getByText('Ended after an automatic retry').waitFor();
    await page.getByRole('button', { name: 'Last 24 hours' }).click();
    await page.waitForURL(/since=/);
    await page.getByText('Ended after an automatic retry').waitFor();
    await page.getByRole('button', { name: 'Last 24 hours', pressed: true }).waitFor();
    await page.getByText(/^Time range: from .+ until now\. Times are in \S+\.$/).waitFor();
    const until = page.getByLabel('Until');
    await until.fill('2020-01-01T00:00');
    await until.press('Enter');
    await page.getByText('From is later than Until').waitFor();
    expect(await page.getByRole('row').count()).to.equal(0);
    expect(await until.getAttribute('aria-invalid')).to.equal('true');
    await page.getByRole('alert').getByText('Must be later than From.').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);

    await page.goto(`${scene.url}destinations/cloud1-sm/prod`);
    await page.getByRole('link', { name: 'Activity', exact: true }).click();
    await page.getByRole('heading', { name: 'Incidents' }).waitFor();
    await page.getByText('Ended after an automatic retry').waitFor();
    await page.getByText('Created the destination').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);

    await page.goto(`${scene.url}access/sessions`);
    await page.getByRole('link', { name: 'Activity of root' }).first().click();
    await page.waitForURL(/audit\?actor=root/);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('an incident says after what it ended, and leads to what was done meanwhile', async () => {
    const { page, context, faults } = await scene.signIn();
    await scene.link('app/web');
    await scene.driver.settles('app/web', 'SYNCED');
    scene.fake.addFault({ kind: 'denied', operation: 'PutSecretValue' });
    await scene.driver.write('app/web', { user: 'refused' });
    await scene.driver.settles('app/web', 'CLIENT_SIDE_ERROR');
    await page.goto(`${scene.url}problems/timeline?open=true`);
    await page.getByRole('link', { name: '1 link now' }).click();
    await page.waitForURL(/prod\?cause=permission_missing/);
    await page.getByRole('link', { name: /^secret\/app\/web.*Needs attention/ }).waitFor();
    scene.fake.clearFaults();
    await scene.driver.write('app/web', { user: 'accepted' });
    await scene.driver.settles('app/web', 'SYNCED');
    await page.goto(`${scene.url}problems/timeline?cause=permission_missing`);
    const row = page.getByRole('row', { name: /Permission missing/ });
    await row.getByText(/^Ended after root saved v\d/).waitFor();
    expect(await page.getByText('Fixed by').count()).to.equal(0);
    await row.getByRole('link', { name: /^saved v\d+$/ }).click();
    await page.waitForURL(/activity\/secret\/app\/web\?since=.*&until=/);
    await page
      .getByText(/Saved version \d/)
      .first()
      .waitFor();
    await page.goBack();
    await row.getByRole('link', { name: 'Attempts of secret/app/web' }).click();
    await page.getByRole('row', { name: /Tried to update.*lacks a permission/s }).waitFor();
    await page.goBack();
    await row.getByRole('link', { name: 'Activity in this time' }).click();
    await page.waitForURL(/prod\/history\?since=.*&until=/);
    await page.getByRole('region', { name: 'Incidents' }).getByText('Permission missing').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.goBack();
    await row.getByRole('link', { name: 'secret/app/web', exact: true }).click();
    await page.waitForURL(/prod\/secret\/secret\/app\/web/);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('an incident still names the rule that told of it once that rule is deleted', async () => {
    const { page, context, faults } = await scene.signIn();
    const { client, context: services } = scene.sealift;
    await client.post('/v1/sys/alerts/pager', { addresses: ['bo@example.com'] });
    const { id } = await services.db('alert_rules').where({ name: 'pager' }).first('id');
    const { opened_at: time } = await services
      .db('sync_incidents')
      .where({ code: 'permission_missing' })
      .first('opened_at');
    const data = {
      destination: { namespace: '', type: 'cloud1-sm', name: 'prod' },
      total: 1,
      associations: [{ mount: 'secret', secret_name: 'app/web', code: 'permission_missing' }],
    };
    await services.db('notifications').insert({
      id: 'ntf_pager',
      kind: 'associations.failing',
      happened_at: time,
      data: JSON.stringify(data),
    });
    await services.db('alert_deliveries').insert({
      rule_id: id,
      notification_id: 'ntf_pager',
      channel: 'email',
      recipient: 'bo@example.com',
      message_id: 'msg_pager',
      queued_at: time,
      delivered_at: time,
    });
    await page.goto(`${scene.url}problems/timeline?cause=permission_missing`);
    const row = page.getByRole('row', { name: /Permission missing/ });
    await row.getByText(/^Alert sent .* by pager$/).waitFor();
    await row.getByRole('link', { name: 'pager' }).waitFor();
    await client.delete('/v1/sys/alerts/pager');
    await page.reload();
    await row.getByText(/^Alert sent .* by pager \(deleted\)$/).waitFor();
    expect(await row.getByRole('link', { name: 'pager' }).count()).to.equal(0);
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a span shows nothing if its From is later than its Until, or in the future', async () => {
    const { page, context, faults } = await scene.signIn();
    const { db } = scene.sealift.context;
    const destination = await db('destinations').first('id');
    await db('sync_incidents').insert({
      namespace_id: 'root',
      destination_id: destination.id,
      code: 'too_large',
      cause: JSON.stringify({ class: 'CLIENT_SIDE_ERROR', code: 'too_large', message: 'too large' }),
      opened_at: new Date(0),
      closed_at: new Date(),
      associations: 0,
      most: 1,
      ended: 'itself',
    });
    const hasNone = async (query: string, title: string): Promise<void> => {
      await page.goto(`${scene.url}problems/timeline?${query}`);
      await page.getByRole('heading', { name: title }).waitFor();
      expect(await page.getByRole('row').count()).to.equal(0);
      expect(await page.getByText(/^Time range/).count()).to.equal(0);
      await page.goto(`${scene.url}audit?${query}`);
      await page.getByRole('heading', { name: title }).waitFor();
      expect(await page.getByText('Entries are kept').count()).to.equal(0);
      expect(await page.getByRole('button', { name: 'Export CSV', disabled: true }).count()).to.equal(1);
    };
    await hasNone('since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z', 'From is later than Until');
    await hasNone('since=2999-01-01T00:00:00Z', 'From is in the future');
    await page.getByRole('alert').getByText('Must not be in the future.').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await page.getByRole('button', { name: 'Export CSV', disabled: false }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a deleted destination leads to its incidents and to what the trail tells of it', async () => {
    const { page, context, faults } = await scene.signIn();
    const temp = createSyncDriver(scene.sealift, 'cloud1-sm', 'temp');
    await temp.configure(cloud1Settings());
    await temp.write('app/temp', { user: 'app' });
    scene.fake.addFault({ kind: 'denied', operation: 'CreateSecret' });
    await temp.associate('app/temp');
    await temp.settles('app/temp', 'CLIENT_SIDE_ERROR');
    scene.fake.clearFaults();
    await temp.dissociate('app/temp');
    await eventually(async () => (await scene.sealift.client.delete(temp.path)).status === 204);
    await page.goto(`${scene.url}problems/timeline`);
    const row = page.getByRole('row', { name: /temp .*\(deleted\)/ });
    const name = page.getByLabel('Destination', { exact: true });
    await name.fill('temp');
    await name.press('Enter');
    await page.getByText('No destination matches. Choose one.').waitFor();
    await name.fill('cloud1-sm/temp');
    await name.press('Enter');
    await page.waitForURL(/timeline\?destination=cloud1-sm%2Ftemp/);
    await page.getByRole('row', { name: /Permission missing/ }).waitFor();
    await page.goto(`${scene.url}problems/timeline`);
    await row.getByRole('link', { name: /^temp/ }).click();
    await page.waitForURL(/timeline\?destination=cloud1-sm%2Ftemp/);
    await page.getByRole('link', { name: 'Activity in this time' }).click();
    await page.waitForURL(/audit\?.*destination=cloud1-sm%2Ftemp/);
    await page.getByText(/Deleted the destination/).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a part of a cause is enough if one cause has it, and otherwise the field asks to choose', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}problems/timeline`);
    const cause = page.getByLabel('Cause', { exact: true });
    await cause.fill('store');
    await cause.press('Enter');
    await page.getByText(/^\d+ causes match\. Choose one\.$/).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole('option', { name: /^Store cannot be reached/ }).click();
    await page.waitForURL(/cause=unreachable/);
    await page.getByText('No matching incidents').waitFor();
    await cause.fill('no such thing');
    await cause.press('Enter');
    await page.getByText('No cause matches. Choose one.').waitFor();
    await cause.fill('mission miss');
    await cause.press('Enter');
    await page.waitForURL(/cause=permission_missing/);
    expect(await cause.inputValue()).to.equal('Permission missing');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a button folds the filters on a phone, and says how many of them are set', async () => {
    const { page, context, faults } = await scene.signIn({ size: { width: 390, height: 844 } });
    await page.goto(`${scene.url}problems/timeline`);
    const first = page.getByRole('row').nth(1);
    await first.waitFor();
    expect((await first.boundingBox())?.y).to.be.below(422);
    await page.getByRole('button', { name: 'Filters', exact: true, expanded: false }).click();
    await page.getByRole('button', { name: 'Last 7 days' }).click();
    await page.getByLabel('Only open incidents').check();
    await page.getByRole('button', { name: 'Filters (2 set)', expanded: true }).click();
    await page.getByLabel('Cause', { exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await page.getByRole('button', { name: 'Filters', exact: true }).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
