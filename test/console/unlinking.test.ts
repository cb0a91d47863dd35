import { expect } from 'chai';
import { answerDialog } from './support/answer.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const LINK = 'destinations/cloud1-sm/prod/secret/secret/app/leaving';

describe('what the console says of an unlinking that fails', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    await scene.link('app/leaving');
    await scene.driver.settles('app/leaving', 'SYNCED');
    scene.fake.addFault({ kind: 'error', status: 503, operation: 'DeleteSecret' });
  });
  after(() => scene.close());

  it('asking to unlink again stays on the page, which says what goes on', async () => {
    const { page, context, faults } = await scene.signIn();
    const unlink = async (): Promise<void> => {
      await page.goto(`${scene.url}${LINK}`);
      await page.getByRole('button', { name: 'Unlink…' }).click();
      await page.getByRole('dialog').getByText('1 to delete').waitFor();
      await answerDialog(page, 'Unlink and delete 1 entry', 'prod');
    };
    await unlink();
    await page.waitForURL((url) => url.pathname.endsWith('/destinations/cloud1-sm/prod'));
    await scene.driver.settles('app/leaving', 'EXTERNAL_SERVICE_ERROR');
    await unlink();
    await page.getByText('Unlinking was asked for again. Sealift tries it at once.').waitFor();
    const status = page.getByRole('region', { name: 'Status' });
    await status.getByText(/^This secret is being unlinked/).waitFor();
    expect(await page.getByRole('button', { name: 'Give the link another name…' }).count()).to.equal(0);
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByText(/^app\/leaving is still in the store: its deletion isn’t confirmed\.$/).waitFor();
    expect(page.url()).to.equal(`${scene.url}${LINK}`);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('an unlinking that fails says that its next try runs', async () => {
    scene.fake.clearFaults();
    scene.fake.addFault({ kind: 'hang', operation: 'DeleteSecret', times: 1 });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${LINK}`);
    const status = page.getByRole('region', { name: 'Status' });
    await status.getByText('retrying now', { exact: true }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('an entry that the store may still change says that a call got no clear answer', async () => {
    scene.fake.clearFaults();
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${LINK}`);
    await page
      .getByText(/^An earlier call got no clear answer and could still take effect\. .* the entry is gone\.$/)
      .waitFor();
    const status = page.getByRole('region', { name: 'Status' });
    await status
      .getByText(
        'This secret is being unlinked. The store says that nothing of it is left. Sealift looks once more before the link ends.',
      )
      .waitFor();
    await status.getByText(/^checked once more in \d+ s /).waitFor();
    await page.getByRole('cell', { name: 'deleted (to be confirmed)', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Keep this link…', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 to create').waitFor();
    await dialog
      .getByText(
        'This secret is being unlinked. This withdraws that: it links the secret again and writes its value.',
      )
      .waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('an unconfirmed deletion waits for a pause without a time, and is still called so', async () => {
    const { client, context: installation } = scene.sealift;
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${LINK}`);
    const status = page.getByRole('region', { name: 'Status' });
    await status.getByText(/^checked once more in \d+ s /).waitFor();
    await client.post(`${scene.driver.path}/pause`, {});
    const expectHeld = async (): Promise<void> => {
      await page.reload();
      await status
        .getByText(/^An earlier call .* Once that is over and the pause has ended, Sealift makes sure that /)
        .waitFor();
      await status.getByText(/Sealift looks once more before the link ends\.$/).waitFor();
      await page.getByRole('cell', { name: 'deleted (to be confirmed)', exact: true }).waitFor();
      expect(await page.getByText('once more in').count()).to.equal(0);
    };
    await expectHeld();
    await installation.db('associations').update({ due_at: new Date(0) });
    await expectHeld();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a sync that takes back an unlinking says that withdrawing it unlinks', async () => {
    const body = { mount: 'secret', secret_name: 'app/leaving' };
    await scene.sealift.client.post(`${scene.driver.path}/associations/set`, body);
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${LINK}`);
    const status = page.getByRole('region', { name: 'Status' });
    await status.getByText(/It took back an unlinking\. If you choose Withdraw, that goes on\.$/).waitFor();
    await status.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await status.getByText(/^This secret is being unlinked/).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
