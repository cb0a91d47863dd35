import { expect } from 'chai';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const LONG = `deploy-${'payments-and-invoices-'.repeat(4)}production`;

const CUT = `[...document.querySelectorAll('table')]
  .filter((table) => table.scrollWidth > table.parentElement.clientWidth).length`;

describe('the history of a link on a laptop', function () {
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
});
