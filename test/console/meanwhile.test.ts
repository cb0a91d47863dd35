import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const TEAM = '/v1/sys/teams/devs';

describe('dialogs of the console that others overtake', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene({ EGRESS_ALLOW: '127.0.0.1' });
    const policy = 'path "secret/data/app/*" { capabilities = ["read"] }';
    for (const name of ['app-reader', 'app-writer', 'auditor'])
      await post(`/v1/sys/policies/acl/${name}`, { policy });
    await post('/v1/sys/auth/machines', { type: 'approle' });
    await post('/v1/sys/auth/tokens', { type: 'jwt' });
  });

  after(() => scene.close());

  const post = async (path: string, body: object): Promise<void> => {
    const { status, body: answer } = await scene.sealift.client.post(path, body);
    if (status >= 300) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  };
  const read = async (path: string) => (await scene.sealift.client.get(path)).body.data;
  const save = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true });
  const rowsOf = async (page: Page, place: 'dialog' | 'main' = 'dialog'): Promise<string[]> =>
    (await page.getByRole(place).getByRole('alert').getByRole('row').allInnerTexts()).map((row) =>
      row.split(/\s+/).join(' '),
    );

  it('the policies that another person gave a team meanwhile are shown before they are replaced', async () => {
    await post(TEAM, { policies: ['app-reader'] });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}access/teams`);
    await page.getByRole('button', { name: 'Change devs' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Policies', { exact: true }).fill('default');
    await dialog.getByLabel('Your token').fill(scene.sealift.token);
    await post(TEAM, { policies: ['auditor', 'app-reader'] });
    await save(page).click();
    await dialog.getByText(/^root changed this .* ago/).waitFor();
    expect((await read(TEAM)).policies).to.deep.equal(['app-reader', 'auditor']);
    expect(await rowsOf(page)).to.deep.equal([
      'Field Theirs Yours',
      'Policies app-reader, auditor app-reader, default',
    ]);
    expect(await save(page).isDisabled()).to.equal(true);
    expect(await findBarriers(page)).to.deep.equal([]);
    await dialog.getByRole('button', { name: 'Reapply my changes' }).click();
    await save(page).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await read(TEAM)).policies).to.deep.equal(['app-reader', 'default']);

    await page.getByRole('button', { name: 'Change devs' }).click();
    await dialog.getByLabel('Policies', { exact: true }).fill('app-writer');
    await dialog.getByLabel('Your token').fill(scene.sealift.token);
    await post(TEAM, { policies: ['auditor'] });
    await save(page).click();
    await dialog.getByRole('button', { name: 'Keep theirs' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await read(TEAM)).policies).to.deep.equal(['auditor']);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a team that another person deleted meanwhile is not brought back by saving it', async () => {
    await post(TEAM, { policies: ['auditor'] });
    const { page, context } = await scene.signIn();
    await page.goto(`${scene.url}access/teams`);
    await page.getByRole('button', { name: 'Change devs' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Policies', { exact: true }).fill('default');
    await dialog.getByLabel('Your token').fill(scene.sealift.token);
    await scene.sealift.client.delete(TEAM);
    await save(page).click();
    await dialog.getByText('Someone else deleted this meanwhile. Nothing was saved.').waitFor();
    expect(await read(TEAM)).to.equal(undefined);
    await context.close();
  });

  it('metadata that another person changed meanwhile is shown beside what is typed, and kept', async () => {
    const metadata = '/v1/secret/metadata/app/limits';
    await scene.driver.write('app/limits', { user: 'app' });
    await post(metadata, { custom_metadata: { owner: 'one', shift: 'day' } });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}secrets/secret/app/limits`);
    await page.getByRole('button', { name: 'Change metadata…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Maximum versions').fill('5');
    await dialog.getByLabel('Value 1').fill('mine');
    await post(metadata, {
      max_versions: 7,
      delete_version_after: '720h',
      custom_metadata: { owner: 'one', shift: 'night' },
    });
    await save(page).click();
    await dialog.getByText(/^root changed this \d+ s ago/).waitFor();
    expect(await rowsOf(page)).to.deep.equal([
      'Field Theirs Yours',
      'Maximum versions 7 5',
      'Delete versions after 30d Same as theirs',
      'Custom metadata owner=one, shift=night owner=mine, shift=day',
    ]);
    expect((await read(metadata)).max_versions).to.equal(7);
    await dialog.getByRole('button', { name: 'Reapply my changes' }).click();
    expect(await dialog.getByLabel('Delete versions after').inputValue()).to.equal('30d');
    await save(page).click();
    await dialog.waitFor({ state: 'detached' });
    const stored = await read(metadata);
    expect(stored.custom_metadata).to.deep.equal({ owner: 'mine', shift: 'night' });
    expect(stored).to.deep.include({ max_versions: 5, delete_version_after: '720h0m0s' });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the description of a mount is not replaced unseen, by the limits or by another one', async () => {
    const described = async (): Promise<string> =>
      (await scene.sealift.client.get('/v1/sys/mounts')).body.data['secret/'].description;
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}secrets/secret`);
    await page.getByRole('button', { name: 'Mount settings' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Description').fill('mine');
    await post('/v1/sys/mounts/secret/tune', { description: 'theirs' });
    await save(page).click();
    await dialog.getByText('Someone changed this meanwhile.').waitFor();
    expect(await rowsOf(page)).to.deep.equal(['Field Theirs Yours', 'Description theirs mine']);
    expect(await described()).to.equal('theirs');
    await dialog.getByRole('button', { name: 'Reapply my changes' }).click();
    expect(await dialog.getByLabel('Description').inputValue()).to.equal('mine');
    await save(page).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await described()).to.equal('mine');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a role, an issuer and the tuning of an auth method are not replaced unseen either', async () => {
    const key = () =>
      generateKeyPairSync('rsa', {
        modulusLength: 2048,
        publicKeyEncoding: { type: 'spki', format: 'pem' },
        privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      }).publicKey;
    const issuer = { jwt_validation_pubkeys: [key()], bound_issuer: 'one' };
    await post('/v1/auth/machines/role/web', { token_policies: ['app-reader'] });
    await post('/v1/auth/tokens/config', issuer);
    const { page, context, faults } = await scene.signIn();
    const dialog = page.getByRole('dialog');
    const overtake = async (opened: string, label: string, text: string, theirs: [string, object]) => {
      await page.getByRole('button', { name: opened }).click();
      if ((await dialog.getByLabel(label, { exact: true }).count()) === 0)
        await dialog.getByText('More settings').click();
      await dialog.getByLabel(label, { exact: true }).fill(text);
      if ((await dialog.getByLabel('Your token').count()) > 0)
        await dialog.getByLabel('Your token').fill(scene.sealift.token);
      await post(...theirs);
      await save(page).click();
      await dialog.getByText('Someone changed this meanwhile.').waitFor();
      const rows = await rowsOf(page);
      await dialog.getByRole('button', { name: 'Keep theirs' }).click();
      await dialog.waitFor({ state: 'detached' });
      return rows.slice(1);
    };
    await page.goto(`${scene.url}access/auth/machines?role=web`);
    const role: [string, object] = ['/v1/auth/machines/role/web', { token_policies: ['auditor'] }];
    expect(await overtake('Change…', 'Token policies', 'default', role)).to.deep.equal([
      'Token policies auditor app-reader, default',
    ]);
    await page.goto(`${scene.url}access/auth/tokens`);
    const config: [string, object] = ['/v1/auth/tokens/config', { ...issuer, bound_issuer: 'two' }];
    expect(await overtake('Change the issuer…', 'Issuer in the tokens (iss)', 'mine', config)).to.deep.equal([
      'Issuer in the tokens (iss) two mine',
    ]);
    expect((await read('/v1/auth/tokens/config')).bound_issuer).to.equal('two');
    const tuning: [string, object] = ['/v1/sys/auth/tokens/tune', { description: 'theirs' }];
    expect(await overtake('Tune…', 'Description', 'mine', tuning)).to.deep.equal(['Description theirs mine']);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a key of a GitHub App that another person has replaced is not replaced again', async () => {
    const pem = () =>
      generateKeyPairSync('rsa', {
        modulusLength: 2048,
        publicKeyEncoding: { type: 'spki', format: 'pem' },
        privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
      }).privateKey;
    const app = '/v1/sys/sync/github-apps/deployer';
    await post(app, { app_id: 4711, private_key: pem() });
    const { page, context } = await scene.signIn();
    await page.goto(`${scene.url}github-apps`);
    await page.getByRole('button', { name: 'Replace key of deployer' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Private key', { exact: true }).fill(pem());
    await post(app, { app_id: 4711, private_key: pem() });
    const { fingerprint } = await read(app);
    await dialog.getByRole('button', { name: 'Replace key', exact: true }).click();
    await dialog.getByText(/was changed by root .*nothing was changed/).waitFor();
    expect((await read(app)).fingerprint).to.equal(fingerprint);
    await context.close();
  });

  it('a change of another person does not move the page under whoever is typing a setting', async () => {
    const destination = '/v1/sys/sync/destinations/cloud1-sm/prod';
    const { page, context, faults } = await scene.signIn({ size: { width: 1100, height: 500 } });
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/settings`);
    const field = page.getByLabel('Custom tags');
    await field.fill('team=second');
    const placeOf = async () => [await page.evaluate('scrollY'), (await field.boundingBox())?.y];
    const before = await placeOf();
    const made = await scene.sealift.client.post('/v1/auth/token/create', {
      policies: ['root'],
      display_name: 'ben',
    });
    const theirs = { deletion_policy: 'retain', custom_tags: { team: 'second' } };
    await scene.sealift.client.patch(destination, theirs, { token: made.body.auth.client_token });
    await page.getByText('What you chose is already saved, so there is nothing left to save.').waitFor();
    await page.getByRole('alert').getByText('Same as theirs').waitFor();
    // What both have set to the same is no difference.
    expect(await rowsOf(page, 'main')).to.deep.equal([
      'Field Theirs Yours',
      'Deletion policy Retain Same as theirs',
    ]);
    await page.getByText(/^Changed by .*ben · \d+ s ago/).waitFor();
    await page.getByRole('alert').getByRole('button', { name: 'Show what is saved' }).waitFor();
    expect(await placeOf()).to.deep.equal(before);
    await page.keyboard.type('s');
    expect(await field.inputValue()).to.equal('team=seconds');
    await page.getByText('Someone else changed this. Decide above first.').waitFor();
    await page.getByRole('button', { name: 'Reapply my changes' }).click();
    expect(await page.getByLabel('Deletion policy').inputValue()).to.equal('retain');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a version of a secret that is gone is not said to be destroyed', async () => {
    await scene.driver.write('app/brief', { user: 'app' });
    const { page, context } = await scene.signIn();
    await page.goto(`${scene.url}secrets/secret/app/brief`);
    await page.getByRole('button', { name: 'Destroy version 1' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill('app/brief');
    await scene.sealift.client.delete('/v1/secret/metadata/app/brief');
    await dialog.getByRole('button', { name: 'Destroy v1' }).click();
    await dialog.getByText('Someone else deleted this secret meanwhile. Nothing was changed.').waitFor();
    await context.close();
  });

  it('the list of secrets names who changed one last as the page of the secret does', async () => {
    const { client } = scene.sealift;
    const made = await client.post('/v1/auth/token/create', { display_name: 'carla', policies: ['root'] });
    await client.post(
      '/v1/secret/data/named/db',
      { data: { user: 'a' } },
      { token: made.body.auth.client_token },
    );
    const { page, context } = await scene.signIn();
    await page.goto(`${scene.url}secrets/secret/named/`);
    await page.getByText('by carla', { exact: true }).waitFor();
    await context.close();
  });
});
