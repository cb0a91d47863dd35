import { expect } from 'chai';
import { startMaintenance } from '../key-maintenance/support.ts';
import type { Answer } from '../support/client.ts';
import { startMailServer, type MailServer } from './support/mail-server.ts';
import { createResponse } from './support/identity-provider.ts';
import { startSingleSignOn, type SingleSignOn } from './support/single-sign-on.ts';

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('the texts of the customization settings', () => {
  let sso: SingleSignOn;
  let server: MailServer;

  before(async () => {
    sso = await startSingleSignOn();
    server = await startMailServer();
    await sso.enable();
  });

  after(async () => {
    await sso.sealift.stop();
    await server.close();
  });

  beforeEach(async () => {
    await sso.sealift.forget('customization');
    const texts = {
      'login-help': 'Use your <b>badge</b>.\nThen wait.',
      footer: 'Example & Sons',
      error: 'Call 555 "now".',
      'new-user': 'Ask your lead.',
      'support-email-address': 'help@example.com',
    };
    expect((await sso.sealift.change('customization', texts)).status).to.equal(200);
    server.mails.length = 0;
  });

  const loginInBrowser = (attributes = {}) => sso.post(createResponse(sso.idp, { attributes }), BROWSER);
  const expectPage = (answer: Answer, status: number) => {
    expect(answer.status, answer.text).to.equal(status);
    expect(answer.headers['content-type']).to.match(/^text\/html/);
    expect(answer.headers['content-security-policy']).to.contain("default-src 'none'");
    expect(answer.text).to.contain('Use your &#60;b&#62;badge&#60;/b&#62;.<br>Then wait.');
    expect(answer.text).to.contain('Example &#38; Sons');
    expect(answer.text).to.contain('help@example.com');
  };

  it('texts stand on the page that a log-in ends with', async () => {
    const ordinary = await loginInBrowser();
    expectPage(ordinary, 200);
    expect(ordinary.text).to.contain('Ask your lead.').and.not.to.contain('Call 555');
    const admin = await loginInBrowser({ SiteAdmin: ['true'] });
    expectPage(admin, 200);
    expect(admin.text).not.to.contain('Ask your lead.');
  });

  it('texts stand on the page that a refused log-in ends with, beside the reason', async () => {
    const refused = await sso.post(createResponse(sso.stranger), BROWSER);
    expectPage(refused, 401);
    expect(refused.text).to.contain('not signed by the identity provider').and.not.to.contain('Call 555');
    const program = await sso.post(createResponse(sso.stranger));
    expect(program.status).to.equal(401);
    expect(program.body.errors).to.have.length(1);
  });

  it('texts say what to do on the page of an unexpected error', async () => {
    const { db } = sso.sealift.context;
    await db.raw('ALTER TABLE saml_assertions RENAME COLUMN hash TO hidden');
    try {
      const failed = await loginInBrowser();
      expectPage(failed, 500);
      expect(failed.text)
        .to.contain('Call 555 &#34;now&#34;.')
        .and.to.contain(failed.headers['x-request-id']);
    } finally {
      await db.raw('ALTER TABLE saml_assertions RENAME COLUMN hidden TO hash');
    }
  });

  it('texts stay away from other answers, which are for programs', async () => {
    const answer = await sso.sealift.client.get('/v1/secret/data/absent', { headers: BROWSER });
    expect(answer.status).to.equal(404);
    expect(answer.body).to.deep.equal({ errors: [] });
  });

  it('every mail names the support address, unless it is the preset one', async () => {
    const account = { enabled: true, host: '127.0.0.1', port: server.port, sender: 'sealift@example.com' };
    const trial = { ...account, 'test-email-address': 'admin@example.com' };
    expect((await sso.sealift.change('smtp', trial)).status).to.equal(200);
    const { commands } = await startMaintenance(sso.sealift);
    const body = {
      to: 'a@example.com',
      subject: 'x',
      text: 'Something happened.\n',
      messageId: '<1@sealift>',
    };
    await commands.call('settings', 'send-mail', body);
    expect(server.mails).to.have.length(2);
    for (const { text } of server.mails) expect(text).to.contain('help@example.com');
    await sso.sealift.forget('customization');
    await commands.call('settings', 'send-mail', body);
    expect(server.mails[2]?.text).to.contain('Something happened.').and.not.to.contain('sealift.example');
  });
});
