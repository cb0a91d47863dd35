import { expect } from 'chai';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

describe('access in the console', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
  });

  after(() => scene.close());

  it('a new token is shown once, works, and ends when somebody ends it by its accessor', async () => {
    const { client } = scene.sealift;
    const { page, context, faults } = await scene.enter({
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.getByRole('link', { name: 'Access' }).click();
    await page.getByRole('button', { name: 'Create a token' }).click();
    await page.getByLabel('Name', { exact: true }).fill('ci-deploy');
    await page.getByLabel('Policies', { exact: true }).fill('default');
    await page.keyboard.press('Enter');
    await page.getByLabel('Policies', { exact: true }).fill('nobody-wrote-it');
    await page.getByLabel('TTL').fill('forever');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.locator('[aria-invalid="true"]').waitFor();
    await page.getByLabel('TTL').fill('1h');
    await page.getByRole('button', { name: 'Create anyway', exact: true }).click();
    await page.getByText('Copy it now').waitFor();
    await page.getByText('Policy "nobody-wrote-it" does not exist').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    const [token = ''] = /slt\.[\w-]+/.exec(await page.content()) ?? [];
    const found = await client.get('/v1/auth/token/lookup-self', { token });
    expect(found.body.data.policies).to.deep.equal(['default', 'nobody-wrote-it']);
    await page.keyboard.press('Escape');
    await page.getByText('Close without copying the token?').waitFor();
    await page.getByRole('button', { name: 'Go back' }).click();
    await page.getByText('Copy it now').waitFor();
    await page.getByRole('button', { name: 'Copy the token' }).click();
    await page.getByText('Copied.').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await page.content()).to.not.include(token);

    await page.getByRole('button', { name: /^Revoke ci-deploy/ }).click();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByRole('button', { name: /^Revoke ci-deploy/ }).waitFor({ state: 'detached' });
    expect((await client.get('/v1/auth/token/lookup-self', { token })).status).to.equal(403);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a fault of a policy stands at its line; what the text gives is told before it is saved', async () => {
    const { client } = scene.sealift;
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}access/policies`);
    await page.getByRole('button', { name: 'Create policy' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('app-reader');
    await page.getByRole('button', { name: 'Continue' }).click();
    const text = page.getByLabel('Policy, in HCL or JSON');
    await text.fill(
      'path "secret/data/app/*" {\n  capabilities = ["read"]\n}\npath "x" {\n  capabilities = ["reed"]\n}',
    );
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Go to line 5' }).click();
    expect(await page.evaluate('getSelection().toString()')).to.include('reed');
    expect((await client.get('/v1/sys/policies/acl/app-reader')).status).to.equal(404);

    await text.fill('path "secret/data/app/*" {\n  capabilities = ["read"]\n}');
    await page.getByLabel('Path', { exact: true }).fill('secret/data/app/db');
    await page.getByRole('button', { name: 'Test' }).click();
    await page.getByText('→ read').waitFor();
    await page.getByLabel('Path', { exact: true }).fill('secret/data/other');
    await page.getByRole('button', { name: 'Test' }).click();
    await page.getByText('→ deny').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator(':focus', { hasText: 'Saved.' }).waitFor();
    expect((await client.get('/v1/sys/policies/acl/app-reader')).body.data.policy).to.include('app/*');
    const theirs = 'path "secret/data/theirs" {\n  capabilities = ["read"]\n}';
    await text.fill('path "secret/data/mine" {\n  capabilities = ["read"]\n}');
    await client.post('/v1/sys/policies/acl/app-reader', { policy: theirs });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('changed this policy while you were editing').waitFor();
    expect((await client.get('/v1/sys/policies/acl/app-reader')).body.data.policy).to.equal(theirs);
    await page.getByRole('button', { name: 'Keep my version' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator(':focus', { hasText: 'Saved.' }).waitFor();
    expect((await client.get('/v1/sys/policies/acl/app-reader')).body.data.policy).to.include('mine');
    await page.getByRole('button', { name: 'Delete policy…' }).click();
    await page.getByLabel(/Type .* to confirm/).fill('app-reader');
    await page.getByRole('button', { name: 'Delete policy', exact: true }).click();
    await page.getByRole('heading', { name: 'Policies' }).waitFor();
    expect((await client.get('/v1/sys/policies/acl/app-reader')).status).to.equal(404);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a session that somebody ends is over at once in its own browser', async () => {
    const here = await scene.signIn();
    const there = await scene.enter();
    await here.page.goto(`${scene.url}access/sessions`);
    await here.page.getByText('this browser').waitFor();
    await here.page.getByText('Chrome on Linux, 127.0.0.1').first().waitFor();
    expect(await findBarriers(here.page)).to.deep.equal([]);
    const other = here.page.getByRole('row').filter({ hasText: 'your token' }).first();
    await other.getByRole('button', { name: /^End/ }).click();
    await here.page.getByRole('dialog').getByRole('button', { name: /^End/ }).click();
    await here.page.getByRole('dialog').waitFor({ state: 'detached' });
    await there.page.getByRole('heading', { name: 'Sign in again' }).waitFor();
    expect(here.faults).to.deep.equal([]);
    await here.context.close();
    await there.context.close();
  });

  it('namespaces are made below each other; one that is not empty stays, and says what is in it', async () => {
    const { client } = scene.sealift;
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}access/namespaces`);
    await page.getByRole('button', { name: 'Create a namespace' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('team-a');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('button', { name: 'Create child of team-a/' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('payments');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByLabel('Child namespaces of team-a/', { exact: true }).click();
    await page.getByText('0 mounts · 0 secrets · 0 destinations · 0 tokens').first().waitFor();
    await page.getByText('payments/', { exact: true }).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);

    await page.getByRole('button', { name: 'Delete team-a/', exact: true }).click();
    await page.getByRole('heading', { name: 'team-a/ is not empty' }).waitFor();
    expect(await page.getByLabel(/Type .* to confirm/).count()).to.equal(0);
    const inside = page.getByRole('dialog').getByRole('link', { name: '1 namespace', exact: true });
    expect(new URL((await inside.getAttribute('href')) ?? '', scene.url).searchParams.get('ns')).to.equal(
      'team-a',
    );
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Delete team-a/payments/' }).click();
    await page.getByLabel(/Type .* to confirm/).fill('team-a/payments');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No child namespaces.').waitFor();
    await page.getByRole('link', { name: 'Open team-a/' }).click();
    await page.getByRole('button', { name: 'Namespace team-a' }).waitFor();
    expect((await client.get('/v1/sys/namespaces/team-a/payments')).status).to.equal(404);
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
