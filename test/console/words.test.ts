import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { startSettingsWorker } from '../../services/settings/start.ts';
import { WORST_FIRST } from '../../libs/store/associations/status.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const SOURCE = 'services/console/src';

// Wordings that nobody would use who speaks English every day.
const FORMER =
  /needs? a person|connect a store|to go on\b|\bnext try\b|nothing is lost|\bend it\b|show older|is missing in your/i;

describe('words of the console', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    await scene.sealift.start('settings', startSettingsWorker);
  });

  after(() => scene.close());

  it('labels of settings are the titles in their schemas, and say what Sealift only stores', async () => {
    const { page, context, faults } = await scene.signIn();
    const { settings } = (await scene.sealift.client.get('/v1/sys/schemas')).body.data;
    for (const kind of ['smtp', 'saml', 'sms', 'general']) {
      await page.goto(`${scene.url}settings/${kind}`);
      const { attributes } = settings.find((one: { kind: string }) => one.kind === kind);
      await page.getByRole('button', { name: 'Save' }).waitFor();
      for (const group of await page.locator('form summary').all()) await group.click();
      // Without a log-in there is no user name.
      if (kind === 'smtp') await page.getByLabel('Authentication').selectOption('plain');
      const labels = (await page.locator('form label').allInnerTexts()).map((text) => text.trim());
      for (const { title, storedOnly, readOnly } of attributes.filter((one: { title?: string }) => one.title))
        if (storedOnly || readOnly) expect(labels.join('\n')).not.to.contain(title);
        else expect(labels.join('\n')).to.contain(title);
      // The logout URL alone must be given, although nothing uses it.
      const stored = await page.getByText('Not used by Sealift', { exact: true }).count();
      expect(stored).to.equal(kind === 'saml' ? 1 : 0);
    }
    await page.goto(`${scene.url}settings/saml`);
    await page.getByLabel('IdP certificate', { exact: true }).waitFor();
    await page.getByText('Requires “IdP certificate”, “SLO endpoint URL” and “SSO endpoint URL”.').waitFor();
    await page.getByText('That is 14 days.').waitFor();
    // A name of the API that has a label is written as the label.
    const names = settings.flatMap(({ attributes }: { attributes: { name: string }[] }) =>
      attributes.map(({ name }) => name).filter((name) => name.includes('-')),
    );
    for (const { kind } of settings) {
      await page.goto(`${scene.url}settings/${kind}`);
      await page.getByRole('main').getByRole('button').first().waitFor();
      const text = (await page.locator('main').textContent()) ?? '';
      expect(
        names.filter((name: string) => new RegExp(`(?<![-\\w])${name}(?![-\\w])`).test(text)),
      ).to.deep.equal([]);
    }
    await page.goto(`${scene.url}settings/saml`);
    await page.getByLabel('Token lifetime (seconds)').fill('5400');
    await page.getByText('That is 1 hour 30 minutes.').waitFor();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/settings`);
    await page.getByLabel('Ownership check lifetime (seconds)').waitFor();
    await page.getByText('Allowed IPv4 addresses').waitFor({ state: 'attached' });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('an older form of a setting is offered only where it is set to something of its own', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}connect`);
    await page.getByRole('button', { name: 'Choose Google Cloud Secret Manager' }).click();
    await page.getByText('More settings').first().click();
    await page.getByLabel('Locations', { exact: true }).waitFor();
    expect(await page.getByText(/\(older/).count()).to.equal(0);
    const old = page.getByLabel(/^Plan timeout \(old name\)/);
    await page.goto(`${scene.url}settings/other-programs`);
    await page.getByRole('heading', { name: 'General' }).click();
    await page
      .getByLabel(/^Plan timeout/)
      .first()
      .waitFor();
    expect(await old.count()).to.equal(0);
    await scene.sealift.client.patch('/api/v2/admin/general-settings', {
      data: { attributes: { 'plan-timeout': '3h' } },
    });
    await page.reload();
    await page.getByRole('heading', { name: 'General' }).click();
    await old.waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('no page has a former wording', () => {
    const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.tsx?$/.test(name),
    );
    const found = files.flatMap((name) =>
      readFileSync(`${SOURCE}/${name}`, 'utf8')
        .split('\n')
        .filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line) && FORMER.test(line))
        .map((line) => `${name}: ${line.trim()}`),
    );
    expect(found).to.deep.equal([]);
  });

  it('the console and the API put statuses in the same order, the worst first', () => {
    const [, list = ''] =
      /STATUSES = \[([^\]]+)\]/.exec(readFileSync(`${SOURCE}/kit/status.tsx`, 'utf8')) ?? [];
    expect([...list.matchAll(/'(\w+)'/g)].map(([, status]) => status)).to.deep.equal(WORST_FIRST);
  });
});
