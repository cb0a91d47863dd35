import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { answerDialog } from './support/answer.ts';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const PHONE = { width: 390, height: 844 };
const SETTINGS = 'destinations/cloud1-sm/prod/settings';
const FOCUSED = 'document.activeElement.id';

describe('replacing what is stored in a form of the console', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    await scene.link('app/db');
    await scene.waitForCounts({ SYNCED: 1 });
  });

  after(() => scene.close());

  it('Replace puts the cursor into the field, and Undo back at the button, also on a phone', async () => {
    const { page, context, faults } = await scene.signIn({ size: PHONE });
    await page.goto(`${scene.url}${SETTINGS}`);
    const replace = page.getByRole('button', { name: 'Replace Secret access key' });
    await replace.click();
    await page.keyboard.type('typed at once');
    const field = page.getByLabel('Secret access key', { exact: true });
    expect(await field.inputValue()).to.equal('typed at once');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('button[aria-label="Replace Secret access key"]:focus').waitFor();
    await page.keyboard.press('Enter');
    expect(await field.getAttribute('id')).to.equal(await page.evaluate(FOCUSED));
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).to.equal(true);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a value of a secret that is replaced or revealed has the cursor too', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}secrets/secret/app/db`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('button', { name: 'Replace password' }).click();
    await page.keyboard.type('a new one');
    expect(await page.getByLabel('New value of password').inputValue()).to.equal('a new one');
    await page.getByRole('button', { name: 'Reveal and change user' }).click();
    const user = page.getByLabel('New value of user');
    await user.waitFor();
    expect(await user.getAttribute('aria-label')).to.equal(
      await page.evaluate('document.activeElement.getAttribute("aria-label")'),
    );
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a test that is refused leads to the wrong field by its label, and a later save clears it', async () => {
    const { page, context, faults } = await scene.signIn({ size: PHONE });
    await page.goto(`${scene.url}${SETTINGS}`);
    await page.getByRole('button', { name: 'Replace Secret access key' }).click();
    const field = page.getByLabel('Secret access key', { exact: true });
    await field.fill('a');
    await field.fill('');
    await page.getByRole('button', { name: 'Test connection' }).click();
    const said = page.getByText('Not tested. Check Secret access key.');
    await said.waitFor();
    await page.getByText('Enter a value, or press Undo to keep the stored one.').waitFor();
    expect(await field.getAttribute('id')).to.equal(await page.evaluate(FOCUSED));
    expect(await page.locator('main').innerText()).to.not.match(/secret_access_key|Request /);
    expect(await findBarriers(page)).to.deep.equal([]);
    await field.fill('a-secret-key');
    expect(await said.count()).to.equal(0);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Save/ }).click();
    await page.getByText('Saved. Credentials accepted').waitFor();
    expect(await page.locator('main').getByRole('alert').count()).to.equal(0);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a secret that is opened to be replaced is neither saved nor tested while it is empty', async () => {
    const { page, context, faults } = await scene.signIn();
    const sent: string[] = [];
    page.on('request', (request) => {
      if (['PATCH', 'POST'].includes(request.method())) sent.push(request.url());
    });
    await page.goto(`${scene.url}${SETTINGS}`);
    await page.getByRole('button', { name: 'Replace Secret access key' }).click();
    await page.getByRole('button', { name: 'Replace Access key ID' }).click();
    await page.getByLabel('Access key ID', { exact: true }).fill('AKIAWRONG');
    sent.length = 0;
    for (const [button, said] of [
      ['Test connection', 'Not tested.'],
      ['Save', 'Not saved.'],
    ] as const) {
      await page.getByRole('button', { name: button, exact: true }).click();
      await page.getByText(`${said} Check Secret access key.`).waitFor();
    }
    expect(sent.filter((url) => url.includes('/destinations/'))).to.deep.equal([]);
    await page.getByLabel('Secret access key', { exact: true }).fill('a-wrong-key');
    await page.getByRole('button', { name: 'Test connection' }).click();
    const answer = page.getByText('Credentials rejected: ');
    await answer.waitFor();
    expect(await answer.innerText()).to.not.match(/stored credentials|access_key_id/);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a dialog that closes gives the focus back to where it was, or to what is nearest', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${SETTINGS}`);
    await page.getByText('Sync options', { exact: true }).click();
    await page.getByLabel('If the latest version is deleted').selectOption('remove');
    const save = page.getByRole('button', { name: 'Save', exact: true });
    const dialog = page.getByRole('dialog');
    await save.click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await eventually(async () => (await page.evaluate('document.activeElement.textContent')) === 'Save');
    await save.click();
    await dialog.getByRole('button', { name: /^Save/ }).click();
    await page.getByText('Saved.').waitFor();
    await eventually(
      async () => (await page.evaluate('document.activeElement.closest("form") !== null')) === true,
    );
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the bar at the end of a form covers little of a phone, whatever was tested', async () => {
    const { page, context, faults } = await scene.signIn({ size: PHONE });
    await page.goto(`${scene.url}${SETTINGS}`);
    await page.getByRole('button', { name: 'Replace Secret access key' }).click();
    await page.getByLabel('Secret access key', { exact: true }).fill('a-wrong-key');
    await page.getByRole('button', { name: 'Test connection' }).click();
    const result = page.getByText('Credentials rejected');
    await result.waitFor();
    await page.evaluate('scrollTo(0, 0)');
    const save = await page.getByRole('button', { name: 'Save', exact: true }).boundingBox();
    expect(PHONE.height - (save?.y ?? 0)).to.be.at.most(80);
    await page.evaluate('scrollTo(0, 0)');
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/check', async (route) => {
      await released;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Test connection' }).click();
    await result.waitFor({ state: 'detached' });
    release();
    await result.waitFor();
    const box = await result.boundingBox();
    expect(box?.y).to.be.within(0, PHONE.height);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('Set credentials opens only the field that the store complains of, and the other is kept', async () => {
    const { fake, driver } = scene;
    fake.giveOut('AKIAEXAMPLEONE', 'another-secret');
    await driver.write('app/db', { user: 'app', password: 'newest' });
    const { page, context, faults } = await scene.signIn({ size: PHONE });
    await page.goto(`${scene.url}destinations/cloud1-sm/prod`);
    await page.getByText('The signature was refused').first().waitFor();
    await page.getByRole('link', { name: 'Set credentials' }).click();
    await page.locator('input[type="password"]:focus').waitFor();
    await page.getByRole('button', { name: 'Replace Access key ID' }).waitFor();
    const subject = await page.locator('form').getByText('prod', { exact: true }).boundingBox();
    expect(subject?.y).to.be.within(1, PHONE.height - (subject?.height ?? 0));
    await page.keyboard.type('another-secret');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await answerDialog(page, /^Save and change/);
    await page.getByText(/Saved. Credentials accepted .* Its secret is in sync\./).waitFor();
    expect(await page.getByText('AKIAEXAMPLEONE').count()).to.be.greaterThan(0);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('Set credentials opens their fields, and a failing destination says why and since when', async () => {
    const { fake, driver } = scene;
    fake.revoke('AKIAEXAMPLEONE');
    await driver.write('app/db', { user: 'app', password: 'newer' });
    await scene.waitForCounts({ CLIENT_SIDE_ERROR: 1 });
    const { page, context, faults } = await scene.signIn({ size: PHONE });
    await page.goto(`${scene.url}destinations/cloud1-sm/prod`);
    await page.getByText(/1 link failing for \d+ (?:s|min)/).waitFor();
    await page.getByRole('link', { name: 'Set credentials' }).click();
    const field = page.locator('input[placeholder="AKIAEXAMPLEONE"]:focus');
    await field.waitFor();
    await page.getByText(/1 link failing for/).waitFor();
    await eventually(async () => {
      const save = await page.getByRole('button', { name: 'Save', exact: true }).boundingBox();
      const box = await field.boundingBox();
      return expect((box?.y ?? 0) + (box?.height ?? 0), 'above the bar').to.be.within(1, (save?.y ?? 0) - 8);
    });
    await page.getByLabel('Secret access key', { exact: true }).waitFor();
    // Nothing was typed, so leaving asks nothing.
    await page.getByRole('link', { name: 'Activity', exact: true }).click();
    await page.waitForURL(/history$/);
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('Set credentials keeps its field in sight when what stands above it loads later', async () => {
    for (const size of [PHONE, { width: 1440, height: 900 }]) {
      const { page, context, faults } = await scene.signIn({ size });
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      await page.route(/failing-notice[^/]*\.js$/, async (route) => {
        await released;
        await route.continue();
      });
      await page.goto(`${scene.url}${SETTINGS}#credentials`);
      const field = page.locator('input[placeholder="AKIAEXAMPLEONE"]:focus');
      await field.waitFor();
      await page.evaluate('scrollTo(0, 0)');
      release();
      await page.getByText(/1 link failing for/).waitFor();
      const save = page.getByRole('button', { name: 'Save', exact: true });
      await eventually(async () => {
        const [end, box] = [await save.boundingBox(), await field.boundingBox()];
        return expect((box?.y ?? 0) + (box?.height ?? 0)).to.be.within(1, (end?.y ?? 0) - 8);
      });
      expect(faults).to.deep.equal([]);
      await context.close();
    }
  });

  it('a save with credentials that the store refuses says at last how many links fail, and why', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${SETTINGS}`);
    await page.getByRole('button', { name: 'Replace Secret access key' }).click();
    await page.keyboard.type('not-the-secret');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await answerDialog(page, 'Save anyway', 'prod');
    await page
      .getByText(/^Saved\. Credentials rejected.* Its secret fails: Credentials refused\.$/)
      .waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
