import { expect } from 'chai';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const LINK = 'destinations/cloud1-sm/prod/secret/secret/app/going';

describe('what the console says of a deletion that fails', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    await scene.driver.patch({
      granularity: 'secret-key',
      secret_name_template: '{{ .SecretPath }}/{{ .SecretKey }}',
    });
    await scene.link('app/going');
    await scene.driver.settles('app/going', 'SYNCED');
  });
  after(() => scene.close());

  const open = async () => {
    const { page, context, faults } = await scene.signIn();
    page.setDefaultTimeout(15_000);
    await page.goto(`${scene.url}${LINK}`);
    const head = page.getByRole('region', { name: 'Status' });
    const close = async (): Promise<void> => {
      expect(faults).to.deep.equal([]);
      await context.close();
    };
    return { page, head, close };
  };

  it('the head says that the entries of a secret without a version are being deleted', async () => {
    scene.fake.addFault({ kind: 'error', status: 503 });
    await scene.sealift.client.delete('/v1/secret/data/app/going');
    await scene.driver.settles('app/going', 'EXTERNAL_SERVICE_ERROR');
    const { page, head, close } = await open();
    await head
      .getByText(
        /^The secret has no version to sync: .* deletes what is left of it in the store\. It stays there until that no longer fails\./,
      )
      .waitFor();
    expect(await page.getByRole('button', { name: 'Sync now', exact: true }).count()).to.equal(0);
    await head.getByRole('button', { name: /^Retry/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 to delete').waitFor();
    await page.keyboard.press('Escape');
    await close();
  });

  it('the head of a link whose entries are gone no longer tells when they were written', async () => {
    scene.fake.clearFaults();
    await scene.driver.settles('app/going', 'UNSYNCING');
    const { head, close } = await open();
    await head.getByText(/^Deleted in the store/).waitFor();
    expect(await head.innerText()).to.not.include('Last written');
    await close();
  });

  it('the secret no longer says that its entries will be deleted once they are', async () => {
    const { db } = scene.sealift.context;
    await db('associations').update({ due_at: null });
    await db('entries').update({ status: 'UNSYNCED' });
    await db('destinations').update({ throttled_until: new Date(Date.now() + 600_000) });
    const { page, close } = await open();
    await page.goto(`${scene.url}secrets/secret/app/going`);
    await page.getByText('prod (AWS Secrets Manager): no version', { exact: true }).waitFor();
    await close();
  });

  it('the former name of an entry is told until the new one is written', async () => {
    await scene.sealift.context.db('destinations').update({ throttled_until: null });
    scene.fake.clearFaults();
    await scene.link('app/moved', { key: 'value' });
    await scene.driver.settles('app/moved', 'SYNCED');
    scene.fake.addFault({ kind: 'error', status: 503 });
    const renamed = {
      mount: 'secret',
      secret_name: 'app/moved',
      secret_name_template: 'new/{{ .SecretKey }}',
    };
    await scene.sealift.client.post(`${scene.driver.path}/associations/set`, renamed);
    const { page, close } = await open();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/moved`);
    const row = page.getByRole('region', { name: 'In the store' }).getByRole('row').last();
    await row.getByText('new/key', { exact: true }).waitFor();
    const former = row.getByText(/^Still in the store: app\/moved\/key \(v1\)$/);
    await former.waitFor();
    scene.fake.clearFaults();
    await former.waitFor({ state: 'detached' });
    await close();
  });
});
