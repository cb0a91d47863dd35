import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

describe('the audit trail in the console', function () {
  this.timeout(60_000);
  let scene: ConsoleScene;
  let accessor: string;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    const { client } = scene.sealift;
    await scene.link('shop/mail');
    await scene.link('shop/other');
    await scene.waitForCounts({ SYNCED: 2 });
    const made = await client.post('/v1/auth/token/create', { policies: ['root'], display_name: 'bob' });
    const { client_token: token } = made.body.auth;
    ({ accessor } = made.body.auth);
    await client.get('/v1/secret/data/shop/mail', { token });
    await client.post('/v1/sys/capabilities-self', { paths: ['secret/data/shop/mail'] });
    await client.post(
      '/v1/sys/policies/acl/of-bob',
      { policy: 'path "x" { capabilities = ["read"] }' },
      { token },
    );
  });

  after(() => scene.close());

  const rows = async (page: Page): Promise<string[]> => {
    await page.getByText(/[0-9] entr(?:y|ies)$/).waitFor();
    return (await page.getByRole('row').allInnerTexts()).slice(1);
  };

  it('the trail is read without the requests of the console itself, unless they are asked for', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}audit`);
    const shown = (await rows(page)).join('\n');
    expect(shown).to.include('sys/policies/acl/of-bob').and.not.include('sys/capabilities-self');
    await page.getByLabel('Show the console’s own requests').check();
    await page.getByText('sys/capabilities-self').first().waitFor();
    expect(page.url()).to.include('all=true');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('an entry names its namespace, unless that is root', async () => {
    const { client } = scene.sealift;
    await client.post('/v1/sys/namespaces/team-a', {});
    const mount = { type: 'kv', options: { version: '2' } };
    await client.post('/v1/sys/mounts/kv', mount, { namespace: 'team-a' });
    await client.post('/v1/sys/mounts/kv', mount);
    const { page, context } = await scene.signIn();
    await page.goto(`${scene.url}audit?path=sys/mounts/kv`);
    const [inRoot, inTeam] = await rows(page);
    expect(inTeam).to.match(/Namespace\s+team-a/);
    expect(inRoot).to.not.include('Namespace');
    await context.close();
  });

  it('a name leads to what this person did, and every filter is in the address', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}audit`);
    await page.getByRole('link', { name: 'token-bob' }).first().click();
    await page.getByText(/^2 entries$/).waitFor();
    expect(page.url()).to.include('actor=token-bob');
    const [first = ''] = await rows(page);
    expect(first).to.match(/\d{1,2} \w+ \d{4}, \d\d:\d\d:\d\d \S+/);
    await page.getByRole('link', { name: 'secret/shop/mail' }).first().click();
    await page.waitForURL(/secret=secret%2Fshop%2Fmail/);
    expect((await rows(page)).join('\n'))
      .to.include('token-bob')
      .and.not.include('shop/other');
    await page.goto(`${scene.url}audit?since=2020-01-01T00:00&until=2020-01-02T00:00`);
    await page.getByRole('heading', { name: 'No matching entries' }).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a token leads to its activity: what it did, and what was done to it', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}access/tokens`);
    await page.getByRole('link', { name: `Activity of token-bob ${accessor}` }).click();
    await page.waitForURL(/audit\?token=/);
    const found = (await rows(page)).join('\n');
    expect(found).to.include('sys/policies/acl/of-bob').and.include('auth/token/create');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('all entries that match the filters are saved as a file', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}audit?actor=token-bob`);
    await rows(page);
    for (const [button, name] of [
      ['Export CSV', 'audit-events.csv'],
      ['Export JSON lines', 'audit-events.jsonl'],
    ] as const) {
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: button }).click();
      const file = await download;
      expect(file.suggestedFilename()).to.equal(name);
      const text = readFileSync(await file.path(), 'utf8');
      expect(text)
        .to.include('token-bob')
        .and.include('sys/policies/acl/of-bob')
        .and.not.include('shop/other');
    }
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a secret has its story: versions, who read it, and where it was written', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}secrets/secret/shop/mail`);
    await page.getByRole('link', { name: 'Activity', exact: true }).click();
    await page.getByRole('heading', { name: 'Activity of secret/shop/mail' }).waitFor();
    await page.getByText('Saved version 1').waitFor();
    const text = (await page.getByRole('row').allInnerTexts()).join('\n');
    expect(text)
      .to.match(/token-bob[\s\S]*Read/)
      .and.include('cloud1-sm/prod')
      .and.include('In sync');
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
