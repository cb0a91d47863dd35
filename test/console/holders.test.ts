import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

describe('who holds rights, in the console', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    const { client } = scene.sealift;
    await scene.driver.write('shop/mail', { user: 'app' });
    const policy = 'path "secret/data/shop/*" { capabilities = ["read"] }';
    await client.post('/v1/sys/policies/acl/shop-reader', { policy });
    await client.post('/v1/sys/teams/shoppers', { policies: ['shop-reader'] });
    const body = { policies: ['shop-reader', 'not-yet'], display_name: 'till', ttl: '99999h' };
    await client.post('/v1/auth/token/create', body);
  });

  after(() => scene.close());

  it('the page of a secret leads to who may read it, and by which policy', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}secrets/secret/shop/mail`);
    await page.getByRole('link', { name: 'Who may read it' }).click();
    await page.getByRole('heading', { name: 'Who may read secret/shop/mail' }).waitFor();
    const till = page.getByRole('row', { name: /till/ });
    await till.waitFor();
    expect(await till.innerText()).to.include('shop-reader');
    await page.getByRole('row', { name: /Team\s+shoppers/ }).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await till.getByRole('link', { name: 'shop-reader' }).click();
    await page.getByRole('heading', { name: 'Who has it' }).waitFor();
    await page.getByText('1 token has this policy: till.').waitFor();
    await page.getByText('New tokens get it from team shoppers.').waitFor();
    await page.getByRole('button', { name: 'Delete policy…' }).click();
    await page.getByRole('dialog').getByText('1 token has this policy').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a policy says that its holders may not be seen only once the rights are known', async () => {
    const { page, context, faults } = await scene.enter();
    let isAsked = false;
    let answer = (): void => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/v1/sys/capabilities-self', async (route) => {
      if ((route.request().postData() ?? '').includes('shop-reader/holders')) {
        isAsked = true;
        await answered;
      }
      await route.continue();
    });
    await page.goto(`${scene.url}access/policies/shop-reader`);
    await page.getByRole('heading', { name: 'Who has it' }).waitFor();
    await eventually(() => Promise.resolve(isAsked));
    expect(await page.getByText('You don’t have permission to see who has it.').count()).to.equal(0);
    answer();
    await page.getByText('1 token has this policy: till.').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the page of who may read a secret is saved as a file, and leads to the teams', async () => {
    const { page, context, faults } = await scene.signIn();
    await scene.link('shop/mail');
    await page.goto(`${scene.url}readers/secret/shop/mail`);
    await page.getByRole('row', { name: /till/ }).waitFor();
    await page.getByRole('heading', { name: 'Stores it is linked to' }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const text = readFileSync(await (await download).path(), 'utf8');
    expect(text).to.match(/secret\/shop\/mail,Token,till,,\S+,shop-reader,\S+Z,\r\n/);
    expect(text).to.match(/secret\/shop\/mail,Team,shoppers,,,shop-reader,,\r\n/);
    expect(text).to.match(/secret\/shop\/mail,Linked store,prod[^,]*,,,,,\r\n/);
    await page.getByRole('link', { name: 'shoppers' }).click();
    await page.getByRole('heading', { name: 'Teams' }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the list of policies tells who has each, and when it was changed', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}access/policies`);
    const row = page.getByRole('row', { name: /^shop-reader/ });
    await row.getByText('1 token, 1 role or team').waitFor();
    await row.getByText('by root').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the search finds tokens, policies and teams, and who may read a secret', async () => {
    const { page, context, faults } = await scene.enter();
    const find = async (text: string, option: RegExp): Promise<void> => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('combobox').fill(text);
      await page.getByRole('option', { name: option }).click();
    };
    await find('till', /^till\s*Token/);
    await page.waitForURL(/audit\?token=/);
    await find('shop-read', /^shop-reader\s*Policy/);
    await page.getByRole('heading', { name: 'Who has it' }).waitFor();
    await find('shoppers', /^shoppers\s*Team/);
    await page.getByRole('heading', { name: 'Teams' }).waitFor();
    await find('who may read mail', /^Who may read secret\/shop\/mail/);
    await page.getByRole('heading', { name: 'Who may read secret/shop/mail' }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a token shows its maker, its last day, missing policies, and what ends with it', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}access/tokens`);
    const till = page.getByRole('row', { name: /till/ });
    await till.waitFor();
    expect(await till.innerText())
      .to.include('Created by root')
      .and.include('not-yet (does not exist)')
      .and.match(/\d{1,2} \w{3} 20\d\d/);
    await page.getByLabel('Order').selectOption('Longest valid first');
    await page.getByRole('row').nth(1).getByText('never').first().waitFor();
    await page
      .getByRole('row', { name: /root/ })
      .first()
      .getByRole('button', { name: /^Revoke/ })
      .click();
    await page
      .getByRole('dialog')
      .getByText(/1 token created with it and [1-9]\d* console sessions?/)
      .waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('one page tells which secrets leave to which store, and exports it', async () => {
    await scene.link('shop/mail');
    await scene.waitForCounts({ SYNCED: 1 });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations`);
    await page.getByRole('link', { name: 'All links' }).click();
    const row = page.getByRole('row', { name: /secret\/shop\/mail/ });
    await row.waitFor();
    expect(await row.innerText())
      .to.include('AWS Secrets Manager')
      .and.include('prod');
    expect(await findBarriers(page)).to.deep.equal([]);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const text = readFileSync(await (await download).path(), 'utf8');
    expect(text).to.match(/,secret\/shop\/mail,AWS Secrets Manager,cloud1-sm,prod,In sync,\S+Z,,yes,\S+\r\n/);
    await page.getByLabel('Secret or destination').fill('nothing-like-this');
    await page.getByText('No matching links').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
