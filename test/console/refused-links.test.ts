import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const STORE = 'destinations/cloud1-sm/prod/history';

describe('what the trails tell of syncs that were refused', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    await scene.link('app/db');
    await scene.driver.write('app/gone', { user: 'app' });
    await sync('app/gone');
    await sync('app/db');
    await sync('app/db', 'app/gone');
  });
  after(() => scene.close());

  const sync = async (...names: string[]): Promise<void> => {
    const secrets = names.map((name) => ({ mount: 'secret', secret_name: name }));
    const body = { secrets, only_linked: true };
    const answer = await scene.sealift.client.post(`${scene.driver.path}/associations/set-many`, body);
    expect(answer.status, answer.text).to.equal(200);
  };
  const linesOf = async (page: Pick<Page, 'getByRole'>): Promise<string[]> => {
    const rows = page.getByRole('row').filter({ hasText: /sync/ });
    await rows.first().waitFor();
    return (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
  };

  it('the activity of a destination names what was refused, and each secret is one click away', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${STORE}`);
    const changes = page.getByRole('region', { name: 'Changes' });
    await eventually(async () => {
      const [both, one, refused, ...others] = await linesOf(changes);
      expect(others).to.deep.equal([]);
      expect(both).to.match(/Asked to sync 1 secret \(1 refused\) Which secrets Partly refused$/);
      expect(one).to.match(/Asked to sync secret\/app\/db Succeeded$/);
      expect(refused).to.match(
        /Tried to sync secret\/app\/gone \(the secret is not associated with this destination\) Refused$/,
      );
      return true;
    });
    await page.getByText('Which secrets').click();
    const names = page.locator('details[open]');
    expect((await names.innerText()).split(/\s*\n\s*/)).to.deep.equal([
      'Which secrets',
      'Refused: secret/app/gone',
      'Refreshed: secret/app/db',
    ]);
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByLabel('Outcome', { exact: true }).selectOption('Refused');
    await eventually(async () => expect(await linesOf(changes)).to.have.lengthOf(2));
    await page.getByText('Partly refused').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a request for one secret is one entry of the trail, and a refusal shows no code', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}audit?secret=secret/app/gone&outcome=refused`);
    const entries = await linesOf(page);
    expect(entries).to.have.lengthOf(2);
    for (const entry of entries) expect(entry).to.match(/Tried to sync secret\/app\/gone in prod.*Refused$/);
    await page.goto(`${scene.url}activity/secret/app/gone`);
    for (const line of await linesOf(page)) expect(line).to.match(/Tried to sync .* Refused$/);
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
