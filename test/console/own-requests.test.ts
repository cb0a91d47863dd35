import { expect } from 'chai';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

// What people give to whoever may read values, as for Vault.
const POLICY = `
path "payments/data/*" { capabilities = ["read"] }
path "payments/metadata/*" { capabilities = ["read"] }`;

describe('what the console asks for by itself', function () {
  let scene: ConsoleScene;
  let token: string;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    const { client } = scene.sealift;
    await client.post('/v1/sys/mounts/payments', { type: 'kv', options: { version: '2' } });
    await client.post('/v1/payments/data/api/json', { data: { user: 'app', password: 'a-hidden-value' } });
    await client.post('/v1/sys/policies/acl/alice', { policy: POLICY });
    const made = await client.post('/v1/auth/token/create', { policies: ['alice'], display_name: 'alice' });
    token = made.body.auth.client_token;
  });

  after(() => scene.close());

  it('a page tries nothing that the caller may not do, so the trail accuses nobody of it', async () => {
    const { page, context, faults } = await scene.signIn({ token });
    for (const path of ['secrets/payments/api/json', 'secrets/payments/', 'secrets/payments/api/']) {
      await page.goto(`${scene.url}${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
    }
    await page.goto(`${scene.url}secrets/payments/api/json`);
    await page.getByRole('button', { name: 'Reveal all', exact: true }).waitFor();
    await page.waitForLoadState('networkidle');
    const { body } = await scene.sealift.client.get(
      '/api/v2/admin/audit-events?filter[who]=alice&filter[outcome]=refused',
    );
    const tried = body.data.map((event: { attributes: { path: string } }) => event.attributes.path);
    expect(tried).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a reader of one destination is not said to have tried anything else of it', async () => {
    const { client } = scene.sealift;
    await scene.link('app/db');
    const policy = `
      path "sys/sync/destinations/cloud1-sm/prod" { capabilities = ["read"] }
      path "sys/sync/destinations/cloud1-sm/prod/associations" { capabilities = ["read"] }`;
    await client.post('/v1/sys/policies/acl/bea', { policy });
    const made = await client.post('/v1/auth/token/create', { policies: ['bea'], display_name: 'bea' });
    const { page, context, faults } = await scene.signIn({ token: made.body.auth.client_token });
    const pages = ['', '/settings', '/history', '/secret/secret/app/db'];
    for (const path of [...pages.map((one) => `destinations/cloud1-sm/prod${one}`), 'links']) {
      await page.goto(`${scene.url}${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
    }
    const { body } = await client.get('/api/v2/admin/audit-events?filter[who]=bea&filter[outcome]=refused');
    const tried = body.data.map((event: { attributes: { path: string } }) => event.attributes.path);
    expect(tried).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a reader of values, but not of keys alone, reveals them all, and that leaves an entry', async () => {
    const { page, context, faults } = await scene.signIn({ token });
    await page.goto(`${scene.url}secrets/payments/api/json`);
    await page.getByRole('button', { name: 'Reveal all', exact: true }).click();
    await page.getByRole('cell', { name: 'a-hidden-value' }).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Hide all' }).click();
    await page.getByRole('cell', { name: 'a-hidden-value' }).waitFor({ state: 'detached' });
    const { body } = await scene.sealift.client.get('/api/v2/admin/audit-events?filter[who]=alice');
    const actions = body.data.map((event: { attributes: { action: string } }) => event.attributes.action);
    expect(actions).to.include('POST /sys/reveal/*path');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a writer and reader of values, but not of keys alone, edits one key of a secret', async () => {
    const { client } = scene.sealift;
    const policy = `
      path "payments/data/*" { capabilities = ["create", "read", "update", "patch"] }
      path "payments/metadata/*" { capabilities = ["read", "list"] }`;
    await client.post('/v1/sys/policies/acl/writer', { policy });
    await client.post('/v1/payments/data/api/edited', { data: { user: 'app', port: 5432 } });
    const made = await client.post('/v1/auth/token/create', { policies: ['writer'] });
    const { page, context, faults } = await scene.signIn({ token: made.body.auth.client_token });
    await page.goto(`${scene.url}secrets/payments/api/edited`);
    await page.getByRole('button', { name: 'Reveal all and edit' }).click();
    const dialog = page.getByRole('dialog');
    // What is refused is to see the links, and not to save.
    await dialog
      .getByText(
        'You may not see which destinations this secret is linked to. They get the new version, too.',
      )
      .waitFor();
    await dialog.getByRole('button', { name: 'Replace user' }).click();
    await page.keyboard.type('another');
    await dialog.getByRole('button', { name: 'Save as v2' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { body } = await client.get('/v1/payments/data/api/edited');
    expect(body.data.data).to.deep.equal({ user: 'another', port: 5432 });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('whoever may replace a secret, but not patch it, edits it as a whole', async () => {
    const { client } = scene.sealift;
    const policy = `
      path "payments/data/*" { capabilities = ["create", "read", "update"] }
      path "payments/subkeys/*" { capabilities = ["read"] }
      path "payments/diff/*" { capabilities = ["read"] }
      path "payments/metadata/*" { capabilities = ["read", "list"] }`;
    await client.post('/v1/sys/policies/acl/replacer', { policy });
    await client.post('/v1/payments/data/api/replaced', { data: { user: 'app', port: 5432 } });
    const made = await client.post('/v1/auth/token/create', { policies: ['replacer'] });
    const { page, context, faults } = await scene.signIn({ token: made.body.auth.client_token });
    await page.goto(`${scene.url}secrets/payments/api/replaced`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Your policies let you save this secret only as a whole').waitFor();
    await dialog.getByRole('button', { name: 'Reveal all and edit as JSON' }).click();
    const text = dialog.getByLabel('The secret as JSON');
    await text.fill((await text.inputValue()).replace('"app"', '"another"'));
    // Someone else saves a version meanwhile, which must not be replaced unseen.
    await client.post('/v1/payments/data/api/replaced', { data: { user: 'app', port: 5433 } });
    await dialog.getByRole('button', { name: 'Save as v2' }).click();
    await dialog.getByRole('button', { name: 'Reload and keep what I typed' }).click();
    await dialog.getByRole('button', { name: 'Save as v3' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { body } = await client.get('/v1/payments/data/api/replaced');
    expect(body.data.data).to.deep.equal({ user: 'another', port: 5433 });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('an empty list is no failure in the console of the browser', async () => {
    const { page, context, faults } = await scene.signIn();
    const missing: string[] = [];
    page.on('response', (answer) => {
      if (answer.status() === 404) missing.push(answer.url());
    });
    const pages = ['alerts', 'access/teams', 'access/namespaces', 'access/tokens', 'github-apps'];
    for (const path of [...pages, 'secrets/payments/api/json', 'secrets/payments/']) {
      await page.goto(`${scene.url}${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
    }
    expect(missing).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a namespace without mounts offers to create one first', async () => {
    await scene.sealift.client.post('/v1/sys/namespaces/empty', {});
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}?ns=empty`);
    await page.getByRole('link', { name: 'create a mount' }).click();
    await page.getByRole('button', { name: 'Create a mount' }).click();
    await page.getByRole('dialog').getByRole('heading', { name: 'Create a mount' }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
