import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { answerDialog } from './support/answer.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const LINK = 'destinations/cloud1-sm/prod/secret/secret';
// More than the store takes.
const LARGE = 'x'.repeat(70_000);

describe('what the console offers about a cause', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
  });

  after(() => scene.close());

  it('a value that the store refuses leads to its secret, and a useless retry is not offered', async () => {
    await scene.link('app/large', { text: 'small' });
    await scene.driver.settles('app/large', 'SYNCED');
    await scene.driver.write('app/large', { text: LARGE });
    await scene.driver.settles('app/large', 'CLIENT_SIDE_ERROR');
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}problems`);
    const row = page.getByRole('row', { name: /value_too_large/ });
    const remedy = row.getByRole('link', { name: 'Edit or roll back the secret' });
    await remedy.waitFor();
    expect(await row.getByRole('button', { name: /^Retry/ }).count()).to.equal(0);
    await remedy.click();
    await page.getByRole('heading', { name: 'secret/app/large' }).waitFor();
    await page.goto(`${scene.url}${LINK}/app/large`);
    await page.getByRole('link', { name: 'Edit or roll back the secret' }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('conflicts are decided entry by entry, not by the policy of the whole destination', async () => {
    for (const name of ['app/one', 'app/two']) {
      scene.fake.plant({ name, value: 'of somebody else' });
      await scene.link(name);
      await scene.driver.settles(name, 'CLIENT_SIDE_ERROR');
    }
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}problems`);
    const row = page.getByRole('row', { name: /conflict/ });
    await row.getByRole('link', { name: 'Resolve each one' }).click();
    await page.getByText('secret/app/two').waitFor();
    expect(await page.getByText('secret/app/large').count()).to.equal(0);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a name in the store that another link has is not offered for a rename', async () => {
    for (const name of ['app/left', 'app/right']) {
      await scene.link(name);
      await scene.driver.settles(name, 'SYNCED');
    }
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${LINK}/app/left`);
    await page.getByRole('button', { name: 'Give the link another name…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name in the store').fill('app/right');
    await dialog.getByRole('button', { name: 'Preview changes' }).click();
    await dialog.getByText('This name is taken.').waitFor();
    expect(await dialog.getByLabel(/to confirm/).count()).to.equal(0);
    expect(await dialog.getByRole('button', { name: /^Rename/ }).count()).to.equal(0);
    expect(await dialog.getByLabel('Name in the store').inputValue()).to.equal('app/right');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the page of an entry that someone changed says how to keep either value', async () => {
    await scene.link('app/fixed');
    await scene.driver.settles('app/fixed', 'SYNCED');
    // As a console of the store writes it: without our mark.
    scene.fake.plant({ name: 'app/fixed', value: 'an emergency fix by hand' });
    const secret = { mount: 'secret', secret_name: 'app/fixed' };
    await scene.sealift.client.post(`${scene.driver.path}/associations/verify`, secret);
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}problems`);
    await page
      .getByRole('row', { name: /changed_outside/ })
      .getByRole('link', { name: 'Resolve drift' })
      .click();
    const status = page.getByRole('region', { name: 'Status' });
    await status.getByText('To restore Sealift’s value, choose Sync now').waitFor();
    await status.getByText('Then both have the same value.').waitFor();
    await status.getByText('Unlink deletes the entry from the store').waitFor();
    await status.getByRole('link', { name: 'save it in the secret' }).click();
    await page.getByRole('heading', { name: 'secret/app/fixed' }).waitFor();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('dialog').getByText('Someone changed the entry in').waitFor();
    await page.keyboard.press('Escape');
    await page.goBack();
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    const found = page.getByText('was changed in the store');
    await found.waitFor();
    await page.getByRole('button', { name: 'Sync now', exact: true }).click();
    await answerDialog(page, 'Write 1 entry', 'prod');
    await status.getByText('In sync').waitFor();
    await found.waitFor({ state: 'detached' });
    expect(scene.fake.entries().find(({ name }) => name === 'app/fixed')?.value).to.include('a-hidden-value');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a change that nobody has noticed yet is found before Sync now or Retry overwrites it', async () => {
    await scene.link('app/unseen');
    const { page, context, faults } = await scene.signIn();
    const status = page.getByRole('region', { name: 'Status' });
    const overwrite = async (): Promise<void> => {
      await page.getByRole('dialog').getByText('1 to overwrite').waitFor();
      await answerDialog(page, /1 entry$/, 'prod');
      await scene.driver.settles('app/unseen', 'SYNCED');
      await eventually(() => valueOf('app/unseen').includes('a-hidden-value'));
    };
    const change = async (): Promise<void> => {
      await scene.driver.settles('app/unseen', 'SYNCED');
      // As a console of the store writes it: without our mark.
      scene.fake.plant({ name: 'app/unseen', value: 'an emergency fix by hand' });
    };
    await change();
    await page.goto(`${scene.url}${LINK}/app/unseen`);
    await status.getByText('In sync').waitFor();
    await page.getByRole('button', { name: 'Sync now', exact: true }).click();
    await overwrite();
    await change();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod`);
    await page.getByLabel('Select secret/app/unseen').check();
    await page.getByRole('button', { name: 'Retry selected (1)…' }).click();
    await overwrite();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a change that comes while the question is open, or during an outage, stays', async () => {
    await scene.link('app/late');
    await scene.driver.settles('app/late', 'SYNCED');
    const { page, context, faults } = await scene.signIn();
    const status = page.getByRole('region', { name: 'Status' });
    const change = (value: string): void => {
      scene.fake.discard('app/late');
      scene.fake.plant({ name: 'app/late', value });
    };
    await page.goto(`${scene.url}${LINK}/app/late`);
    await page.getByRole('button', { name: 'Sync now', exact: true }).click();
    await page.getByRole('dialog').getByText('No changes in prod.').waitFor();
    change('while the question was open');
    await page.getByRole('dialog').getByRole('button', { name: 'Sync', exact: true }).click();
    await status.getByText('Changed in the store').first().waitFor();
    expect(valueOf('app/late')).to.equal('while the question was open');
    await page.getByRole('button', { name: 'Sync now', exact: true }).click();
    await answerDialog(page, 'Write 1 entry', 'prod');
    await status.getByText('In sync').waitFor();
    scene.fake.addFault({ kind: 'error', status: 503 });
    await page.getByRole('button', { name: 'Sync now', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('if someone changed it, that change stays').waitFor();
    for (const text of ['No known changes in prod.', '1 not checked', '? Not checked'])
      await dialog.getByText(text, { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Sync', exact: true }).click();
    await status.getByText('Store failed').first().waitFor();
    change('during the outage');
    scene.fake.clearFaults();
    await status.getByText('Changed in the store').first().waitFor();
    expect(valueOf('app/late')).to.equal('during the outage');
    await page
      .getByText(/^Found that someone changed/)
      .first()
      .waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a retry of many overwrites what its plan lists so, and no conflict beside it', async () => {
    await scene.link('many/edited');
    await scene.driver.settles('many/edited', 'SYNCED');
    scene.fake.plant({ name: 'many/taken', value: 'of somebody else' });
    await scene.link('many/taken');
    await scene.driver.settles('many/taken', 'CLIENT_SIDE_ERROR');
    edit();
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod?q=many`);
    await page.getByLabel('Select all 2 links shown').check();
    await page.getByRole('button', { name: 'Retry selected (2)…' }).click();
    await page.getByRole('dialog').getByText('1 to overwrite').waitFor();
    await answerDialog(page, /1 entry$/, 'prod');
    await eventually(() => valueOf('many/edited').includes('a-hidden-value'));
    await scene.driver.settles('many/edited', 'SYNCED');
    await scene.driver.settles('many/taken', 'CLIENT_SIDE_ERROR');
    expect(valueOf('many/taken')).to.equal('of somebody else');
    await page.goto(`${scene.url}audit`);
    await page.getByText('Asked to overwrite the entry of secret/many/edited in prod').waitFor();
    await page.getByText('Asked to retry the link of secret/many/taken to prod').waitFor();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/history`);
    await page.getByRole('row', { name: /Asked to retry.*many\/taken/ }).waitFor();
    await page.getByRole('row', { name: /Asked to overwrite.*many\/edited/ }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a retry by a filter overwrites the same', async () => {
    edit();
    scene.fake.addFault({ kind: 'denied', target: 'many/edited' });
    await scene.driver.write('many/edited', { text: 'newer' });
    await scene.driver.settles('many/edited', 'CLIENT_SIDE_ERROR');
    scene.fake.clearFaults();
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod?q=many&status=CLIENT_SIDE_ERROR`);
    await page.getByRole('button', { name: /^Retry 2/ }).click();
    await page.getByRole('dialog').getByText('1 to overwrite').waitFor();
    await answerDialog(page, /1 entry$/, 'prod');
    await eventually(() => valueOf('many/edited').includes('newer'));
    await scene.driver.settles('many/edited', 'SYNCED');
    await scene.driver.settles('many/taken', 'CLIENT_SIDE_ERROR');
    expect(valueOf('many/taken')).to.equal('of somebody else');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a retry by a cause says of links that fail for another one by now that they do', async () => {
    edit();
    const body = { mount: 'secret', secret_name: 'many/edited' };
    await scene.sealift.client.post(`${scene.driver.path}/associations/verify`, body);
    scene.fake.addFault({ kind: 'error', status: 503, operation: 'PutSecretValue' });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod?cause=changed_outside`);
    await page.getByRole('button', { name: /^Retry \d/ }).click();
    await answerDialog(page, /entr(?:y|ies)$/, 'prod');
    await page
      .getByText(/^Retried (\d+ links?) of prod \(AWS Secrets Manager\): \1 (?:is|are) failing\./)
      .waitFor();
    scene.fake.clearFaults();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  // Somebody deletes the entry and makes another one, which Sealift may no longer write.
  const edit = (): void => {
    scene.fake.discard('many/edited');
    scene.fake.plant({ name: 'many/edited', value: 'an emergency fix by hand' });
  };

  const valueOf = (name: string): string =>
    scene.fake.entries().find((entry) => entry.name === name)?.value ?? '';

  it('an unlinking that fails says why, what to do about it, and that it is being unlinked', async () => {
    await scene.link('app/stuck');
    await scene.driver.settles('app/stuck', 'SYNCED');
    scene.fake.addFault({ kind: 'denied', operation: 'DeleteSecret' });
    await scene.driver.dissociate('app/stuck');
    await scene.driver.settles('app/stuck', 'CLIENT_SIDE_ERROR');
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${LINK}/app/stuck`);
    const status = page.getByRole('region', { name: 'Status' });
    await status.getByText('permission_missing').waitFor();
    await status
      .getByText(
        /^This secret is being unlinked\. .* unlink it once more\. What someone changes there until then is deleted too, .* To keep the link/,
      )
      .waitFor();
    for (const place of ['destinations/cloud1-sm/prod?q=app/stuck', 'secrets/secret/app/stuck']) {
      await page.goto(`${scene.url}${place}`);
      await page.getByText('being unlinked', { exact: true }).waitFor();
    }
    await page.goto(`${scene.url}destinations/cloud1-sm/prod?q=app/stuck`);
    await page.getByLabel('Select secret/app/stuck').check();
    await page.getByRole('button', { name: 'Retry selected (1)…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('This link is being unlinked: its entries are deleted.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Unlink selected (1)…' }).click();
    await answerDialog(page, /^Unlink/, 'prod');
    await page.getByText('Asked to unlink 1 secret from prod. A link whose entries').waitFor();
    // An attempt that begins later would find nothing of ours, and end the link.
    await scene.driver.settles('app/stuck', 'CLIENT_SIDE_ERROR');
    scene.fake.discard('app/stuck');
    scene.fake.plant({ name: 'app/stuck', value: 'of a colleague' });
    await page.goto(`${scene.url}${LINK}/app/stuck`);
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByRole('button', { name: 'Keep this link…', exact: true }).click();
    await dialog.getByText('This withdraws that: it links the secret again').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await status.getByText(/^Found /).waitFor();
    expect(await page.getByText('goes on trying to write').count()).to.equal(0);
    scene.fake.clearFaults();
    await page.goto(`${scene.url}${LINK}/app/stuck`);
    await page.getByRole('button', { name: 'Unlink…' }).click();
    await answerDialog(page, /^Unlink/);
    await eventually(async () => (await scene.driver.records('app/stuck')).length === 0);
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
