import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { eventually } from '../support/eventually.ts';
import { answerDialog } from './support/answer.ts';
import { findBarriers } from './support/axe.ts';
import { NARROW } from './support/browser.ts';
import { openPagesScene } from './support/pages.ts';
import type { ConsoleScene } from './support/scene.ts';

const LINK = 'destinations/cloud1-sm/prod/secret/secret';
describe('what the console says of links that are not in sync', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openPagesScene();
  });

  after(() => scene.close());

  it('the list of all links says what is not in sync and since when, and its file says the same', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}links`);
    const rows = page.getByRole('row').filter({ hasText: 'secret/app/' });
    await rows.nth(1).waitFor();
    await page.getByLabel('Status', { exact: true }).selectOption('Needs attention');
    await eventually(async () => (await rows.count()) === 1);
    const words = await rows.first().innerText();
    expect(words).to.match(
      /secret\/app\/taken[^]*prod[^]*Needs attention[^]*Entry is not ours[^]*ago\s+\d+ \w+ \d{4}/,
    );
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const [head = '', row = '', rest] = readFileSync(await (await download).path(), 'utf8').split('\r\n');
    expect(head).to.match(
      /namespace,secret,store,type,destination,status,since-utc,cause,in-store,external-names$/,
    );
    expect(row).to.match(
      /^,secret\/app\/taken,AWS Secrets Manager,cloud1-sm,prod,Needs attention,\S+Z,Entry is not ours,no,$/,
    );
    expect(rest).to.equal('');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the list of all links shows no name of an entry that is not ours', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}links`);
    const row = (secret: string) => page.getByRole('row').filter({ hasText: secret });
    await row('secret/app/db').getByRole('cell', { name: 'app/db', exact: true }).waitFor();
    await row('secret/app/taken').getByRole('cell', { name: 'Not in the store' }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('an entry that was deleted on purpose is said to be deleted', async () => {
    await scene.link('app/moved');
    await scene.driver.settles('app/moved', 'SYNCED');
    expect((await scene.sealift.client.delete('/v1/secret/data/app/moved')).status).to.equal(204);
    await scene.driver.settles('app/moved', 'UNSYNCED');
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${LINK}/app/moved`);
    const status = page
      .getByRole('row', { name: /Deleted/ })
      .getByRole('cell')
      .nth(3);
    await status.getByText('Deleted').waitFor();
    await page.getByRole('region', { name: 'Status' }).getByText('Nothing to sync').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the pages of a renamed entry tell that its former entry was deleted', async () => {
    await scene.link('app/renamed');
    await scene.driver.settles('app/renamed', 'SYNCED');
    const renamed = { mount: 'secret', secret_name: 'app/renamed', secret_name_template: 'other-name' };
    const answer = await scene.sealift.client.post(`${scene.driver.path}/associations/set`, renamed);
    expect(answer.status, answer.text).to.equal(200);
    await scene.driver.settles('app/renamed', 'SYNCED');
    const { page, context, faults } = await scene.signIn();
    for (const path of [`${LINK}/app/renamed`, 'activity/secret/app/renamed']) {
      await page.goto(`${scene.url}${path}`);
      await page.getByRole('row', { name: /Deleted .*Entry app\/renamed/s }).waitFor();
      await page.getByRole('row', { name: /Created .*Entry other-name/s }).waitFor();
    }
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a secret whose keys are entries of their own names the key of each', async () => {
    const { client } = scene.sealift;
    const path = '/v1/sys/sync/destinations/cloud1-sm/keys';
    const settings = {
      access_key_id: 'AKIAEXAMPLEONE',
      secret_access_key: 'a-secret-key',
      region: 'eu-central-1',
      granularity: 'secret-key',
    };
    expect((await client.post(path, settings)).status).to.equal(200);
    await client.post(`${path}/associations/set`, { mount: 'secret', secret_name: 'app/db' });
    const { page, context } = await scene.signIn();
    await page.goto(`${scene.url}secrets/secret/app/db`);
    for (const key of ['user', 'password'])
      await page
        .getByRole('region', { name: 'Synced to' })
        .getByRole('listitem')
        .filter({ hasText: 'keys' })
        .getByText(key, { exact: true })
        .waitFor();
    const status = page.getByRole('region', { name: 'Status' });
    await page.goto(`${scene.url}destinations/cloud1-sm/keys/secret/secret/app/db`);
    await status.getByText('In sync', { exact: true }).waitFor();
    expect(await status.getByText(/key/i).count()).to.equal(0);
    scene.fake.addFault({ kind: 'denied', operation: 'PutSecretValue' });
    await scene.driver.write('app/db', { user: 'renamed', password: 'another-hidden-value' });
    await status.getByText('2 of 2 keys').waitFor();
    expect(await page.getByRole('button', { name: 'Sync now' }).getAttribute('class')).to.include('primary');
    scene.fake.clearFaults();
    await client.post(`${path}/associations/set`, { mount: 'secret', secret_name: 'app/db' });
    await scene.driver.associate('app/db');
    await scene.driver.settles('app/db', 'SYNCED');
    await context.close();
  });

  // Whoever may only look finds no way to change, and which rule is missing.
  const expectLocked = async (): Promise<void> => {
    const { client } = scene.sealift;
    const policy = `path "sys/sync/*" { capabilities = ["read", "list"] }
      path "secret/metadata/*" { capabilities = ["read", "list"] }`;
    await client.post('/v1/sys/policies/acl/looker', { policy });
    const { body } = await client.post('/v1/auth/token/create', { policies: ['looker'] });
    const { page, context, faults } = await scene.signIn({ token: body.auth.client_token });
    await page.goto(`${scene.url}${LINK}/app/db`);
    await page.getByRole('button', { name: 'Set credentials', disabled: true }).first().waitFor();
    expect(await page.getByRole('link', { name: 'Set credentials' }).count()).to.equal(0);
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/settings`);
    await page.getByText('You can read these settings, but not change them.').waitFor();
    expect(await page.getByRole('button', { name: 'Replace Access key ID' }).isDisabled()).to.equal(true);
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  };

  it('the page of a link whose credentials are refused leads to them, and says since when', async () => {
    scene.fake.revoke('AKIAEXAMPLEONE');
    const version = await scene.driver.write('app/db', { user: 'app', password: 'newer' });
    await scene.driver.settles('app/db', 'CLIENT_SIDE_ERROR');
    const { page, context, faults } = await scene.signIn({ size: NARROW });
    await page.goto(`${scene.url}${LINK}/app/db`);
    const status = page.getByRole('region', { name: 'Status' });
    await status.getByText('credentials_refused').waitFor();
    const credentials = status.getByRole('link', { name: 'Set credentials' });
    expect(await credentials.getAttribute('class')).to.include('primary');
    expect(await page.getByRole('button', { name: 'Sync now' }).getAttribute('class')).to.not.include(
      'primary',
    );
    await status.getByText(/^Failing for \d+ (?:s|min) \d.*[A-Z]{3,4}/).waitFor();
    await page
      .getByRole('cell', { name: `Tried to update the entry (version ${version})` })
      .first()
      .waitFor();
    await page.goto(`${scene.url}activity/secret/app/db`);
    await page.getByText(`Tried to update the entry (version ${version}) in prod`).first().waitFor();
    expect(await page.getByText(`Updated the entry (version ${version})`).count()).to.equal(0);
    await expectLocked();
    await page.goto(`${scene.url}${LINK}/app/db`);
    await status.getByRole('link', { name: 'Set credentials' }).click();
    scene.fake.giveOut('AKIAEXAMPLETWO', 'a-second-key');
    await page.getByLabel('Access key ID', { exact: true }).fill('AKIAEXAMPLETWO');
    await page.getByLabel('Secret access key', { exact: true }).fill('a-second-key');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await answerDialog(page, /^Save/);
    await scene.driver.settles('app/db', 'SYNCED');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the overview accounts for every link, and names a destination that no worker takes care of', async () => {
    const { client, context: service } = scene.sealift;
    const idle = '/v1/sys/sync/destinations/hosting-project/idle';
    const made = await client.post(idle, {
      access_token: 'a-token',
      project_id: 'prj_idle',
      deployment_environments: ['production'],
    });
    expect(made.status, made.text).to.equal(200);
    await client.post(`${idle}/associations/set`, { mount: 'secret', secret_name: 'app/db' });
    const { page, context, faults } = await scene.enter();
    const verdict = page.getByRole('region', { name: 'Status of all links' }).getByRole('status');
    await verdict.getByText(/1 pending/).waitFor();
    const text = await verdict.innerText();
    const [inSync = 0, total = 0, ...others] = [...text.matchAll(/\d+/g)].map(Number);
    expect(
      others.reduce((sum, count) => sum + count, inSync),
      text,
    ).to.equal(total);
    const row = page.getByRole('row', { name: /^idle/ });
    await row.getByText('Vercel').waitFor();
    expect(await row.getByText('Worker not responding').count()).to.equal(0);
    await service.db.raw(
      `UPDATE associations SET due_at = now() - interval '5 minutes' WHERE due_at IS NOT NULL AND destination_id =
       (SELECT id FROM destinations WHERE name = 'idle')`,
    );
    await row.getByText('Worker not responding').waitFor();
    const alert = page.getByRole('alert').filter({ hasText: 'No worker responds for Vercel' });
    await alert
      .getByText(/changes to idle are queued\. *Waiting for 5 min .*sealift serve connector hosting-project/s)
      .waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await eventually(async () => (await page.getByText('Worker not responding').count()) === 1);
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
