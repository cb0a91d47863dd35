import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import type { Receiver } from '../../key-maintenance/notify-support.ts';
import { SIGNING_SECRET } from '../../key-maintenance/alert-support.ts';
import type { MailServer } from '../../settings/support/mail-server.ts';
import { eventually } from '../../support/eventually.ts';
import type { Sealift } from '../../support/sealift.ts';
import { openAlertStage, type AlertStage } from './stage.ts';

type Detail = { change: string; changed?: Record<string, { old: unknown; new: unknown }> };

const MAIL = { addresses: ['one@example.com'] };

describe('sys/alerts', () => {
  let sealift: Sealift;
  let receiver: Receiver;
  let mail: MailServer;
  let stop: AlertStage['stop'];

  before(async () => {
    ({ sealift, receiver, mail, stop } = await openAlertStage((url) => ({
      NOTIFY_EMAIL: 'operator@example.com',
      NOTIFY_WEBHOOK_URL: url,
      NOTIFY_WEBHOOK_SECRET: SIGNING_SECRET,
    })));
  });
  after(() => stop());

  const write = (name: string, body: object, options = {}) =>
    sealift.client.post(`/v1/sys/alerts/${name}`, body, options);
  const read = (name: string) => sealift.client.get(`/v1/sys/alerts/${name}`);
  const test = (name: string, body: object = {}) => sealift.client.post(`/v1/sys/alerts/${name}/test`, body);
  const webhook = () => ({ channel: 'webhook', url: receiver.url, secret: SIGNING_SECRET });

  async function refused(body: object): Promise<string[]> {
    const answer = await write('refused', body);
    expect(answer.status, answer.text).to.equal(400);
    return answer.body.errors;
  }

  async function entries(path: string, count: number): Promise<Record<string, unknown>[]> {
    const { db } = sealift.context;
    return eventually(async () => {
      const rows = await db('audit_events').where({ path }).orderBy('id');
      expect(rows).to.have.length(count);
      expect(rows.every(({ detail }) => detail !== null)).to.equal(true);
      return rows;
    });
  }

  it('a rule is written, read without its secrets, changed, listed and deleted', async () => {
    const written = await write('hook', { ...webhook(), minutes: 5, destinations: 'cloud1-sm/*,*/prod' });
    expect(written.status, written.text).to.equal(200);
    expect(written.body.data).to.deep.include({
      name: 'hook',
      channel: 'webhook',
      url: '*****',
      secret: '*****',
      minutes: 5,
      destinations: ['cloud1-sm/*', '*/prod'],
    });
    await write('hook', { enabled: false, url: '*****', secret: '' });
    const changed = await read('hook');
    expect(changed.body.data).to.deep.include({ enabled: false, minutes: 5 });
    const stored = await sealift.context.db('alert_rules');
    expect(JSON.stringify(stored.map(({ settings }) => settings))).not.to.contain('127.0.0.1');
    const { body } = await sealift.client.list('/v1/sys/alerts');
    expect(body.data.key_info.hook).to.deep.include({
      channel: 'webhook',
      recipients: [new URL(receiver.url).host],
      enabled: false,
    });
    expect(body.data.keys).to.include('hook');
    expect((await sealift.client.delete('/v1/sys/alerts/hook')).status).to.equal(204);
    expect((await read('hook')).status).to.equal(404);
  });

  it('a change of a state that somebody else has changed is refused', async () => {
    const first = await write('raced', MAIL, { headers: { 'if-none-match': '*' } });
    const etag = String(first.headers['etag']);
    const revision = await sealift.client.get('/v1/sys/revisions/sys/alerts/raced');
    expect(`"${revision.body.data.revision}"`).to.equal(etag);
    expect((await write('raced', MAIL, { headers: { 'if-none-match': '*' } })).status).to.equal(412);
    expect((await write('raced', { minutes: 5 }, { headers: { 'if-match': etag } })).status).to.equal(200);
    expect((await write('raced', { minutes: 6 }, { headers: { 'if-match': etag } })).status).to.equal(412);
    const stale = await sealift.client.delete('/v1/sys/alerts/raced', { headers: { 'if-match': etag } });
    expect(stale.status).to.equal(412);
    expect((await read('raced')).body.data.minutes).to.equal(5);
  });

  it('a rule that cannot work is refused with everything that is wrong', async () => {
    expect(await refused({})).to.deep.equal(['addresses is required: enter at least one email address']);
    const bad = ['Ana <ana@example.com>', 'ana@example.com\r\nBcc: x@example.com', 'ana'];
    expect(await refused({ addresses: bad })).to.have.length(3);
    const outside = { ...webhook(), url: 'https://169.254.169.254/latest' };
    expect(await refused(outside)).to.deep.equal([
      'url: the URL names a special-purpose address; only the operator can allow it (EGRESS_ALLOW)',
    ]);
    for (const url of [
      'ftp://example.com',
      'https://a:b@example.com/',
      'https://exa\nmple.com/',
      'http://example.com/',
    ])
      expect((await refused({ ...webhook(), url }))[0]).to.match(/^url: the URL /);
    expect(await refused({ channel: 'webhook' })).to.deep.equal([
      'url is required',
      'secret: a webhook needs a secret: openssl rand -base64 32 makes one',
    ]);
    expect(await refused({ ...webhook(), secret: 'short' })).to.have.length(1);
    expect(await refused({ ...webhook(), secret: 'whsec_not base64 at all!' })).to.have.length(1);
    expect(await refused({ ...webhook(), secret: 'sixteen letters\u0007\n' })).to.have.length(1);
    expect(await refused({ ...MAIL, destinations: ['prod'] })).to.have.length(1);
    expect(await refused({ ...MAIL, causes: ['no such-code'] })).to.have.length(1);
    expect(await refused({ ...MAIL, quiet_from: '22:00' })).to.deep.equal([
      'quiet_to is required: enter the time when the quiet hours end',
      'quiet_time_zone is required: enter a time zone, such as Europe/Berlin',
    ]);
    const quiet = { quiet_from: '22:00', quiet_to: '06:00' };
    for (const zone of ['Mars/Olympus', '+02:00', ''])
      expect(await refused({ ...MAIL, ...quiet, quiet_time_zone: zone })).to.have.length(1);
    expect(
      await refused({ ...MAIL, quiet_from: '22:00', quiet_to: '22:00', quiet_time_zone: 'UTC' }),
    ).to.deep.equal(['quiet_to must leave some time that is not quiet']);
    expect(await refused({ ...MAIL, quiet_from: '25:00' })).to.have.length(1);
    const many = Array.from({ length: 21 }, (_, index) => `a${index}@example.com`);
    expect(await refused({ addresses: many })).to.have.length(1);
    expect((await write('bad%20name', MAIL)).status).to.equal(400);
    expect((await read('refused')).status).to.equal(404);
  });

  it('a namespace has at most as many rules as the limit says', async () => {
    const { client } = sealift;
    const headers = { 'x-vault-namespace': 'full' };
    await client.post('/v1/sys/namespaces/full', {});
    for (let index = 0; index < 100; index += 1)
      expect((await write(`rule-${index}`, MAIL, { headers })).status).to.equal(200);
    const answer = await write('one-more', MAIL, { headers });
    expect(answer.status).to.equal(400);
    expect(answer.body.errors[0]).to.contain('rules for alerts in a namespace');
    expect((await write('rule-7', { minutes: 3 }, { headers })).status).to.equal(200);
    const deletion = await client.delete('/v1/sys/namespaces/full');
    expect(deletion.body.errors[0]).to.contain('100 alert rules');
  });

  it('a rule belongs to its namespace and to the policies on its path', async () => {
    const { client } = sealift;
    await client.post('/v1/sys/namespaces/team', {});
    await write('own', MAIL, { headers: { 'x-vault-namespace': 'team' } });
    expect((await read('own')).status).to.equal(404);
    const policy = 'path "sys/alerts/*" { capabilities = ["read"] }';
    await client.post('/v1/sys/policies/acl/reader', { policy });
    const made = await client.post('/v1/auth/token/create', { policies: ['reader'] });
    const token = made.body.auth.client_token;
    await write('shared', MAIL);
    expect((await client.get('/v1/sys/alerts/shared', { token })).status).to.equal(200);
    expect((await write('shared', { minutes: 2 }, { token })).status).to.equal(403);
    const tester = 'path "sys/alerts/shared/test" { capabilities = ["update"] }';
    await client.post('/v1/sys/policies/acl/tester', { policy: tester });
    const other = await client.post('/v1/auth/token/create', { policies: ['tester'] });
    const options = { token: other.body.auth.client_token };
    expect((await client.post('/v1/sys/alerts/shared/test', {}, options)).status).to.equal(200);
    const elsewhere = { addresses: ['elsewhere@example.com'] };
    expect((await client.post('/v1/sys/alerts/shared/test', elsewhere, options)).status).to.equal(403);
    expect(mail.mails.flatMap(({ to }) => to)).not.to.include('elsewhere@example.com');
  });

  it('a test of what is typed stores nothing, and tells what became of each message', async () => {
    mail.mails.length = 0;
    const answer = await test('typed', {
      addresses: ['one@example.com', 'refused@example.com', 'ü@example.com'],
    });
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.body.data).to.deep.equal({
      ok: false,
      tries: [
        { recipient: 'one@example.com', ok: true, detail: 'The mail server took the message.' },
        {
          recipient: 'refused@example.com',
          ok: false,
          detail:
            'Not sent: the SMTP server failed: it replied to RCPT TO with the SMTP code 550 5.1.1: there is no such mailbox.',
        },
        { recipient: 'ü@example.com', ok: true, detail: 'The mail server took the message.' },
      ],
    });
    expect(mail.mails[0]?.text).to.contain('test of the alert rule typed');
    expect((await read('typed')).status).to.equal(404);
    expect((await test('typed')).status).to.equal(404);
  });

  it('a test of a stored webhook is a signed call, and tells what the receiver answered', async () => {
    await write('tested', webhook());
    receiver.calls.length = 0;
    const host = new URL(receiver.url).host;
    expect((await test('tested')).body.data).to.deep.equal({
      ok: true,
      tries: [{ recipient: host, ok: true, detail: 'The receiver answered with status 204.' }],
    });
    const [call] = receiver.calls;
    const said = new Webhook(SIGNING_SECRET).verify(
      call?.body ?? '',
      call?.headers as Record<string, string>,
    );
    expect(said).to.deep.include({ type: 'alert.test' });
    receiver.answer = 503;
    expect((await test('tested', { minutes: 3 })).body.data.tries[0]).to.deep.equal({
      recipient: host,
      ok: false,
      detail: 'The receiver answered with status 503.',
    });
    receiver.answer = 204;
    const closed = await test('tested', { url: 'http://127.0.0.1:1/' });
    expect(closed.body.data.tries[0].detail).to.contain('Nothing listens at the address of the receiver');
    const other = await test('tested', { secret: `${SIGNING_SECRET.slice(0, -4)}AAA=` });
    expect(other.body.data.ok).to.equal(true);
    const last = receiver.calls.at(-1);
    expect(() =>
      new Webhook(SIGNING_SECRET).verify(last?.body ?? '', last?.headers as Record<string, string>),
    ).to.throw();
  });

  it('the audit trail says what changed, secrets by fingerprint', async () => {
    await write('audited', webhook());
    await write('audited', { secret: 'another secret of many letters', minutes: 3 });
    await write('audited', { minutes: 3 });
    await sealift.client.delete('/v1/sys/alerts/audited');
    const rows = await entries('sys/alerts/audited', 4);
    const details = rows.map(({ detail }) => detail as Detail);
    expect(details.map(({ change }) => change)).to.deep.equal(['created', 'updated', 'none', 'deleted']);
    expect(Object.keys(details[1]?.changed ?? {})).to.have.members(['secret', 'minutes']);
    expect(details[1]?.changed?.['secret']?.new).to.match(/^fingerprint:[0-9a-f]{16}$/);
    expect(details[1]?.changed?.['secret']?.old).to.equal(details[0]?.changed?.['secret']?.new);
    expect(JSON.stringify(rows)).not.to.contain('another secret').and.not.to.contain('a-secret-path');
  });

  it('the settings of the environment are a rule that can only be read', async () => {
    const found = await eventually(async () => {
      const answer = await read('environment');
      expect(answer.status).to.equal(200);
      return answer;
    });
    expect(found.body.data).to.deep.include({
      name: 'environment',
      read_only: true,
      channel: 'email and webhook',
      addresses: ['operator@example.com'],
      url: '*****',
      minutes: 15,
    });
    const refusal = await write('environment', MAIL);
    expect(refusal.status).to.equal(400);
    expect(refusal.body.errors[0]).to.contain('NOTIFY_');
    expect((await sealift.client.delete('/v1/sys/alerts/environment')).status).to.equal(400);
    expect((await sealift.client.get('/v1/sys/alerts/environment/deliveries')).status).to.equal(200);
  });
});
