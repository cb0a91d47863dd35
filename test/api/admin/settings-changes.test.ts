import { connect } from 'amqplib';
import { expect } from 'chai';
import { startSettingsWorker } from '../../../services/settings/start.ts';
import { createCertificate, type Certificate } from '../../settings/support/certificates.ts';
import { pathOf, pointersOf, startAdmin, type AdminSealift } from '../../settings/support/admin.ts';
import { eventually } from '../../support/eventually.ts';
import { startSealift } from '../../support/sealift.ts';

describe('changes of settings', () => {
  let sealift: AdminSealift;

  before(async () => {
    sealift = await startAdmin();
    await sealift.start('settings-2', startSettingsWorker);
  });

  after(() => sealift.stop());

  it('changes that several workers make at the same time lose nothing', async () => {
    const values = Array.from({ length: 24 }, (_, index) => `text ${index}`);
    const names = ['login-help', 'footer', 'error', 'new-user'];
    const answers = await Promise.all(
      names.map((name) => sealift.change('customization', { [name]: `last ${name}` })),
    );
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
    const attributes = await sealift.read('customization');
    for (const name of names) expect(attributes[name]).to.equal(`last ${name}`);

    await Promise.all(values.map((footer) => sealift.change('customization', { footer })));
    expect(values).to.include((await sealift.read('customization'))['footer']);
    expect(await sealift.read('customization')).to.include({ error: 'last error' });
  });

  it('an attribute that the settings do not have is named in a warning', async () => {
    const misspelt = await sealift.change('general', { api_rate_limit: 40, 'api-rate-limit': 41 });
    expect(misspelt.status).to.equal(200);
    expect(misspelt.body.meta).to.deep.equal({ warnings: ['api_rate_limit is unknown and was ignored'] });
    for (const kind of ['general', 'saml', 'smtp', 'twilio', 'customization', 'cost-estimation']) {
      const same = await sealift.change(kind, await sealift.read(kind));
      expect(same.status, kind).to.equal(200);
      expect(same.body, kind).to.not.have.property('meta');
    }
  });

  it('a change without a settings worker ends with 503 within 5 s and changes nothing', async () => {
    const lonely = await startSealift();
    const started = Date.now();
    const answer = await lonely.client.patch(pathOf('customization'), {
      data: { attributes: { footer: 'x' } },
    });
    expect(Date.now() - started).to.be.lessThan(5000);
    expect(answer.status).to.equal(503);
    expect(answer.headers).to.have.property('retry-after');
    expect(answer.body.errors[0].status).to.equal('503');
    await lonely.start('settings', startSettingsWorker);
    await lonely.client.patch(pathOf('customization'), { data: { attributes: { error: 'y' } } });
    const read = await lonely.client.get(pathOf('customization'));
    expect(read.body.data.attributes).to.include({ footer: '', error: 'y' });
    await lonely.stop();
  });

  it('other services are told of a change, without its values', async () => {
    const connection = await connect(sealift.config.AMQP_URL);
    const channel = await connection.createChannel();
    const { queue } = await channel.assertQueue('', { exclusive: true });
    await channel.bindQueue(queue, `${sealift.config.AMQP_PREFIX}.events`, 'settings.changed');
    await sealift.change('sms', { 'auth-token': 'a-secret-token' });
    const message = await eventually(async () => {
      const got = await channel.get(queue, { noAck: true });
      if (!got) throw new Error('no event yet');
      return got;
    });
    await connection.close();
    expect(JSON.parse(message.content.toString())).to.include({ event: 'settings.changed', kind: 'sms' });
    expect(message.content.toString()).not.to.contain('a-secret-token');
  });

  it('a refused change names every failing attribute in an object of its own', async () => {
    const shape = await sealift.change('general', { 'api-rate-limit': 1, 'plan-timeout': 1, footer: 1 });
    expect(pointersOf(shape)).to.have.members([
      '/data/attributes/api-rate-limit',
      '/data/attributes/plan-timeout',
    ]);
    const rules = await sealift.change('smtp', { enabled: true, auth: 'login' });
    expect(pointersOf(rules)).to.have.members(
      ['host', 'port', 'sender', 'username', 'password'].map((name) => `/data/attributes/${name}`),
    );
    const both = await sealift.change('general', { 'api-rate-limit': 1, 'plan-timeout': '25h' });
    expect(pointersOf(both)).to.have.members([
      '/data/attributes/api-rate-limit',
      '/data/attributes/plan-timeout',
    ]);
    const merged = await sealift.change('smtp', { enabled: true, auth: 'none', port: '25', sender: 'me' });
    expect(pointersOf(merged)).to.have.members(
      ['host', 'port', 'sender'].map((name) => `/data/attributes/${name}`),
    );
  });

  it('unknown and read-only attributes are ignored', async () => {
    const answer = await sealift.change('saml', {
      'old-idp-cert': 'x',
      'acs-consumer-url': 'https://evil.example',
      unknown: 1,
    });
    expect(answer.status).to.equal(200);
    expect(answer.body.data.attributes).to.include({ 'old-idp-cert': null });
    expect(answer.body.data.attributes['acs-consumer-url']).to.match(/\/users\/saml\/auth$/);
    expect(answer.body.data.attributes).not.to.have.property('unknown');
  });

  it('HTML is kept byte by byte', async () => {
    const html =
      '<p class="a">“Hi” &amp; \u0000\ud83d\ude00\u2028\r\n\t<script>1 < 2</script> \\u0041 \\ \ud800</p>  ';
    await sealift.change('customization', { 'login-help': html });
    expect((await sealift.read('customization'))['login-help']).to.equal(html);
  });

  it('the deprecated timeouts mirror the new ones, and the new name wins', async () => {
    await sealift.change('general', { 'infra-build-worker-plan-timeout': '30m' });
    expect(await sealift.read('general')).to.include({ 'plan-timeout': '30m' });
    await sealift.change('general', { 'plan-timeout': '90m', 'infra-build-worker-plan-timeout': '1h' });
    expect(await sealift.read('general')).to.include({
      'plan-timeout': '90m',
      'infra-build-worker-plan-timeout': '90m',
    });
    await sealift.change('general', { 'plan-timeout': null, 'infra-build-worker-plan-timeout': '1h' });
    expect(await sealift.read('general')).to.include({ 'plan-timeout': '1h', 'apply-timeout': '24h' });
  });

  it('credentials must be complete while cost estimation is enabled', async () => {
    await sealift.forget('cost-estimation');
    const none = await sealift.change('cost-estimation', { enabled: true });
    expect(pointersOf(none)).to.deep.equal(['/data/attributes/enabled']);
    const half = await sealift.change('cost-estimation', { enabled: true, 'aws-access-key-id': 'a' });
    expect(pointersOf(half)).to.deep.equal(['/data/attributes/aws-secret-key']);
    const azure = { 'azure-client-id': 'a', 'azure-client-secret': 'b', 'azure-subscription-id': 'c' };
    const three = await sealift.change('cost-estimation', { enabled: true, ...azure });
    expect(pointersOf(three)).to.deep.equal(['/data/attributes/azure-tenant-id']);
    const pair = { enabled: true, 'aws-access-key-id': 'a', 'aws-secret-key': 'foo' };
    expect((await sealift.change('cost-estimation', pair)).status).to.equal(200);
    const emptied = await sealift.change('cost-estimation', { 'aws-secret-key': '' });
    expect(emptied.status).to.equal(422);
    const disabled = await sealift.change('cost-estimation', { enabled: false, 'aws-secret-key': '' });
    expect(disabled.body.data.attributes).to.include({ 'aws-secret-key': null, 'aws-access-key-id': 'a' });
  });

  it('a masked secret counts as unchanged', async () => {
    await sealift.forget('cost-estimation');
    const pair = { enabled: true, 'aws-access-key-id': 'a', 'aws-secret-key': 'foo' };
    await sealift.change('cost-estimation', pair);
    const again = await sealift.change('cost-estimation', { ...pair, 'aws-secret-key': '*****' });
    expect(again.status).to.equal(200);
    expect(await sealift.read('cost-estimation')).to.include({ 'aws-secret-key': '*****' });
    await sealift.change('cost-estimation', { enabled: false, 'aws-secret-key': null });
    const masked = await sealift.change('cost-estimation', { enabled: true, 'aws-secret-key': '*****' });
    expect(pointersOf(masked)).to.deep.equal(['/data/attributes/aws-secret-key']);
  });

  it('no secret is readable in Postgres after a change', async () => {
    const secrets: [string, Record<string, unknown>][] = [
      [
        'cost-estimation',
        { 'aws-secret-key': 'sealed-1', 'gcp-credentials': 'sealed-2', 'azure-client-secret': 'sealed-3' },
      ],
      ['saml', { 'private-key': 'sealed-4' }],
      ['smtp', { password: 'sealed-5' }],
      ['sms', { 'auth-token': 'sealed-6' }],
    ];
    for (const [kind, attributes] of secrets) {
      const answer = await sealift.change(kind, { enabled: false, ...attributes });
      expect(answer.status).to.equal(200);
      expect(answer.text).not.to.contain('sealed-');
      expect((await sealift.client.get(pathOf(kind))).text).not.to.contain('sealed-');
    }
    const rows = await sealift.context.db('settings').select();
    for (const row of rows) {
      expect(JSON.stringify(row.attributes)).not.to.contain('sealed-');
      expect((row.sealed ?? Buffer.alloc(0)).toString('latin1')).not.to.contain('sealed-');
    }
  });

  it('a disabled document takes what clients send to empty it', async () => {
    const empty = { enabled: false, host: '', port: 0, sender: '', auth: '', username: '', password: '' };
    const answer = await sealift.change('smtp', { ...empty, 'test-email-address': 'x' });
    expect(answer.status).to.equal(200);
    expect(answer.body.data.attributes).to.include({ host: '', port: 0, auth: 'none' });
    const saml = {
      enabled: false,
      'idp-cert': '',
      'sso-endpoint-url': '',
      'attr-username': '',
      'provider-type': '',
    };
    expect((await sealift.change('saml', saml)).body.data.attributes).to.include({
      'provider-type': 'unknown',
    });
  });

  describe('the identity provider certificate', () => {
    let certificates: Certificate[];
    const urls = {
      'slo-endpoint-url': 'https://idp.example/slo',
      'sso-endpoint-url': 'https://idp.example/sso',
    };

    before(async () => {
      certificates = await Promise.all(['first', 'second', 'third'].map((name) => createCertificate(name)));
    });

    beforeEach(() => sealift.forget('saml'));

    const enable = (certificate: Certificate | undefined) =>
      sealift.change('saml', { enabled: true, ...urls, 'idp-cert': certificate?.cert });

    it('a new certificate moves the present one to the old slot, which holds the one just before', async () => {
      const [first, second, third] = certificates;
      await enable(first);
      expect(await sealift.read('saml')).to.include({ 'idp-cert': first?.cert, 'old-idp-cert': null });
      await enable(second);
      expect(await sealift.read('saml')).to.include({
        'idp-cert': second?.cert,
        'old-idp-cert': first?.cert,
      });
      await enable(third);
      expect(await sealift.read('saml')).to.include({
        'idp-cert': third?.cert,
        'old-idp-cert': second?.cert,
      });
    });

    it('the same certificate sent again, perhaps wrapped otherwise, does not rotate', async () => {
      const [first, second] = certificates;
      await enable(first);
      await enable(second);
      await enable(second);
      await sealift.change('saml', { 'idp-cert': second?.cert.replaceAll('\n', '\r\n') });
      expect((await sealift.read('saml'))['old-idp-cert']).to.equal(first?.cert);
    });

    it('a revoke answers 200 and the document, also with nothing to revoke', async () => {
      const [first, second] = certificates;
      await enable(first);
      await enable(second);
      const path = `${pathOf('saml')}/actions/revoke-old-certificate`;
      for (const body of [undefined, {}]) {
        const answer = await sealift.client.post(path, body);
        expect(answer.status).to.equal(200);
        expect(answer.body.data).to.include({ id: 'saml', type: 'saml-settings' });
        expect(answer.body.data.attributes).to.include({ 'idp-cert': second?.cert, 'old-idp-cert': null });
      }
      expect((await sealift.read('saml'))['old-idp-cert']).to.equal(null);
    });

    it('a text that is no certificate is refused only while SAML would be enabled', async () => {
      const text = { ...urls, 'idp-cert': 'testCert' };
      expect((await sealift.change('saml', { ...text, enabled: false })).status).to.equal(200);
      expect(pointersOf(await sealift.change('saml', { enabled: true }))).to.deep.equal([
        '/data/attributes/idp-cert',
      ]);
    });
  });
});
