import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { vercelSettings } from '../support/vercel-worker.ts';
import { answerDialog } from './support/answer.ts';
import { findBarriers } from './support/axe.ts';
import { openVercelConsole, type VercelConsole } from './support/vercel-scene.ts';

describe('settings that two tabs change alike', function () {
  let scene: VercelConsole['scene'];
  let close: VercelConsole['close'];

  before(async function () {
    this.timeout(600_000);
    ({ scene, close } = await openVercelConsole(vercelSettings('production'), {
      'site/one': { password: 'ours' },
    }));
  });

  after(() => close?.());

  const open = async (page: Page): Promise<void> => {
    await page.goto(`${scene.url}destinations/hosting-project/site/settings`);
    await page.getByRole('checkbox', { name: 'Preview' }).check();
    await page.getByLabel('Deletion policy').selectOption({ label: 'Retain' });
  };
  const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });

  it('the second tab says that its change is saved already, and shows what is saved', async () => {
    const [one, two] = await Promise.all([scene.signIn(), scene.signIn()]);
    await Promise.all([open(one.page), open(two.page)]);
    await save(one.page).click();
    await answerDialog(one.page, /^Save/);
    await one.page.getByText(/^Saved\./).waitFor();

    const { page } = two;
    await save(page).click();
    await answerDialog(page, /^Save/);
    const alert = page.getByRole('alert');
    await alert.getByText('What you chose is already saved, so there is nothing left to save.').waitFor();
    expect(await alert.getByRole('table').count()).to.equal(0);
    expect(await page.getByRole('button', { name: 'Reapply my changes' }).count()).to.equal(0);
    expect(await page.getByText(/haven’t been saved|Decide above/).count()).to.equal(0);
    expect(await save(page).isDisabled()).to.equal(true);
    expect(await findBarriers(page)).to.deep.equal([]);
    await alert.getByRole('button', { name: 'Show what is saved' }).click();
    await alert.waitFor({ state: 'detached' });
    expect(await page.getByRole('checkbox', { name: 'Preview' }).isChecked()).to.equal(true);
    expect(await page.getByLabel('Deletion policy').inputValue()).to.equal('retain');
    expect(await save(page).isDisabled()).to.equal(true);
    expect([...one.faults, ...two.faults]).to.deep.equal([]);
    await Promise.all([one.context.close(), two.context.close()]);
  });
});
