import { expect } from 'chai';
import type { AttemptAnswer } from '../../services/api/contract/associations.ts';
import { eventually } from '../support/eventually.ts';
import { answerDialog } from './support/answer.ts';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';
import { withdraw } from './support/withdraw.ts';

const STORE = 'destinations/cloud1-sm/prod';

describe('what the console says of decisions that were not carried out', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    scene.fake.plant({ name: 'app/taken', value: 'of somebody else' });
    await scene.link('app/taken');
    await scene.driver.settles('app/taken', 'CLIENT_SIDE_ERROR');
    await scene.link('app/mine');
    await scene.driver.settles('app/mine', 'SYNCED');
  });

  after(() => scene.close());

  const value = (path: string) => scene.fake.entries().find(({ name }) => name === path)?.value;
  const change = (to: string): void => {
    const known = scene.fake.entries().find(({ name }) => name === 'app/mine');
    scene.fake.plant({ ...known, name: 'app/mine', value: to });
  };
  const post = (what: string, secret_name: string, more: object = {}) =>
    scene.sealift.client.post(`/v1/sys/sync/${STORE}/associations/${what}`, {
      mount: 'secret',
      secret_name,
      ...more,
    });

  it('a decision that the store keeps from being carried out is told, and can be withdrawn', async () => {
    scene.fake.addFault({ kind: 'error', status: 503 });
    await post('set', 'app/taken', { conflict_policy: 'overwrite' });
    await scene.driver.settles('app/taken', 'EXTERNAL_SERVICE_ERROR');
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${STORE}`);
    await page.getByText('Overwriting waits').waitFor();
    await page.goto(`${scene.url}${STORE}/secret/secret/app/taken`);
    const status = page.getByRole('region', { name: 'Status' });
    const notice = status.getByText(
      'Overwriting this entry was asked for by root. Sealift does it when it tries again, or at once if you choose Sync now. It also replaces a change that someone makes there in the meantime.',
      { exact: true },
    );
    await notice.waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await withdraw(status, 'Overwriting withdrawn.');
    scene.fake.clearFaults();
    await status.getByRole('button', { name: 'Overwrite this entry…' }).waitFor();
    await status
      .getByText(/If you rename or delete it in the store, choose Sync now afterwards\.$/)
      .waitFor();
    expect(value('app/taken')).to.equal('of somebody else');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the history keeps attempts to overwrite an entry apart from those after that is withdrawn', async () => {
    scene.fake.addFault({ kind: 'error', status: 503 });
    const tried = async (action: string): Promise<number> => {
      const path = `/v1/sys/sync/${STORE}/associations/history?mount=secret&secret_name=app/taken`;
      const history: AttemptAnswer[] = (await scene.sealift.client.get(path)).body.data.history;
      return history.filter((line) => line.action === action && line.trigger?.cause === 'schedule').length;
    };
    const before = await tried('overwrite');
    await post('set', 'app/taken', { conflict_policy: 'overwrite' });
    await eventually(async () => (await tried('overwrite')) > before + 1);
    await eventually(async () => (await post('withdraw', 'app/taken')).status === 200);
    await eventually(async () => (await tried('create')) > 1);
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${STORE}/secret/secret/app/taken`);
    const retries = page
      .getByRole('region', { name: 'History' })
      .getByRole('row', { name: /Retried \d+ times/ });
    await retries.filter({ hasText: 'Tried to overwrite the entry' }).first().waitFor();
    await retries.filter({ hasText: 'Tried to create the entry' }).first().waitFor();
    scene.fake.clearFaults();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the question before settings are saved says which decisions that takes back', async () => {
    scene.fake.addFault({ kind: 'error', status: 503 });
    await post('set', 'app/taken', { conflict_policy: 'overwrite' });
    await scene.driver.settles('app/taken', 'EXTERNAL_SERVICE_ERROR');
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${STORE}/settings`);
    await page.getByLabel('Deletion policy').selectOption({ label: 'Retain' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('dialog').getByRole('region', { name: 'Preview' }).waitFor();
    expect(await page.getByText(/^What was decided/).count()).to.equal(0);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByLabel('Custom tags').fill('team=red');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page
      .getByText(
        'What was decided about the entry of 1 link is still to be done. Saving takes that back: decide again about each conflict afterwards.',
      )
      .waitFor();
    scene.fake.clearFaults();
    await post('withdraw', 'app/taken');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the question about another name says that it ends what was decided about the present one', async () => {
    scene.fake.plant({ name: 'other/taken', value: 'of a third one' });
    scene.fake.addFault({ kind: 'error', status: 503, target: 'app/taken' });
    await post('set', 'app/taken', { conflict_policy: 'overwrite' });
    await scene.driver.settles('app/taken', 'EXTERNAL_SERVICE_ERROR');
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${STORE}/secret/secret/app/taken`);
    await page.getByRole('button', { name: 'Give the link another name…' }).click();
    await page.getByLabel('Name in the store').fill('other/taken');
    const preview = page.getByRole('button', { name: 'Preview changes' });
    await preview.click();
    await page.getByText('This name is taken. Choose another one.').waitFor();
    scene.fake.addFault({ kind: 'error', status: 503 });
    await preview.click();
    const dialog = page.getByRole('dialog', { name: 'Rename app/taken in prod' });
    await dialog
      .getByText('Overwriting this entry was asked for by root. Renaming takes that back.', { exact: true })
      .waitFor();
    await dialog
      .getByText(/^If an entry of someone else has this name, it is left alone, and the link fails/)
      .waitFor();
    scene.fake.clearFaults();
    await post('withdraw', 'app/taken');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a sync that may lose what the store does not show asks for the name of the store', async () => {
    await scene.link('app/unseen');
    await scene.driver.settles('app/unseen', 'SYNCED');
    scene.fake.addFault({ kind: 'error', status: 503 });
    await scene.driver.write('app/unseen', { password: 'newer' });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${STORE}/secret/secret/app/unseen`);
    await page.getByRole('button', { name: 'Sync now', exact: true }).click();
    await page
      .getByRole('dialog')
      .getByText(/if someone changed it, that change is lost/i)
      .waitFor();
    await answerDialog(page, /1 entry$/, 'prod');
    scene.fake.clearFaults();
    await eventually(() => value('app/unseen')?.includes('newer'));
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('Sync now carries out at once what was decided before the store failed', async () => {
    scene.fake.plant({ name: 'app/later', value: 'of somebody else' });
    await scene.link('app/later');
    await scene.driver.settles('app/later', 'CLIENT_SIDE_ERROR');
    scene.fake.addFault({ kind: 'error', status: 503 });
    await post('set', 'app/later', { conflict_policy: 'overwrite' });
    await scene.driver.settles('app/later', 'EXTERNAL_SERVICE_ERROR');
    await scene.sealift.context
      .db('associations')
      .where({ secret_path: 'app/later' })
      .update({ due_at: '2999-01-01T00:00:00Z' });
    scene.fake.clearFaults();
    const { page, context, faults } = await scene.signIn();
    await page.clock.setFixedTime('2998-12-31T23:59:59.500Z');
    await page.goto(`${scene.url}${STORE}/secret/secret/app/later`);
    const status = page.getByRole('region', { name: 'Status' });
    const next = 'Sealift tries the store again within half a minute';
    await status.getByText(next, { exact: true }).waitFor();
    await page.goto(`${scene.url}problems`);
    await page.getByText(next, { exact: true }).waitFor();
    await page.goto(`${scene.url}${STORE}/secret/secret/app/later`);
    await status.getByText(next, { exact: true }).waitFor();
    expect(value('app/later')).to.equal('of somebody else');
    await page.getByRole('button', { name: 'Sync now', exact: true }).click();
    await answerDialog(page, /^(Sync|Overwrite 1 entry)$/, 'prod');
    await eventually(() => value('app/later') !== 'of somebody else');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a deleted entry that a person asked to write again says so, and how that is withdrawn', async () => {
    await scene.link('app/gone');
    await scene.driver.settles('app/gone', 'SYNCED');
    scene.fake.discard('app/gone');
    await post('verify', 'app/gone');
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${STORE}/secret/secret/app/gone`);
    const status = page.getByRole('region', { name: 'Status' });
    const otherwise = status.getByText(/Otherwise the next new version of the secret writes it again\.$/);
    await otherwise.waitFor();
    scene.fake.addFault({ kind: 'error', status: 503 });
    await post('set', 'app/gone');
    const notice = status.getByText(
      /^Writing the deleted entry again was asked for by root\. Sealift does it/,
    );
    await notice.waitFor();
    await status.getByText('Sealift goes on trying to write the entry again.', { exact: true }).waitFor();
    for (const text of [otherwise, status.getByText(/^To write the entry again/)])
      expect(await text.count()).to.equal(0);
    expect(await findBarriers(page)).to.deep.equal([]);
    await withdraw(status, 'Writing again withdrawn.');
    scene.fake.clearFaults();
    await otherwise.waitFor();
    await status
      .getByText('root withdrew that the entry is written again, so Sealift left it as it is.', {
        exact: true,
      })
      .waitFor();
    expect(value('app/gone')).to.equal(undefined);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('an overwriting that left an entry alone says so under the change', async () => {
    change('of a colleague');
    await post('verify', 'app/mine');
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${STORE}/secret/secret/app/mine`);
    const status = page.getByRole('region', { name: 'Status' });
    const left = status.getByText(
      'Overwriting this entry was asked for by root. Sealift left the entry alone, because someone had changed it since Sealift last looked.',
      { exact: true },
    );
    const overwrite = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Sync now', exact: true }).click();
      await page.getByRole('dialog').getByText('1 to overwrite').waitFor();
    };
    await status.getByText(/^Found /).waitFor();
    expect(await status.getByText(/Sealift left the entry alone/).count()).to.equal(0);
    await overwrite();
    change('of another one');
    await answerDialog(page, /1 entry$/, 'prod');
    await left.waitFor();
    expect(value('app/mine')).to.equal('of another one');
    await overwrite();
    await answerDialog(page, /1 entry$/, 'prod');
    await status.getByText(/^In sync/).waitFor();
    change('of a third one');
    await post('verify', 'app/mine');
    await status.getByText(/^Found /).waitFor();
    await left.waitFor({ state: 'detached' });
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
