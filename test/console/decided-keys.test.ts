import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { cloud1Settings } from '../support/sandboxed.ts';
import { answerDialog } from './support/answer.ts';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const THEIRS = 'of somebody else';

describe('the console where several keys of a secret are in conflict', function () {
  let scene: ConsoleScene;
  let page: Page;
  let head: Locator;
  let faults: string[];
  let keys: string;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene({ RETRY_MIN: '2000' });
    ({ page, faults } = await scene.signIn());
    head = page.getByRole('region', { name: 'Status' });
    keys = scene.driver.path.replace(/prod$/, 'keys');
    await scene.sealift.client.post(keys, {
      ...cloud1Settings(),
      granularity: 'secret-key',
      secret_name_template: '{{ .SecretPath }}/{{ .SecretKey }}',
    });
  });

  after(async () => {
    expect(faults).to.deep.equal([]);
    await scene.close();
  });

  const valueOf = (name: string) => scene.fake.entries().find((entry) => entry.name === name)?.value;
  const decide = (deed: string) => head.getByRole('button', { name: deed });

  async function open(path: string): Promise<void> {
    for (const key of ['one', 'two']) scene.fake.plant({ name: `${path}/${key}`, value: THEIRS });
    await scene.driver.write(path, { one: '1', two: '2', three: '3' });
    await scene.sealift.client.post(`${keys}/associations/set`, { mount: 'secret', secret_name: path });
    await page.goto(`${scene.url}destinations/cloud1-sm/keys/secret/secret/${path}`);
    await head.getByText('Entry is not ours').waitFor();
  }

  it('each is decided about alone, and the question says which', async () => {
    await open('alone');
    const choice = head.getByRole('group', { name: 'Entries to adopt or overwrite' });
    await choice.getByLabel('one').uncheck();
    await decide('Overwrite this entry…').waitFor();
    await choice.getByLabel('two').uncheck();
    await choice.getByText('Select at least one key').waitFor();
    expect(await decide('Adopt').count()).to.equal(0);
    await choice.getByLabel('two').check();
    expect(await findBarriers(page)).to.deep.equal([]);
    await decide('Overwrite this entry…').click();
    await page.getByRole('dialog').getByText('This is about the key two alone.').waitFor();
    await answerDialog(page, 'Overwrite 1 entry', 'keys');
    await eventually(() => valueOf('alone/two') === '2');
    await choice.waitFor({ state: 'detached' });
    await head.getByText('Entry is not ours').waitFor();
    expect(valueOf('alone/one')).to.equal(THEIRS);
    await decide('Adopt this entry…').click();
    await page.getByRole('dialog').getByText('This is about the key one alone.').waitFor();
    await answerDialog(page, 'Adopt 1 entry', 'keys');
    await eventually(() => valueOf('alone/one') === '1');
    await head.getByText('In sync').waitFor();
  });

  it('a decision that waits says which keys it is about, during a failure and a pause', async () => {
    await open('waits');
    scene.fake.addFault({ kind: 'error', status: 503 });
    await head.getByLabel('two').uncheck();
    await decide('Adopt this entry…').click();
    await answerDialog(page, /^Adopt/, 'keys');
    const waits = head.getByText(/^Adopting the entry of key one was asked for by root/);
    await waits.waitFor();
    await scene.sealift.client.post(`${keys}/pause`, {});
    await head.getByText(/^Adopting the entry of key one was .* waits for the pause to end/).waitFor();
    await head.getByRole('button', { name: 'Withdraw' }).click();
    await waits.waitFor({ state: 'detached' });
    scene.fake.clearFaults();
    await scene.sealift.client.post(`${keys}/resume`, {});
    await decide('Adopt this entry…').waitFor();
    expect([valueOf('waits/one'), valueOf('waits/two')]).to.deep.equal([THEIRS, THEIRS]);
  });
});
