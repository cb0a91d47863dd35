import { expect } from 'chai';
import { cloud1Settings } from '../support/sandboxed.ts';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';
import { continueToOptions, continueToSecrets, fillCloud1 } from './support/wizard.ts';

// A name of the API is written with underscores, and no word of a person is.
const API_NAME = /[a-z]+(?:_[a-z]+)+/g;
// The name of an entry in a store begins with the accessor of its mount.
const ACCESSOR = /kv_[0-9a-f]{8}/g;
// What is to be copied is for a program.
const READ = `(() => {
  const copy = document.querySelector('main').cloneNode(true);
  for (const part of copy.querySelectorAll('pre')) part.remove();
  return copy.textContent;
})()`;

describe('what people read about destinations', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    await scene.link('app/db');
  });

  after(() => scene.close());

  it('no page about destinations shows the type of an API path where people read', async () => {
    const { page, context, faults } = await scene.signIn();
    const pages: [string, string][] = [
      ['destinations', 'Destinations'],
      ['connect', 'Connect a destination'],
      ['destinations/cloud1-sm/prod', 'prod'],
      ['destinations/cloud1-sm/prod/settings', 'prod'],
      ['destinations/cloud1-sm/prod/history', 'prod'],
      ['destinations/cloud1-sm/prod/secret/secret/app/db', 'secret/app/db'],
    ];
    for (const [path, heading] of pages) {
      await page.goto(`${scene.url}${path}`);
      await page.getByRole('heading', { name: heading, exact: true }).waitFor();
      await page.getByText('AWS Secrets Manager').filter({ visible: true }).first().waitFor();
      expect(await page.locator('main').innerText(), path).to.not.match(
        /cloud[123]-|repo-host|hosting-project/,
      );
    }
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the settings tell which access key is in use, and never its secret', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/settings`);
    await page.getByText('AKIAEXAMPLEONE').waitFor();
    expect(await page.getByText('•••••').count()).to.equal(1);
    await page.getByRole('button', { name: 'Replace Access key ID' }).click();
    expect(await page.getByLabel('Access key ID', { exact: true }).getAttribute('type')).to.not.equal(
      'password',
    );
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('AKIAEXAMPLEONE').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a new destination says what is required, what the defaults are, and what a template has', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}connect`);
    await page.getByRole('button', { name: 'Choose Vercel project environment variables' }).click();
    await page.getByLabel('Project', { exact: true }).waitFor();
    for (const label of ['Access token', 'Project'])
      expect(await page.getByLabel(label, { exact: true }).getAttribute('aria-required'), label).to.equal(
        'true',
      );
    expect(await page.getByLabel('Team ID').getAttribute('aria-required')).to.not.equal('true');
    expect(await page.getByText('required', { exact: true }).count()).to.equal(4);
    await page.getByLabel('Destination name').fill('web');
    await page.getByLabel('Access token', { exact: true }).fill('a-token');
    await page.getByLabel('Project', { exact: true }).fill('web-shop');
    await page.getByLabel('Production').check();
    await page.getByLabel('Preview').check();
    // Vercel has no sensitive variables for development, so nothing must claim that they are.
    const sensitive = page.getByLabel('Sensitive variables');
    expect(await sensitive.isChecked()).to.equal(true);
    await page.getByLabel('Development').check();
    await page.getByText(/Off with Development, which has no sensitive variables/).waitFor();
    expect([await sensitive.isChecked(), await sensitive.isEnabled()]).to.deep.equal([false, false]);
    await page.getByLabel('Development').uncheck();
    expect(await sensitive.isChecked()).to.equal(true);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Continue without a test' }).click();
    await page.getByText('{{ .SecretPath }}').first().waitFor();
    const policy = page.getByLabel('Conflict policy');
    expect(await policy.locator('option').allInnerTexts()).to.deep.equal(['Refuse', 'Overwrite', 'Adopt']);
    expect(await policy.inputValue()).to.equal('refuse');
    await page.getByText('Off by default.').first().waitFor();
    await page.getByLabel('Drift check').check();
    await continueToSecrets(page);
    const summary = page.getByRole('definition');
    await summary.getByText('Production, Preview', { exact: true }).waitFor();
    await summary.getByText('On', { exact: true }).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a region unlike all others is doubted at its field, and taken all the same', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}connect`);
    await page.getByRole('button', { name: 'Choose AWS Secrets Manager' }).click();
    const doubt = page.getByText('This does not look like an AWS region, such as eu-central-1.');
    const region = page.getByLabel('Region', { exact: true });
    await region.waitFor();
    expect(await doubt.count()).to.equal(0);
    await fillCloud1(page, 'doubted', { region: 'europe' });
    await doubt.waitFor();
    expect(await region.getAttribute('aria-invalid')).to.equal('false');
    expect(await findBarriers(page)).to.deep.equal([]);
    for (const one of ['us-gov-west-1', 'cn-north-1', 'us-isob-east-1', 'xx-northwest-9', '']) {
      await region.fill('europe');
      await doubt.waitFor();
      await region.fill(one);
      await doubt.waitFor({ state: 'detached' });
    }
    await region.fill('europe');
    await continueToOptions(page);
    await continueToSecrets(page);
    await doubt.waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/settings`);
    await page.getByLabel('Region', { exact: true }).waitFor();
    expect(await doubt.count()).to.equal(0);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a setting that is missing is marked, and no credentials are said to be rejected', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}connect`);
    await page.getByRole('button', { name: 'Choose AWS Secrets Manager' }).click();
    const region = page.getByLabel('Region', { exact: true });
    await fillCloud1(page, 'nowhere', { region: '' });
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Setting missing or wrong. Check Region.').waitFor();
    await page.getByText(/^No region is set\. Set region, or AWS_REGION/).waitFor();
    expect(await region.getAttribute('aria-invalid')).to.equal('true');
    expect(await page.getByText(/rejected/).count()).to.equal(0);
    expect(await findBarriers(page)).to.deep.equal([]);
    await region.fill('eu-central-1');
    await continueToOptions(page);

    await scene.sealift.client.post('/v1/sys/sync/destinations/aws-sm/free', cloud1Settings('eu-west-3'));
    await page.goto(`${scene.url}destinations/cloud1-sm/free/settings`);
    await region.fill('');
    await page.getByRole('button', { name: 'Test connection' }).click();
    await page.getByText('Not tested. Check Region.').waitFor();
    expect(await region.getAttribute('aria-invalid')).to.equal('true');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^Setting missing or wrong: No region is set/).waitFor();
    await dialog.getByText('No secrets are linked.').waitFor();
    expect(await page.getByText(/rejected/).count()).to.equal(0);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a destination that does not exist is said not to be found, without actions', async () => {
    const { page, context, faults } = await scene.signIn();
    for (const end of ['', '/settings', '/history']) {
      await page.goto(`${scene.url}destinations/cloud1-sm/nope${end}`);
      await page.getByRole('heading', { name: 'Destination not found' }).waitFor();
      expect(await page.locator('main').getByRole('button').count(), end).to.equal(0);
    }
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole('link', { name: 'Go to the destinations' }).click();
    await page.getByRole('link', { name: 'prod' }).first().waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the steps to a new destination name fields by their labels, except in what is copied', async () => {
    const { page, context, faults } = await scene.signIn();
    const { destinations } = (await scene.sealift.client.get('/v1/sys/schemas')).body.data;
    // Its name is too long for the store.
    const path = `long/${'x'.repeat(500)}`;
    await scene.sealift.client.post(`/v1/secret/data/${path}`, { data: { a: '1' } });
    const found: Record<string, string[]> = {};
    const read = async (place: string): Promise<void> => {
      const texts = await page.evaluate<string>(READ);
      const names = texts.replace(ACCESSOR, '').match(API_NAME);
      if (names) found[place] = names;
    };
    for (const { title, modes } of destinations as { title: string; modes: { title: string }[] }[]) {
      await page.goto(`${scene.url}connect`);
      await page.getByRole('button', { name: `Choose ${title}` }).click();
      await read(title);
      for (const mode of modes) {
        await page.getByLabel('Signs in with').selectOption({ label: mode.title });
        await read(`${title}, ${mode.title}`);
      }
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText('Not tested').waitFor();
      await read(`${title}, refused`);
    }
    await page.goto(`${scene.url}connect`);
    await page.getByRole('button', { name: 'Choose AWS Secrets Manager' }).click();
    await fillCloud1(page, 'words');
    const external = page.getByLabel('External ID');
    await page.locator('summary', { hasText: 'External ID' }).click();
    await external.fill('sealift-1');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText(/“Role”/).waitFor();
    await read('a refusal');
    await external.fill('');
    await continueToOptions(page);
    const shorten = page.getByText(/shorten it with “Secret name template”/).first();
    await shorten.waitFor();
    await read('options');
    await continueToSecrets(page);
    await page.getByLabel('Secrets (one per line)').fill(`secret/${path}`);
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await shorten.waitFor();
    await read('secrets');
    expect(found).to.deep.equal({});
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('plans, causes and refusals of a destination name its options as its form does', async () => {
    const { page, context, faults } = await scene.signIn();
    const long = `long/${'y'.repeat(300)}`;
    await scene.link(long);
    await scene.driver.patch({
      deletion_policy: 'retain',
      secret_name_template: '{{ .SecretPath }}-{{ .SecretPath }}',
    });
    await scene.driver.settles(long, 'CLIENT_SIDE_ERROR');
    const named = page.getByText(/shorten it with “Secret name template”/).first();
    for (const place of [
      'problems',
      'destinations/aws-sm/prod',
      `destinations/aws-sm/prod/secret/secret/${long}`,
    ]) {
      await page.goto(`${scene.url}${place}`);
      await named.waitFor();
    }
    await page.goto(`${scene.url}destinations/aws-sm/prod/settings`);
    const template = page.getByLabel('Secret name template');
    await template.fill('{{ .SecretPath');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/^“Secret name template” cannot be read/).waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByText('Delete this destination').click();
    await page.getByRole('button', { name: 'Delete destination…' }).click();
    await page.getByText('“Deletion policy” is “Retain”', { exact: true }).first().waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
