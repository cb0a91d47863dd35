import { expect } from 'chai';
import { answerDialog } from './support/answer.ts';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const LINK = 'destinations/cloud1-sm/prod/secret/secret';

describe('what the page of a link says of what it cannot know or has lost', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
  });

  after(() => scene.close());

  afterEach(() => scene.fake.clearFaults());

  const linked = async (path: string): Promise<void> => {
    await scene.link(path);
    await scene.driver.settles(path, 'SYNCED');
  };

  it('a link that is kept after a failed deletion says that its entry may be gone', async () => {
    await linked('app/kept');
    scene.fake.addFault({ kind: 'error', status: 500 });
    await scene.driver.dissociate('app/kept');
    await scene.driver.settles('app/kept', 'EXTERNAL_SERVICE_ERROR');
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${LINK}/app/kept`);
    const status = page.getByRole('region', { name: 'Status' });
    await status.getByText(/The store may still have its entry, or have deleted it already: /).waitFor();
    await page.getByRole('cell', { name: 'v1 (being unlinked, may be gone already)' }).waitFor();
    await page.getByRole('button', { name: 'Keep this link…' }).click();
    await page.getByRole('dialog').getByRole('heading', { name: 'Keep app/kept linked' }).waitFor();
    await answerDialog(page, /^(Sync|Write 1 entry)$/, 'prod');
    await page.getByRole('cell', { name: 'v1 (may be gone)' }).waitFor();
    await status
      .getByText(
        'A call to delete an entry got no clear answer, so it may be gone. Sealift writes it again.',
        { exact: true },
      )
      .waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    scene.fake.clearFaults();
    await page.getByRole('cell', { name: 'v1 (to be confirmed)' }).waitFor();
    expect(await status.getByText(/may be gone/).count()).to.equal(0);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a save that the store does not answer says at once for how long the store lacks it', async () => {
    await linked('app/late');
    scene.fake.addFault({ kind: 'hang', operation: 'PutSecretValue' });
    await scene.driver.write('app/late', { user: 'next' });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${LINK}/app/late`);
    const status = page.getByRole('region', { name: 'Status' });
    await status.getByText(/^Out of sync for \d+ s /).waitFor();
    await status.getByText('Syncing', { exact: true }).waitFor();
    // The call has a limit, so that it fails then.
    await status.getByText(/^Failing for \d+ s /).waitFor();
    await status.getByText(/^Out of sync for \d+ s /).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the page of a conflict tells that the entry was ours until someone replaced it', async () => {
    await linked('app/ours');
    scene.fake.discard('app/ours');
    scene.fake.plant({ name: 'app/ours', value: 'of a colleague' });
    await scene.sealift.client.post(`${scene.driver.path}/associations/verify`, {
      mount: 'secret',
      secret_name: 'app/ours',
    });
    await scene.driver.settles('app/ours', 'DRIFTED');
    await scene.driver.write('app/ours', { user: 'next' });
    await scene.driver.settles('app/ours', 'CLIENT_SIDE_ERROR');
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${LINK}/app/ours`);
    const status = page.getByRole('region', { name: 'Status' });
    await status
      .getByText(
        /^The entry was Sealift’s, with v1, until someone deleted it and made it again, .* That was found \d+ s ago .* choose Adopt\.$/s,
      )
      .waitFor();
    await status.getByRole('button', { name: 'Adopt this entry…' }).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    scene.fake.plant({ name: 'app/never', value: 'of somebody else' });
    await scene.link('app/never');
    await scene.driver.settles('app/never', 'CLIENT_SIDE_ERROR');
    await page.goto(`${scene.url}${LINK}/app/never`);
    await status.getByRole('button', { name: 'Adopt this entry…' }).waitFor();
    await page.getByRole('region', { name: 'History' }).getByText('Entry is not ours').first().waitFor();
    expect(await status.getByText(/was Sealift’s/).count()).to.equal(0);
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
