import { expect } from 'chai';
import { startKeyMaintenance } from '../../services/key-maintenance/start.ts';
import { startSettingsWorker } from '../../services/settings/start.ts';
import { startReceiver, type Receiver } from '../key-maintenance/notify-support.ts';
import { startMailServer, storeMailServer, type MailServer } from '../settings/support/mail-server.ts';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const SECRET = 'a secret that signs the calls';

describe('alerts in the console', function () {
  let scene: ConsoleScene;
  let mail: MailServer;
  let receiver: Receiver;

  before(async function () {
    this.timeout(600_000);
    mail = await startMailServer({ disabledCommands: ['STARTTLS'] });
    receiver = await startReceiver();
    scene = await openConsoleScene({ EGRESS_ALLOW: '127.0.0.0/8' });
    await scene.sealift.start('settings', startSettingsWorker);
    await scene.sealift.start('maintenance', startKeyMaintenance);
    await storeMailServer(scene.sealift.context.db, mail);
  });
  after(async () => {
    await scene.close();
    await mail.close();
    await receiver.close();
  });

  it('a rule is tested as it is typed, then saved, changed and deleted', async () => {
    const { page, context, faults } = await scene.enter({ timezoneId: 'Europe/Berlin' });
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Alerts' }).click();
    await page.getByText('No one is notified when a sync fails.').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole('link', { name: 'Create a rule' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('on-call');
    await page.getByLabel('Email addresses').fill('ana@example.com');
    await page.getByRole('button', { name: 'Send a test', exact: true }).click();
    await page.getByText('Sent to ana@example.com: The mail server took the message.').waitFor();
    expect(mail.mails.map(({ to }) => to)).to.deep.equal([['ana@example.com']]);
    expect((await scene.sealift.client.get('/v1/sys/alerts/on-call')).status).to.equal(404);
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole('heading', { name: 'Quiet hours' }).click();
    await page.getByLabel('Quiet from').fill('22:00');
    await page.getByLabel('Quiet to').fill('06:00');
    await page.getByRole('checkbox', { name: 'Saturday' }).check();
    expect(await page.getByLabel('Time zone').inputValue()).to.equal('Europe/Berlin');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Alert rule on-call' }).waitFor();
    const stored = await scene.sealift.client.get('/v1/sys/alerts/on-call');
    expect(stored.body.data).to.deep.include({
      quiet_from: '22:00',
      quiet_days: ['sat'],
      quiet_time_zone: 'Europe/Berlin',
    });
    expect(await page.getByLabel('Quiet from').inputValue()).to.equal('22:00');
    await page.getByLabel('Notify after (minutes)').fill('5');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    expect((await scene.sealift.client.get('/v1/sys/alerts/on-call')).body.data.minutes).to.equal(5);
    await page.getByRole('button', { name: 'Delete rule…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete rule', exact: true }).click();
    await page.getByText('No rules yet').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a rule begins with all events ticked, and cannot be saved without any', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}new-alert`);
    await page.getByLabel('Name', { exact: true }).fill('ticked');
    await page.getByLabel('Email addresses').fill('ana@example.com');
    const events = page.getByRole('group', { name: 'Events' }).getByRole('checkbox');
    expect(await events.count()).to.equal(4);
    for (const event of await events.all()) await event.uncheck();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Choose at least one.').waitFor();
    await events.first().check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Alert rule ticked' }).waitFor();
    const stored = async () => (await scene.sealift.client.get('/v1/sys/alerts/ticked')).body.data.happenings;
    expect(await stored()).to.deep.equal(['associations.failing']);
    for (const event of await events.all()) await event.check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    expect(await stored()).to.deep.equal([]);
    await scene.sealift.client.delete('/v1/sys/alerts/ticked');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the address and the secret of a webhook never come back to the page', async () => {
    const { page, context } = await scene.signIn();
    await page.goto(`${scene.url}new-alert`);
    await page.getByLabel('Name', { exact: true }).fill('hook');
    expect(await page.getByLabel('Webhook URL').count()).to.equal(0);
    await page.getByLabel('Channel').selectOption('Webhook');
    expect(await page.getByLabel('Email addresses').count()).to.equal(0);
    await page.getByLabel('Webhook URL').fill(receiver.url);
    await page.getByLabel('Signing secret').fill(SECRET);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Alert rule hook' }).waitFor();
    await page.getByRole('button', { name: 'Replace Signing secret' }).waitFor();
    await page.getByRole('button', { name: 'Send a test', exact: true }).click();
    await page.getByText('The receiver answered with status 204.').waitFor();
    expect(receiver.calls).to.have.length(1);
    receiver.answer = 503;
    await page.getByRole('button', { name: 'Send a test', exact: true }).click();
    await page.getByRole('row', { name: /Test .*Not delivered.*status 503/s }).waitFor();
    await page.getByRole('row', { name: /Test .*Delivered$/s }).waitFor();
    receiver.answer = 204;
    const content = await page.content();
    expect(content).to.not.contain('a-secret-path').and.not.to.contain(SECRET);
    await page.goto(`${scene.url}alerts`);
    await page.getByText(new URL(receiver.url).host).waitFor();
    await context.close();
  });

  it('a rule by email says that the site sends none, until email is enabled', async () => {
    const { client } = scene.sealift;
    await client.patch('/api/v2/admin/smtp-settings', { data: { attributes: { enabled: false } } });
    const made = await client.post('/v1/sys/alerts/unheard', { addresses: ['ana@example.com'] });
    expect(made.body.warnings).to.deep.equal([
      'nothing will be sent: email is not enabled: a site administrator can turn it on in the SMTP settings',
    ]);
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}alerts`);
    await page.getByText('Failing: email is not enabled').waitFor();
    await page.getByRole('link', { name: 'unheard' }).click();
    await page.getByText('No one is notified: email is off.').waitFor();
    await page.getByRole('link', { name: 'Settings › SMTP' }).waitFor();
    await page.getByRole('button', { name: 'Send a test', exact: true }).click();
    const untold = page
      .getByRole('listitem')
      .filter({ hasText: 'Not sent to ana@example.com: email is off.' });
    await untold.getByRole('link', { name: 'Settings › SMTP' }).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await client.patch('/api/v2/admin/smtp-settings', { data: { attributes: { enabled: true } } });
    await page.reload();
    await page.getByRole('heading', { name: 'Last deliveries' }).waitFor();
    await page.getByText(/No one is notified(?! when)/).waitFor({ state: 'detached' });
    await client.delete('/v1/sys/alerts/unheard');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('addresses with commas, semicolons or blanks between them are several', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}alerts`);
    await page.getByRole('link', { name: 'Create a rule' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('several');
    await page
      .getByLabel('Email addresses')
      .pressSequentially('ana@example.com, bo@example.com;cy@example.com di@example.com');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Alert rule several' }).waitFor();
    const { body } = await scene.sealift.client.get('/v1/sys/alerts/several');
    const people = ['ana', 'bo', 'cy', 'di'];
    expect(body.data.addresses).to.deep.equal(people.map((name) => `${name}@example.com`));
    await scene.sealift.client.delete('/v1/sys/alerts/several');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('destinations and namespaces of a rule are picked, each alone or as a pattern', async () => {
    const { client } = scene.sealift;
    await client.post('/v1/sys/namespaces/team', {});
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}new-alert`);
    await page.getByLabel('Name', { exact: true }).fill('picked');
    await page.getByLabel('Email addresses').fill('ana@example.com');
    await page.getByText('Only some causes, destinations or namespaces').click();
    const pick = async (field: string, choices: string[]) => {
      const add = page.getByRole('combobox', { name: field });
      for (const choice of choices) {
        await add.click();
        await page.getByRole('option', { name: choice, exact: true }).click();
      }
    };
    await pick('Destinations', ['cloud1-sm/prod', 'cloud1-sm/*']);
    await pick('Namespaces', ['/', 'team/', 'team/*']);
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole('combobox', { name: 'Destinations' }).fill('repo-host/web-*');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Alert rule picked' }).waitFor();
    expect((await client.get('/v1/sys/alerts/picked')).body.data).to.deep.include({
      destinations: ['cloud1-sm/prod', 'cloud1-sm/*', 'repo-host/web-*'],
      namespaces: ['/', 'team/', 'team/*'],
    });
    await page.getByRole('combobox', { name: 'Destinations' }).click();
    expect(await page.getByRole('listbox').getByRole('option').count()).to.equal(0);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('whoever may only see rules cannot begin a new one, and learns which right is missing', async () => {
    const { client } = scene.sealift;
    const policy = 'path "sys/alerts" { capabilities = ["list"] }';
    await client.post('/v1/sys/policies/acl/alert-watcher', { policy });
    const made = await client.post('/v1/auth/token/create', { policies: ['alert-watcher'] });
    const { page, context, faults } = await scene.signIn({ token: made.body.auth.client_token });
    await page.goto(`${scene.url}alerts`);
    const create = page.getByRole('button', { name: 'Create a rule' }).first();
    await create.waitFor();
    expect(await create.isDisabled()).to.equal(true);
    expect(await page.getByRole('link', { name: 'Create a rule' }).count()).to.equal(0);
    await page.getByRole('button', { name: 'Which permission is missing?' }).first().click();
    await page.getByRole('dialog').getByText('path "sys/alerts/+"').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a rule shows what became of its messages, and why one was not delivered', async () => {
    const { db } = scene.sealift.context;
    await scene.sealift.client.post('/v1/sys/alerts/told', { addresses: ['bo@example.com'] });
    const rule = await db('alert_rules').where({ name: 'told' }).first('id');
    const now = new Date();
    const associations = [
      { mount: 'secret', secret_name: 'app/db', class: 'throttled', code: 'rate_limited' },
    ];
    const destination = { namespace: '', type: 'cloud1-sm', name: 'prod' };
    const data = { destination, total: 3, associations };
    await db('notifications').insert({
      id: 'ntf_told',
      kind: 'associations.failing',
      happened_at: now,
      data: JSON.stringify(data),
    });
    await db('alert_deliveries').insert({
      rule_id: rule.id,
      notification_id: 'ntf_told',
      channel: 'email',
      recipient: 'bo@example.com',
      message_id: 'msg_told',
      queued_at: now,
      tried_at: now,
      attempts: 12,
      error: 'smtp_failed',
      detail: 'Not sent: the mail server is full.',
    });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}alerts`);
    await page.getByText('Failing: Not sent: the mail server is full.').waitFor();
    await page.getByRole('link', { name: 'told' }).click();
    await page.getByRole('cell', { name: 'Given up' }).waitFor();
    await page.getByRole('cell', { name: 'prod (AWS Secrets Manager): 3 links rate limited' }).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a rule is muted until a time that one button names, and unmuted', async () => {
    const { client } = scene.sealift;
    const path = '/v1/sys/alerts/loud';
    await client.post(path, { addresses: ['ana@example.com'] });
    const read = async () => (await client.get(path)).body.data.muted_until;
    const { page, context, faults } = await scene.enter();
    await page.goto(`${scene.url}alerts/loud`);
    await page.getByRole('button', { name: 'Mute…' }).click();
    await page.getByRole('button', { name: 'In 1 hour' }).click();
    await page.getByRole('button', { name: 'Mute', exact: true }).click();
    await page.getByText('This rule is muted.').waitFor();
    expect(Date.parse(await read()) - Date.now()).to.be.within(50 * 60_000, 61 * 60_000);
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.goto(`${scene.url}alerts`);
    await page.getByText(/^Muted, ends/).waitFor();
    await page.getByRole('link', { name: 'loud' }).click();
    await page.getByRole('button', { name: 'Unmute' }).click();
    await page.getByText('This rule is muted.').waitFor({ state: 'detached' });
    expect(await read()).to.equal('');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the stored mail settings are tested by a button, and their tab says that they are on', async () => {
    const { page, context, faults } = await scene.enter();
    await page.goto(`${scene.url}settings/smtp`);
    const tabs = page.getByRole('navigation', { name: 'Settings' });
    await tabs.getByRole('link', { name: 'SMTP On' }).waitFor();
    await tabs.getByRole('link', { name: 'SMS Off' }).waitFor();
    expect(await page.getByLabel('Password').count()).to.equal(0);
    await page.getByRole('button', { name: 'Send a test…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email address').fill('tester@example.com');
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Sent to tester@example.com.').waitFor();
    expect(mail.mails.at(-1)?.to).to.deep.equal(['tester@example.com']);
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
