import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { findBarriers } from './support/axe.ts';
import { NARROW, WIDE } from './support/browser.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

// Longer than the limit after which data count as old.
const OLD_MS = 22_000;
// Longer than a page waits between two looks whether the service answers.
const ASKED_MS = 11_000;

describe('pages of the console whose data are old', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    await scene.link('app/db');
    await scene.waitForCounts({ SYNCED: 1 });
  });

  after(() => scene.close());

  const isGrey = (page: Page) =>
    page.evaluate<boolean>(`getComputedStyle(document.querySelector('main')).filter.includes('grayscale')`);

  /** Leaves every call of the page unanswered, as a service does that is stopped. Undo: the result. */
  const freeze = async (page: Page): Promise<() => Promise<void>> => {
    const waiting: (() => void)[] = [];
    await page.route('**/v1/**', (route) =>
      new Promise<void>((resolve) => waiting.push(resolve)).then(() => route.abort()),
    );
    return async () => {
      await page.unroute('**/v1/**');
      for (const release of waiting) release();
    };
  };

  for (const size of [WIDE, NARROW]) {
    it(`a page of a service that hangs is grey and cannot act, ${size.width} pixels wide`, async () => {
      const { page, context, faults } = await scene.signIn({ size });
      await page.clock.install();
      await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/db`);
      const act = page.getByRole('button', { name: 'Sync now', exact: true });
      await act.waitFor();
      expect(await isGrey(page)).to.equal(false);
      const age = page.getByRole('banner').getByText(/^Updated \d+ s ago/);
      await age.waitFor({ state: 'attached' });
      const thaw = await freeze(page);
      await page.clock.fastForward(OLD_MS);
      const alert = page.getByRole('alert').getByText(/^Connection lost\. Last updated .*\d/);
      await alert.waitFor();
      await page.evaluate('scrollTo(0, 10_000)');
      const box = await alert.boundingBox();
      expect((box?.y ?? -1) >= 0 && (box?.y ?? 0) + (box?.height ?? 0) <= size.height).to.equal(true);
      expect(await isGrey(page)).to.equal(true);
      expect(await act.isDisabled()).to.equal(true);
      expect(await age.count()).to.equal(0);
      expect(await findBarriers(page)).to.deep.equal([]);
      await thaw();
      await alert.waitFor({ state: 'detached' });
      expect(await isGrey(page)).to.equal(false);
      await eventually(() => act.isEnabled());
      expect(faults).to.deep.equal([]);
      await context.close();
    });
  }

  it('somebody without a right to the summary sees no alarm while the service answers', async () => {
    const policy = 'path "auth/token/lookup-self" { capabilities = ["read"] }';
    await scene.sealift.client.post('/v1/sys/policies/acl/little', { policy });
    const { body } = await scene.sealift.client.post('/v1/auth/token/create', { policies: ['little'] });
    const { page, context } = await scene.signIn({ token: body.auth.client_token });
    let answers = 0;
    page.on('response', (response) => {
      if (response.url().includes('/auth/session')) answers += 1;
    });
    await page.clock.install();
    await page.goto(scene.url);
    await page.getByRole('heading', { name: 'Welcome to Sealift' }).waitFor();
    for (let passedMs = 0; passedMs < OLD_MS; passedMs += ASKED_MS) {
      const before = answers;
      await page.clock.fastForward(ASKED_MS);
      await eventually(() => answers > before);
      expect(await page.getByText('Connection lost').count()).to.equal(0);
    }
    await freeze(page);
    await page.clock.fastForward(OLD_MS);
    await page.getByText('Connection lost.').waitFor();
    await context.close();
  });

  it('the header says that data could not be loaded, until they are, and not of a refusal', async () => {
    const { page, context } = await scene.signIn();
    const header = page.getByRole('banner');
    const fresh = header.getByText(/^Updated \d+ s ago/);
    const partial = header.getByText('Some data could not be loaded');
    const answer = async (status: number): Promise<void> => {
      await page.unroute('**/saml-settings');
      await page.route('**/saml-settings', (route) =>
        route.fulfill({ status, json: { errors: [{ status: String(status), detail: 'on purpose' }] } }),
      );
      await page.goto(`${scene.url}settings/saml`);
      await page.getByText('on purpose').first().waitFor();
    };
    await answer(400);
    await fresh.waitFor();
    expect(await partial.count()).to.equal(0);
    await answer(500);
    await partial.waitFor();
    expect(await fresh.count()).to.equal(0);
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.unroute('**/saml-settings');
    await page.getByRole('button', { name: 'Retry' }).first().click();
    await page.getByLabel('Username attribute').waitFor();
    await fresh.waitFor();
    await context.close();
  });
});
