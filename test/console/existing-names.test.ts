import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

describe('names in the console that exist already', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    const { client } = scene.sealift;
    await client.post('/v1/sys/auth/machines', { type: 'approle' });
  });

  after(() => scene.close());

  /** Makes what the form makes too, after the form was opened: the list of the page does not have it yet. */
  type Taken = {
    page: string;
    open: string;
    field: string;
    name: string;
    make: [path: string, body: object];
    fill?: (page: Page) => Promise<void>;
    save: string;
    fault: string;
  };

  const withToken = (page: Page) => page.getByLabel('Your token').fill(scene.sealift.token);
  const policy = 'path "secret/data/app/*" { capabilities = ["read"] }';
  const things: Record<string, Taken> = {
    'a namespace': {
      page: 'access/namespaces',
      open: 'Create a namespace',
      field: 'Name',
      name: 'team-a',
      make: ['sys/namespaces/team-a', { custom_metadata: { of: 'others' } }],
      save: 'Create',
      fault: 'The name is taken: the namespace team-a/ already exists.',
    },
    'a mount instead of a namespace': {
      page: 'access/namespaces',
      open: 'Create a namespace',
      field: 'Name',
      name: 'apps',
      make: ['sys/mounts/apps', { type: 'kv-v2' }],
      save: 'Create',
      fault: 'Path is already in use by the mount apps/.',
    },
    'a policy': {
      page: 'access/policies',
      open: 'Create policy',
      field: 'Name',
      name: 'Readers',
      make: ['sys/policies/acl/readers', { policy }],
      save: 'Continue',
      fault: 'The name is taken: the policy readers already exists.',
    },
    'a mount': {
      page: 'secrets/',
      open: 'Create a mount',
      field: 'Path',
      name: 'shared',
      make: ['sys/mounts/shared', { type: 'kv-v2' }],
      save: 'Create mount',
      fault: 'Path is already in use at shared/.',
    },
    'an auth method': {
      page: 'access/auth',
      open: 'Enable a method',
      field: 'Path',
      name: 'robots',
      make: ['sys/auth/robots', { type: 'jwt' }],
      save: 'Enable',
      fault: 'Path is already in use at robots/.',
    },
    'a role': {
      page: 'access/auth/machines',
      open: 'Create a role',
      field: 'Role',
      name: 'web',
      make: ['auth/machines/role/web', { token_ttl: 60 }],
      fill: withToken,
      save: 'Create role',
      fault: 'The name is taken: the role web already exists.',
    },
    'a team': {
      page: 'access/teams',
      open: 'Add a team',
      field: 'Team',
      name: 'ops',
      make: ['sys/teams/ops', { policies: ['default'] }],
      fill: async (page) => {
        await page.getByRole('combobox', { name: 'Policies' }).fill('audit');
        await withToken(page);
      },
      save: 'Add team',
      fault: 'The name is taken: the team ops already exists.',
    },
    'an alert rule': {
      page: 'new-alert',
      open: '',
      field: 'Name',
      name: 'nightly',
      make: [
        'sys/alerts/nightly',
        { channel: 'webhook', url: 'https://hooks.example.com/a', secret: 'x'.repeat(32) },
      ],
      fill: async (page) => {
        await page.getByLabel('Channel').selectOption('Webhook');
        await page.getByLabel('Webhook URL').fill('https://hooks.example.com/b');
        await page.getByLabel('Signing secret').fill('y'.repeat(32));
      },
      save: 'Save',
      fault: 'The name is taken: the rule nightly already exists.',
    },
    'a GitHub App': {
      page: 'github-apps',
      open: 'Add a GitHub App',
      field: 'Name',
      name: 'deployer',
      make: ['sys/sync/github-apps/deployer', { app_id: 1, private_key: pem() }],
      fill: async (page) => {
        await page.getByLabel('App ID').fill('4711');
        await page.getByLabel('Private key', { exact: true }).fill(pem());
      },
      save: 'Add',
      fault: 'The name is taken: the GitHub App deployer already exists.',
    },
  };

  for (const [thing, { page: path, open, field, name, make, fill, save, fault }] of Object.entries(things))
    it(`${thing} that exists is said to exist at its field, and nothing is changed`, async () => {
      const { client } = scene.sealift;
      const { page, context } = await scene.signIn();
      await page.goto(`${scene.url}${path}`);
      if (open) await page.getByRole('button', { name: open }).first().click();
      const input = page.getByRole('textbox', { name: field, exact: true });
      await input.fill(name);
      await fill?.(page);
      const made = await client.post(`/v1/${make[0]}`, make[1]);
      expect(made.status, made.text).to.be.lessThan(300);
      const before = await client.get(`/v1/${make[0]}`);
      await page.getByRole('button', { name: save, exact: true }).click();
      await page.getByText(fault, { exact: true }).waitFor();
      expect(await input.getAttribute('aria-invalid')).to.equal('true');
      expect(await input.inputValue()).to.equal(name);
      expect((await client.get(`/v1/${make[0]}`)).body.data).to.deep.equal(before.body.data);
      await input.fill(`${name}-2`);
      await page.getByText(fault, { exact: true }).waitFor({ state: 'detached' });
      await context.close();
    });
});

function pem(): string {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  }).privateKey;
}
