import { expect } from 'chai';
import { answerDialog } from './support/answer.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

// As another client may have made them.
const NAMES = [' start', '50%', 'a%20b', 'what?', 'c#', 'semi;=&+', 'ü x', 'back\\slash', '"quoted"'];

describe('secrets with odd names in the console', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
  });

  after(() => scene.close());

  for (const [index, name] of NAMES.entries()) {
    it(`a secret with the name ${JSON.stringify(name)} is opened, edited and deleted`, async () => {
      const { client } = scene.sealift;
      const path = `/v1/secret/data/odd-${index}/${encodeURIComponent(name)}`;
      expect((await client.post(path, { data: { user: 'app' } })).status).to.equal(200);
      const { page, context, faults } = await scene.signIn();
      await page.goto(`${scene.url}secrets/secret/odd-${index}/`);
      await page.locator('tbody a').click();
      await page.getByRole('heading', { name: 'Keys of v1' }).waitFor();
      await page.reload();
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Replace user' }).click();
      await dialog.getByLabel('New value of user').fill('other');
      await dialog.getByRole('button', { name: 'Save as v2' }).click();
      await page.getByRole('heading', { name: 'Keys of v2' }).waitFor();
      expect((await client.get(path)).body.data.data).to.deep.equal({ user: 'other' });
      await page.getByRole('link', { name: 'Activity' }).last().click();
      await page.getByRole('row').nth(1).waitFor();
      await page.goBack();
      await page.getByRole('button', { name: 'Delete this secret…' }).click();
      await answerDialog(page, 'Delete for good', `odd-${index}/${name}`);
      expect((await client.get(path)).status).to.equal(404);
      expect(faults).to.deep.equal([]);
      await context.close();
    });
  }
});
