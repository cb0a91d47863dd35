import { expect } from 'chai';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

describe('incidents in the console', function () {
  this.timeout(90_000);
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
    await page.getByText('Healed by itself').waitFor();
    await page.getByText(/after [0-9]+ (s|min)/).waitFor();
    await page.getByLabel('Cause', { exact: true }).fill('conflict');
    await page.getByLabel('Cause', { exact: true }).press('Enter');
    await page.getByText('No matching incidents').waitFor();
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await page.getByLabel('Destination', { exact: true }).fill('prod');
    await page.getByLabel('Destination', { exact: true }).press('Enter');
    await page.waitForURL(/destination=cloud1-sm%2Fprod/);
    await page.getByText('Healed by itself').waitFor();
    await page.getByRole('button', { name: 'Last 24 hours' }).click();
    await page.waitForURL(/since=/);
    await page.getByText('Healed by itself').waitFor();
    const until = page.getByLabel('Until');
    await until.fill('2020-01-01T00:00');
    await until.press('Enter');
    await page.getByText('No matching incidents').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);

    await page.goto(`${scene.url}destinations/cloud1-sm/prod`);
    await page.getByRole('link', { name: 'Activity', exact: true }).click();
    await page.getByRole('heading', { name: 'Incidents' }).waitFor();
    await page.getByText('Healed by itself').waitFor();
    await page.getByText('Created the destination').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);

    await page.goto(`${scene.url}access/sessions`);
    await page.getByRole('link', { name: 'Activity of root' }).first().click();
    await page.waitForURL(/audit\?actor=root/);
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
