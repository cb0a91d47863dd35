import { expect } from 'chai';
import { startKeyMaintenance } from '../../services/key-maintenance/start.ts';
import { startSettingsWorker } from '../../services/settings/start.ts';
import { findBarriers } from './support/axe.ts';
import { answerDialog } from './support/answer.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const SHA = 'ab'.repeat(32);

describe('administration of the site in the console', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    await scene.sealift.start('settings', startSettingsWorker);
    await scene.sealift.start('key-maintenance', startKeyMaintenance);
  });

  after(() => scene.close());

  it('a version of a policy engine is added, deprecated with a reason, disabled and deleted', async () => {
    const { client } = scene.sealift;
    const { page, context, faults } = await scene.enter();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'For other programs' }).click();
    await page.getByRole('link', { name: 'Versions of policy engines' }).click();
    await page.locator('nav [aria-current="page"]').getByText('Settings').waitFor();
    await page.getByText('No versions yet').waitFor();
    await page.getByRole('button', { name: 'Add a version' }).first().click();
    await page.getByLabel('Version', { exact: true }).fill('one');
    await page.getByLabel('URL', { exact: true }).fill('https://example.com/opa');
    await page.getByLabel('SHA', { exact: true }).fill(SHA);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const version = page.getByLabel('Version', { exact: true });
    await page.locator('[aria-invalid="true"]').waitFor();
    expect(await version.getAttribute('aria-invalid')).to.equal('true');
    await version.fill('1.2.0');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Deprecate 1.2.0' }).click();
    await page.getByLabel('Deprecated reason').fill('It has a hole.');
    await page.getByRole('button', { name: 'Deprecate', exact: true }).click();
    await page.getByText('It has a hole.').waitFor();
    await page.getByRole('button', { name: 'Disable 1.2.0' }).click();
    await page.getByText('Disabled', { exact: true }).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);

    const path = '/api/v2/admin/opa-versions';
    const [{ id }] = (await client.get(path)).body.data;
    await client.call('PUT', `${path}/${id}/usages/workspaces/ws-1`);
    await page.reload();
    await page.getByRole('button', { name: 'Delete 1.2.0' }).click();
    await page.getByText('Used in 1 place.').waitFor();
    await page.getByLabel(/Type .* to confirm/).fill('1.2.0');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('is used by a workspace or a policy set').waitFor();
    await client.delete(`${path}/${id}/usages/workspaces/ws-1`);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No versions yet').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a retention policy is set and taken away, and a wrong number stands at its field', async () => {
    const { client } = scene.sealift;
    const { page, context, faults } = await scene.signIn();
    const path = '/api/v2/admin/data-retention-policy-settings';
    await page.goto(`${scene.url}settings/data-retention`);
    const unset = 'Not set: audit entries are kept for 365 days, sync history is kept for 90 days';
    await page.getByText(unset).waitFor();
    const days = page.getByLabel('Delete data older than (days)');
    await days.fill('0');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('[aria-invalid="true"]').waitFor();
    await days.fill('1.5');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter a whole number.').first().waitFor();
    await days.fill('30');
    await page.getByRole('button', { name: 'Save' }).click();
    await answerDialog(page, 'Save and delete', 'delete');
    await page.getByText('Saved.').waitFor();
    const { attributes } = (await client.get(path)).body.data;
    expect(attributes['delete-older-than-n-days']).to.equal(30);
    const policy = 'path "api/v2/admin/audit-events" { capabilities = ["read"] }';
    await client.post('/v1/sys/policies/acl/auditor', { policy });
    const made = await client.post('/v1/auth/token/create', { policies: ['auditor'] });
    const auditor = await scene.enter({ token: made.body.auth.client_token });
    await auditor.page.getByText('Entries are kept for 30 days.').waitFor();
    await auditor.context.close();
    await page.getByRole('button', { name: 'Delete these settings…' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete these settings…' }).waitFor({ state: 'detached' });
    expect((await client.get(path)).status).to.equal(404);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a longer retention is saved without a question, as it deletes nothing', async () => {
    const { client } = scene.sealift;
    const path = '/api/v2/admin/data-retention-policy-settings';
    const type = 'data-retention-policy-delete-olders';
    const attributes = { 'delete-older-than-n-days': 30 };
    expect((await client.post(path, { data: { type, attributes } })).status).to.be.oneOf([200, 201]);
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}settings/data-retention`);
    await page.getByLabel('Delete data older than (days)').fill('60');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect((await client.get(path)).body.data.attributes['delete-older-than-n-days']).to.equal(60);
    await client.delete(path);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the key that signs workload tokens is rotated and trimmed', async () => {
    const keys = async (): Promise<number> =>
      (await scene.sealift.client.get('/.well-known/jwks', { token: null })).body.keys.length;
    const before = await keys();
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}settings/oidc`);
    await page.getByRole('button', { name: 'Rotate the signing key…' }).click();
    await page.getByRole('button', { name: 'Rotate the signing key', exact: true }).click();
    await page.getByText('Done.').waitFor();
    expect(await keys()).to.equal(before + 1);
    const rows = page.getByRole('table').getByRole('row');
    await rows.nth(1).getByText('Signs new tokens').waitFor();
    await rows.nth(2).getByText('Its last token ends in 23 h').waitFor();
    expect(await rows.count()).to.equal(before + 2);
    await page.getByText(/The old keys? goe?s? in 29 d/).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    const old = await rows.nth(2).locator('code').innerText();
    await page.getByRole('button', { name: 'Trim the signing keys…' }).click();
    await page.getByText('This cannot be undone.').waitFor();
    await page.getByRole('dialog').getByText(old).waitFor();
    await page.getByRole('dialog').getByText('is refused from then on').waitFor();
    await page.getByRole('button', { name: 'Trim the signing keys', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await keys()).to.equal(1);
    await rows.nth(2).waitFor({ state: 'detached' });
    await page.getByText('There is no old key').waitFor();
    expect(await page.getByRole('button', { name: 'Trim the signing keys…' }).count()).to.equal(0);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a former certificate that does not exist is not offered for revocation', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}settings/saml`);
    await page.getByText('There is no former certificate to revoke.').waitFor();
    expect(await page.getByRole('button', { name: 'Revoke the former certificate…' }).count()).to.equal(0);
    expect(await page.getByText('Sealift accepts only').count()).to.equal(0);
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
