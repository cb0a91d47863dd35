import { expect } from 'chai';
import { findBarriers } from './support/axe.ts';
import { NARROW } from './support/browser.ts';
import { paste } from './support/paste.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

describe('lists in the forms of the console', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
  });

  after(() => scene.close());

  const rule = async (name: string) => (await scene.sealift.client.get(`/v1/sys/alerts/${name}`)).body.data;

  it('a rule for alerts is complete after an address was typed alone', async () => {
    const { page, context, faults } = await scene.signIn({ size: NARROW });
    await page.goto(`${scene.url}new-alert`);
    await page.getByLabel('Email addresses').fill('ana@example.com');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Alert rule alerts' }).waitFor();
    expect(await rule('alerts')).to.deep.include({
      addresses: ['ana@example.com'],
      quiet_from: '',
      quiet_time_zone: '',
    });
    await page.goto(`${scene.url}new-alert`);
    await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor();
    await page.locator('input[value="alerts-2"]').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a word that begins with another one of the list does not replace it', async () => {
    const { page, context, faults } = await scene.signIn({
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.goto(`${scene.url}alerts/alerts`);
    const field = page.getByLabel('Email addresses');
    await field.pressSequentially('ana@example.com.au');
    await page.keyboard.press('Enter');
    await paste(field, 'bo@example.com\ncy@example.com\n');
    for (const one of ['ana@example.com', 'ana@example.com.au', 'bo@example.com', 'cy@example.com'])
      await page.getByRole('button', { name: `Remove ${one}`, exact: true }).waitFor();
    await page.getByRole('button', { name: 'Remove bo@example.com' }).click();
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    expect((await rule('alerts')).addresses).to.deep.equal([
      'ana@example.com',
      'ana@example.com.au',
      'cy@example.com',
    ]);
    await field.fill('never@example.com');
    await page.getByRole('button', { name: 'Discard' }).click();
    expect(await field.inputValue()).to.equal('');
    expect(await page.getByRole('button', { name: /^Remove/ }).count()).to.equal(3);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('events, causes and days are check boxes in the words of people', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}alerts/alerts`);
    const events = page.getByRole('group', { name: 'Events' }).getByRole('checkbox');
    await events.first().waitFor();
    for (const event of await events.all()) await event.uncheck();
    await page.getByRole('checkbox', { name: 'No worker runs' }).check();
    await page.getByText('Only some causes, destinations or namespaces').click();
    await page.getByText('All except rate limits', { exact: true }).click();
    await page.getByRole('checkbox', { name: 'The store did not answer in time (timed_out)' }).check();
    await page.getByText('1 chosen', { exact: true }).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    expect(await rule('alerts')).to.deep.include({ happenings: ['workers.missing'], causes: ['timed_out'] });
    expect(await page.locator('main').innerText()).to.not.contain('associations.failing');
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
