import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { vercelSettings } from '../support/vercel-worker.ts';
import { answerDialog } from './support/answer.ts';
import { linkKeyed } from './support/keyed.ts';
import { openVercelConsole, type VercelConsole } from './support/vercel-scene.ts';
import { withdraw } from './support/withdraw.ts';

const SETTINGS = vercelSettings('production', 'preview');

describe('what the console says of a comparison', function () {
  let scene: VercelConsole['scene'];
  let fake: VercelConsole['fake'];
  let close: VercelConsole['close'];

  before(async function () {
    this.timeout(600_000);
    ({ scene, fake, close } = await openVercelConsole(SETTINGS, {
      'site/one': { password: 'ours' },
      'site/two': { password: 'ours' },
      'site/three': { password: 'ours' },
    }));
  });

  after(() => close?.());

  it('entries whose store shows no value are told as unchanged, without a warning', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/hosting-project/site`);
    await page.getByLabel('Select all 3 links shown').check();
    const bar = page.getByRole('region', { name: 'Selected links' });
    const verify = bar.getByRole('button', { name: 'Verify selected' });
    await verify.click();
    const unchanged = bar.getByText(
      '3 entries exist, and are unchanged as far as the store tells; it shows no values to compare.',
    );
    await unchanged.waitFor();
    const warning = bar.locator('.lucide-triangle-alert');
    expect(await warning.count()).to.equal(0);
    fake.drop(String(fake.entries().find(({ name }) => name === 'TWO')?.['id']));
    await verify.click();
    await bar.getByText('1 of 3 entries was deleted in the store.').waitFor();
    await bar.getByText(/^2 of 3 entries exist, and are unchanged/).waitFor();
    expect(await warning.count()).to.equal(1);
    await page.goto(`${scene.url}destinations/hosting-project/site/secret/secret/site/one`);
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByText(/^ONE exists, and is unchanged as far as the store tells/).waitFor();
    expect(await page.getByRole('main').locator('.lucide-triangle-alert').count()).to.equal(0);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the page of a link whose entry someone changed speaks of its own store alone', async () => {
    // Vercel may round the time of our write.
    const since = Date.now();
    await eventually(() => expect(Date.now()).to.be.greaterThan(since + 1100));
    fake.change(String(fake.entries().find(({ name }) => name === 'THREE')?.['id']), { value: 'theirs' });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/hosting-project/site/secret/secret/site/three`);
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    const status = page.getByRole('region', { name: 'Status' });
    await status.getByText(/^To keep the store’s value/).waitFor();
    await status
      .getByText(
        'The next new version of this secret overwrites this change. To put that off, pause the destination.',
      )
      .waitFor();
    // Vercel shows nobody which value that is.
    await page.getByText('v1 (changed in the store)').waitFor();
    await status.getByText('The store doesn’t show which value is there now').waitFor();
    expect(await page.getByRole('main').textContent()).to.not.match(/Azure|GitHub|AWS|Google/);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a version that somebody else’s entry replaced is not told to be in the store', async () => {
    await scene.link('app/replaced');
    await scene.driver.settles('app/replaced', 'SYNCED');
    scene.fake.discard('app/replaced');
    scene.fake.plant({ name: 'app/replaced', value: 'of somebody else' });
    await scene.driver.write('app/replaced', { user: 'app', password: 'newer' });
    await scene.driver.settles('app/replaced', 'CLIENT_SIDE_ERROR');
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/replaced`);
    await page.getByText('v2 (the store has an entry that isn’t Sealift’s)').waitFor();
    expect(await page.getByText('store has v1').count()).to.equal(0);
    await page.goto(`${scene.url}destinations/cloud1-sm/prod?q=app/replaced`);
    await page.getByText('v2', { exact: true }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('an entry that a newer version waits for is told to match the older one', async () => {
    const { client } = scene.sealift;
    await scene.link('app/older');
    await scene.driver.settles('app/older', 'SYNCED');
    await client.post(`${scene.driver.path}/pause`, {});
    await scene.driver.write('app/older', { password: 'newer' });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/older`);
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByText('app/older matches v1, as written.').waitFor();
    await page.getByText(/^Compared .* ago/).waitFor();
    await client.post(`${scene.driver.path}/resume`, {});
    await page.getByText('app/older matched then, and has been written since.').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a comparison of keys says which of them have been written since', async () => {
    await linkKeyed(scene, { first: 'one', second: 'one' });
    await eventually(() => scene.fake.entries().some(({ name }) => name === 'keyed/second'));
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/keys/secret/secret/keyed`);
    await page
      .getByRole('region', { name: 'Status' })
      .getByText(/^In sync/)
      .waitFor();
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByText('keyed/second matches.').waitFor();
    await scene.driver.write('keyed', { first: 'one', second: 'two' });
    await page.getByText('keyed/second matched then, and has been written since.').waitFor();
    await page.getByText('keyed/first matches.').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a comparison that the store does not answer is told to be tried', async () => {
    await scene.link('app/unanswered');
    await scene.driver.settles('app/unanswered', 'SYNCED');
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/unanswered`);
    scene.fake.addFault({ kind: 'error', status: 503 });
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByText(/^app\/unanswered couldn’t be verified: .* failed on its side/).waitFor();
    await page.getByText(/^Tried .* ago/).waitFor();
    expect(await page.getByText(/^Compared .* ago/).count()).to.equal(0);
    scene.fake.clearFaults();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a known drift stands beside a pause, and saving its value is told to lose nothing', async () => {
    const theirs = { password: 'theirs' };
    const { client } = scene.sealift;
    await scene.link('app/paused');
    await scene.driver.settles('app/paused', 'SYNCED');
    scene.fake.discard('app/paused');
    scene.fake.plant({ name: 'app/paused', value: JSON.stringify(theirs) });
    const body = { mount: 'secret', secret_name: 'app/paused' };
    await client.post(`${scene.driver.path}/associations/verify`, body);
    await client.post(`${scene.driver.path}/pause`, {});
    const { page, context, faults } = await scene.signIn();
    const sync = page.getByRole('button', { name: 'Sync now', exact: true });
    const dialog = page.getByRole('dialog');
    await scene.driver.write('app/paused', { password: 'ours' });
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/paused`);
    const status = page.getByRole('region', { name: 'Status' });
    await page.getByText('This destination is paused.').waitFor();
    await status.getByText('Changed in the store', { exact: true }).waitFor();
    await status.getByText(/^Once the pause ends, the new version leaves this entry alone/).waitFor();
    await status.getByText(/^Found /).waitFor();
    await status.getByText(/^To keep the store’s value/).waitFor();
    expect(await status.getByText(/overwrites this change/).count()).to.equal(0);
    await status.getByText(/^Fingerprint of the value that Sealift wrote/).waitFor();
    await page.getByText('v2 (the store has a value that isn’t Sealift’s)').waitFor();
    await sync.click();
    await dialog.getByText('1 to overwrite').waitFor();
    await page.keyboard.press('Escape');
    await scene.driver.write('app/paused', theirs);
    await sync.click();
    await dialog.getByText('1 to adopt').waitFor();
    await dialog.getByText('The store has this value already').waitFor();
    await answerDialog(page, /1 entry$/, 'prod');
    await client.post(`${scene.driver.path}/resume`, {});
    await scene.driver.settles('app/paused', 'SYNCED');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  const ask = (what: string, secret_name: string) =>
    scene.sealift.client.post(`${scene.driver.path}/associations/${what}`, { mount: 'secret', secret_name });

  const drift = async (name: string): Promise<void> => {
    await scene.link(name);
    await scene.driver.settles(name, 'SYNCED');
    const entry = scene.fake.entries().find((one) => one.name === name);
    scene.fake.plant({ ...entry, name, value: 'theirs' });
    await ask('verify', name);
  };

  it('a change that Sealift is trying to overwrite stays once that is withdrawn', async () => {
    await drift('app/failing');
    scene.fake.addFault({ kind: 'error', status: 500, operation: 'PutSecretValue' });
    await ask('set', 'app/failing');
    await scene.driver.settles('app/failing', 'EXTERNAL_SERVICE_ERROR');
    const { page, context, faults } = await scene.signIn();
    const status = page.getByRole('region', { name: 'Status' });
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/failing`);
    await status.getByText(/^To keep the store’s value, choose Withdraw first, then copy it/).waitFor();
    await status.getByText(/When last read, the store had: /).waitFor();
    await page.getByText('v1 (when last read, the store had a value that isn’t Sealift’s)').waitFor();
    await status.getByText(/^retr(ies|y due)/).waitFor();
    await withdraw(status, 'Overwriting withdrawn.');
    scene.fake.clearFaults();
    await scene.driver.settles('app/failing', 'DRIFTED');
    await status
      .getByText('root withdrew that the entry is overwritten, so Sealift left it as it is.')
      .waitFor();
    expect(scene.fake.entries().find(({ name }) => name === 'app/failing')?.value).to.equal('theirs');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the page of a link says how a change in the store outlasts an unlinking that waits', async () => {
    const { client } = scene.sealift;
    const value = () => scene.fake.entries().find(({ name }) => name === 'app/leaving')?.value;
    await drift('app/leaving');
    await client.post(`${scene.driver.path}/pause`, {});
    const { page, context, faults } = await scene.signIn();
    const status = page.getByRole('region', { name: 'Status' });
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/leaving`);
    await status
      .getByText(/choose Sync now: it overwrites what is in the store once the pause ends\./)
      .waitFor();
    await status.getByText(/^To keep the store’s value, copy it/).waitFor();
    await ask('remove', 'app/leaving');
    await status
      .getByText(/To keep that change, choose Withdraw: it keeps the link, and writes nothing\.$/)
      .waitFor();
    await status.getByRole('button', { name: 'Withdraw' }).click();
    await status.getByText(/^To restore Sealift’s value/).waitFor();
    await client.post(`${scene.driver.path}/resume`, {});
    await scene.driver.settles('app/leaving', 'DRIFTED');
    expect(value()).to.equal('theirs');
    await client.post(`${scene.driver.path}/pause`, {});
    await ask('remove', 'app/leaving');
    await scene.driver.write('app/leaving', { password: 'newer' });
    await status
      .getByText(/Withdraw keeps the link, and then the new version overwrites that change/)
      .waitFor();
    await status.getByRole('button', { name: 'Withdraw' }).click();
    await status.getByText(/saved a new version\./).waitFor();
    await client.post(`${scene.driver.path}/resume`, {});
    await scene.driver.settles('app/leaving', 'SYNCED');
    expect(value()).to.include('newer');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the question before unlinking says if someone changed the entry', async () => {
    await scene.link('app/drifted');
    await scene.driver.settles('app/drifted', 'SYNCED');
    const entry = scene.fake.entries().find(({ name }) => name === 'app/drifted');
    scene.fake.plant({ ...entry, name: 'app/drifted', value: 'changed outside' });
    const body = { mount: 'secret', secret_name: 'app/drifted' };
    await scene.sealift.client.post(`${scene.driver.path}/associations/verify`, body);
    const { page, context, faults } = await scene.signIn();
    const dialog = page.getByRole('dialog');
    const lost = dialog.getByText('Someone changed this entry in the store, and that change would be lost');
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/drifted`);
    await page.getByRole('button', { name: 'Unlink…' }).click();
    await lost.waitFor();
    await page.keyboard.press('Escape');
    await page.goto(`${scene.url}destinations/cloud1-sm/prod`);
    await page.getByLabel('Select secret/app/drifted').check();
    await page.getByRole('button', { name: 'Unlink selected (1)…' }).click();
    await lost.waitFor();
    await page.keyboard.press('Escape');
    // Nothing says any more that the entry is Sealift’s.
    scene.fake.discard('app/drifted');
    scene.fake.plant({ name: 'app/drifted', value: 'of somebody else' });
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/drifted`);
    await page.getByRole('button', { name: 'Unlink…' }).click();
    await answerDialog(page, 'Unlink');
    await page
      .getByText(/Asked to unlink secret\/app\/drifted from prod.*Its entry stays in the store\./)
      .waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
