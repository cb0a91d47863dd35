import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { findBarriers } from './support/axe.ts';
import { copyCurl } from './support/copy.ts';
import { paste } from './support/paste.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const DEVELOPERS = 'CN=dev,DC=example';

describe('teams in the console', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    const { client } = scene.sealift;
    const policy = 'path "secret/data/app/*" { capabilities = ["read"] }';
    await client.post('/v1/sys/namespaces/team-a');
    for (const namespace of ['', 'team-a'])
      await client.post('/v1/sys/policies/acl/app-reader', { policy }, { namespace });
  });

  after(() => scene.close());

  const policiesOf = async (team: string, namespace = '') =>
    (await scene.sealift.client.get(`/v1/sys/teams/${encodeURIComponent(team)}`, { namespace })).body.data
      ?.policies;
  const add = async (page: Page, name: string, token: string): Promise<void> => {
    await page.getByRole('button', { name: 'Add a team' }).first().click();
    await page.getByRole('textbox', { name: 'Team', exact: true }).fill(name);
    await page.getByRole('combobox', { name: 'Policies' }).click();
    await page.getByRole('option', { name: 'app-reader' }).click();
    await page.getByLabel('Your token').fill(token);
    await page.getByRole('button', { name: 'Add team', exact: true }).click();
  };

  it('a team is added with policies from a list, changed and deleted', async () => {
    const { page, context, faults } = await scene.enter();
    await page.getByRole('link', { name: 'Access' }).click();
    await page.getByRole('link', { name: 'Teams' }).click();
    await page.getByText('No teams yet').waitFor();
    await add(page, DEVELOPERS, scene.sealift.token);
    const row = page.getByRole('row').filter({ hasText: DEVELOPERS });
    await row.getByText('app-reader').waitFor();
    expect(await policiesOf(DEVELOPERS)).to.deep.equal(['app-reader']);
    expect(await findBarriers(page)).to.deep.equal([]);
    await add(page, DEVELOPERS, scene.sealift.token);
    await page.getByText('The name is taken: the team').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard' }).click();

    await page.getByRole('button', { name: `Change ${DEVELOPERS}` }).click();
    await page.getByRole('button', { name: 'Remove app-reader' }).waitFor();
    await page.getByLabel('Policies', { exact: true }).fill('default');
    await page.getByLabel('Your token').fill(scene.sealift.token);
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await row.getByText('app-reader, default').waitFor();

    await page.getByRole('button', { name: `Delete ${DEVELOPERS}` }).click();
    await page.getByText('no longer get app-reader, default').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No teams yet').waitFor();
    expect(await policiesOf(DEVELOPERS)).to.equal(undefined);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('several policies in one line are several, and one that does not exist is told at once', async () => {
    await scene.sealift.client.post('/v1/sys/policies/acl/auditor', {
      policy: 'path "sys/status" { capabilities = ["read"] }',
    });
    const { page, context, faults } = await scene.signIn({
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.goto(`${scene.url}access/teams`);
    await page.getByRole('button', { name: 'Add a team' }).first().click();
    await page.getByRole('textbox', { name: 'Team', exact: true }).fill('both');
    const policies = page.getByRole('combobox', { name: 'Policies' });
    const dialog = page.getByRole('dialog');
    await policies.pressSequentially('app-reader,audit');
    await dialog.getByRole('button', { name: 'Remove app-reader' }).waitFor();
    expect(await dialog.getByText(/is called/).count()).to.equal(0);
    await policies.press('End');
    await policies.pressSequentially('or pay-tema\t');
    await dialog.getByText('No policy is called pay-tema.', { exact: true }).waitFor();
    await policies.fill('');
    await paste(policies, 'pay-team, default\nauditor');
    await policies.press('Enter');
    await dialog.getByText('No policy is called pay-team.', { exact: true }).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await dialog.getByRole('button', { name: 'Remove pay-team' }).click();
    await page.getByLabel('Your token').fill(scene.sealift.token);
    await dialog.getByRole('button', { name: 'Add team', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await policiesOf('both')).to.have.members(['app-reader', 'auditor', 'default']);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a session alone lets nobody in: a wrong token is told, and the right one is nowhere kept', async () => {
    const watched = await scene.signIn({ permissions: ['clipboard-read', 'clipboard-write'] });
    const { page, context } = watched;
    await page.goto(`${scene.url}access/teams`);
    await add(page, 'ops', 'slt.wrong');
    await page.getByText('This token is invalid or expired, or its policies don’t allow this.').waitFor();
    expect(await page.evaluate('document.activeElement.getAttribute("aria-invalid")')).to.equal('true');
    expect(await policiesOf('ops')).to.equal(undefined);
    await page.getByLabel('Your token').fill(scene.sealift.token);
    expect(await copyCurl(watched, 'Add team')).to.not.include(scene.sealift.token);
    await page.getByRole('button', { name: 'Add team', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'ops', exact: true }).waitFor();
    expect(await page.content()).to.not.include(scene.sealift.token);
    const stored = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }])',
    );
    expect(stored).to.not.include(scene.sealift.token);
    await context.close();
  });

  it('each namespace has its own table of teams', async () => {
    const { page, context } = await scene.signIn();
    await page.goto(`${scene.url}access/teams?ns=team-a`);
    await page.getByText('No teams yet').waitFor();
    await add(page, 'shops', scene.sealift.token);
    await page.getByRole('cell', { name: 'shops', exact: true }).waitFor();
    expect(await policiesOf('shops', 'team-a')).to.deep.equal(['app-reader']);
    expect(await policiesOf('shops')).to.equal(undefined);
    await context.close();
  });
});
