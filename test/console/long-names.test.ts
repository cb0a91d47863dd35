import { expect } from 'chai';
import { NARROW } from './support/browser.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const LONG = `deploy-${'payments-and-invoices-'.repeat(4)}production`;

const CUT = `[...document.querySelectorAll('table')]
  .filter((table) => table.scrollWidth > table.parentElement.clientWidth).length`;

// What stands below the end of its row, or behind dots.
const HIDDEN = `[...document.querySelectorAll('[role="listitem"] > a')].flatMap((row) =>
  [...row.children].filter((part) => part.checkVisibility() && (part.scrollWidth > part.clientWidth + 1
    || part.getBoundingClientRect().bottom > row.getBoundingClientRect().bottom
    || part.getBoundingClientRect().top < row.getBoundingClientRect().top)).map((part) => part.textContent))`;

describe('long names', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
  });

  after(() => scene.close());

  it('no column of a history is cut, however long the names in it are', async () => {
    const { client } = scene.sealift;
    const made = await client.post('/v1/auth/token/create', { policies: ['root'], display_name: LONG });
    const path = `app/${LONG.replaceAll('-', '_')}`;
    await scene.driver.write(path, { user: 'app' });
    const linked = await client.post(
      `${scene.driver.path}/associations/set`,
      { mount: 'secret', secret_name: path },
      { token: made.body.auth.client_token },
    );
    expect(linked.status, linked.text).to.equal(200);
    await scene.driver.settles(path, 'SYNCED');
    const { page, context, faults } = await scene.signIn({ size: { width: 1440, height: 900 } });
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/${path}`);
    await page.getByRole('cell', { name: /^Linked by deploy-/ }).waitFor();
    expect(await page.evaluate(CUT)).to.equal(0);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('two names in a list on a phone that differ at their ends alone read differently there', async () => {
    const folder = 'platform/europe-west/production/checkout-and-payments/services';
    const names = ['primary', 'secondary'].map((end) => `${folder}/payment-gateway-${end}`);
    for (const name of names) {
      scene.fake.plant({ name, value: 'of somebody else' });
      await scene.link(name);
      await scene.driver.settles(name, 'CLIENT_SIDE_ERROR');
    }
    const { page, context, faults } = await scene.signIn({ size: NARROW });
    await page.goto(`${scene.url}destinations/cloud1-sm/prod`);
    const rows = page.getByRole('listitem').filter({ hasText: 'Needs attention' });
    const beginning = 'secret/platform/europe-west';
    await rows.getByText(new RegExp(`^${beginning}.*….*payment-gateway-primary$`)).waitFor();
    await rows.getByText(new RegExp(`^${beginning}.*….*payment-gateway-secondary$`)).waitFor();
    expect(await page.evaluate(HIDDEN)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
