import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

describe('the audit trail in the console', function () {
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

  it('the trail is read without questions of the console about rights, which leave no entries', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}audit?all=true`);
    const shown = (await rows(page)).join('\n');
    expect(shown).to.include('Wrote the policy of-bob').and.not.include('may do');
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

  it('the page of a namespace has the trail of that namespace, and any other can be chosen', async () => {
    const { client } = scene.sealift;
    await client.post('/v1/sys/namespaces/shops', {});
    const policy = 'path "x" { capabilities = ["read"] }';
    await client.post('/v1/sys/policies/acl/of-the-shops', { policy }, { namespace: 'shops' });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}?ns=shops`);
    await page.getByText('No destinations yet').waitFor();
    await page.getByRole('link', { name: 'Audit' }).click();
    const inShops = (await rows(page)).join('\n');
    expect(inShops).to.include('of-the-shops').and.not.include('of-bob');
    const field = page.getByLabel('Namespace', { exact: true });
    expect(await field.inputValue()).to.equal('shops');
    await field.fill('');
    await field.press('Enter');
    await page.getByText('Wrote the policy of-bob').first().waitFor();
    await page.getByText('Wrote the policy of-the-shops').waitFor();
    await page.getByLabel('Namespace', { exact: true }).fill('root');
    await page.getByLabel('Namespace', { exact: true }).press('Enter');
    await page.getByText('Wrote the policy of-the-shops').waitFor({ state: 'detached' });
    await page.getByText('Wrote the policy of-bob').first().waitFor();
    await page.goto(`${scene.url}audit`);
    await page.getByRole('link', { name: 'shops', exact: true }).first().click();
    await page.waitForURL(/namespace=shops/);
    await page.goto(`${scene.url}access/tokens?ns=shops`);
    await page.getByText('No tokens in this namespace').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('times in the address mean the same to every reader, and the fields name their zone', async () => {
    const { page, context, faults } = await scene.signIn({ timezoneId: 'Asia/Tokyo' });
    for (const path of ['audit', 'problems/timeline']) {
      await page.goto(`${scene.url}${path}?since=2026-01-01T00:00:00.000Z`);
      const from = page.getByLabel('From (GMT+9)');
      expect(await from.inputValue(), path).to.equal('2026-01-01T09:00');
      await page.getByText('From (GMT+9)').waitFor();
      await from.fill('2026-01-01T10:00');
      await page.waitForURL(/since=2026-01-01T01%3A00%3A00.000Z/);
    }
    await page.goto(`${scene.url}audit?since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z`);
    await page.getByText('From is later than Until').waitFor();
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await rows(page);
    expect(await page.getByLabel('From').inputValue()).to.equal('');
    await page.goto(`${scene.url}audit?since=soon`);
    await rows(page);
    await page.goto(`${scene.url}audit?address=nowhere`);
    await page.getByText('The filter “address” must be an IP address').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a name that no entry has is told from a secret that nobody has read', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}audit?secret=shop/mail`);
    await page.getByRole('heading', { name: 'No entry is about this secret' }).waitFor();
    await page.goto(`${scene.url}audit?secret=secret/shop/mail&actor=nobody`);
    await page.getByRole('heading', { name: 'No matching entries' }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('looking around leaves no refusals of an auditor in the trail', async () => {
    const { client } = scene.sealift;
    const policy = 'path "api/v2/admin/audit-events" { capabilities = ["read"] }';
    await client.post('/v1/sys/policies/acl/auditor', { policy });
    const made = await client.post('/v1/auth/token/create', { policies: ['auditor'], display_name: 'eve' });
    const { page, context, faults } = await scene.enter({ token: made.body.auth.client_token });
    await rows(page);
    await page.getByLabel('Who', { exact: true }).fill('tok');
    await page.getByLabel('Secret, with its mount').fill('shop/x');
    await page.getByLabel('Secret, with its mount').press('Enter');
    await page.getByRole('heading', { name: 'No entry is about this secret' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Page, destination, secret or action' }).fill('shop');
    await page.waitForLoadState('networkidle');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Namespace root' }).click();
    await page.getByText('You don’t have permission to list them.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Access' }).click();
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    await page.waitForLoadState('networkidle');
    const query = 'filter[actor]=token-eve&filter[outcome]=refused';
    const { body } = await client.get(`/api/v2/admin/audit-events?${query}`);
    const refused = body.data.map((event: { attributes: { action: string } }) => event.attributes.action);
    expect(refused).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a name leads to what this person did, and every filter is in the address', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}audit`);
    await page.getByRole('link', { name: 'bob', exact: true }).first().click();
    await page.getByText(/^2 entries$/).waitFor();
    expect(page.url()).to.include('actor=token-bob');
    const [first = ''] = await rows(page);
    expect(first).to.match(/\d{1,2} \w+ \d{4}, \d\d:\d\d:\d\d \S+/);
    await page.getByRole('link', { name: 'secret/shop/mail' }).first().click();
    await page.waitForURL(/secret=secret%2Fshop%2Fmail/);
    expect((await rows(page)).join('\n'))
      .to.include('bob')
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
    await page.getByRole('link', { name: `Activity of bob ${accessor}` }).click();
    await page.waitForURL(/audit\?token=/);
    const found = (await rows(page)).join('\n');
    expect(found).to.include('Wrote the policy of-bob').and.include('Created the token bob');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('all entries that match the filters are saved as a file', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}audit?actor=token-bob`);
    await rows(page);
    const today = new Date().toISOString().slice(0, 10);
    for (const [button, name] of [
      ['Export CSV', `audit-events_token-bob_to_${today}.csv`],
      ['Export JSON lines', `audit-events_token-bob_to_${today}.jsonl`],
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
    await page.getByRole('heading', { name: 'secret/shop/mail', exact: true }).waitFor();
    await page.getByText('Saved version 1').waitFor();
    // The entry of the save itself would say the same again.
    expect(await page.getByText(/^Saved /).count()).to.equal(1);
    const text = (await page.getByRole('row').allInnerTexts()).join('\n');
    expect(text)
      .to.match(/bob[\s\S]*Read secret\/shop\/mail \(version 1\)/)
      .and.include('Created the entry (version 1) in prod (AWS Secrets Manager)')
      .and.include('In sync');
    await page.getByLabel('Until').fill('2020-01-01T00:00');
    await page.getByText(/There is no entry until 1 Jan 2020/).waitFor();
    await page.getByLabel('Until').fill('');
    await page.getByLabel('Who', { exact: true }).fill('BOB');
    await page.keyboard.press('Enter');
    await page.waitForURL(/who=BOB/);
    await page.getByText('Saved version 1').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'bob', exact: true }).first().click();
    await page.waitForURL(/audit\?who=token-bob/);
    await page.getByText('Wrote the policy of-bob').waitFor();
    await page.goto(`${scene.url}activity/secret/shop/mail?who=nobody`);
    await page.getByText('There is no entry by “nobody”.').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
