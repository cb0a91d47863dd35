import { X509Certificate } from 'node:crypto';
import { expect } from 'chai';
import type { FindingAnswer } from '../../services/api/contract/status.ts';
import { eventually } from '../support/eventually.ts';
import { createCertificateUntil, withoutEnd } from './support/certificates.ts';
import { expectLogin, startSingleSignOn, type SingleSignOn } from './support/single-sign-on.ts';

const DAY_MS = 86_400_000;

describe('the end of certificates', () => {
  let sso: SingleSignOn;

  before(async () => {
    sso = await startSingleSignOn();
  });
  after(() => sso?.sealift.stop());

  const inDays = (days: number): Date => new Date(Date.now() + days * DAY_MS + DAY_MS / 2);
  const day = (days: number): string => inDays(days).toISOString().slice(0, 10);

  // The status is kept for some seconds.
  async function expectTold(wanted: [state: string, detail: string][]): Promise<void> {
    let shownFindings: FindingAnswer[] = [];
    await eventually(async () => {
      const { body } = await sso.sealift.client.get('/v1/sys/status');
      const findings = body.data.findings as FindingAnswer[];
      shownFindings = findings.filter(({ check }) => check === 'certificates');
      return (
        shownFindings.length === wanted.length &&
        wanted.every(
          ([state, detail], index) =>
            shownFindings[index]?.state === state && shownFindings[index].detail.includes(detail),
        )
      );
    }).catch(() => expect(shownFindings).to.deep.equal(wanted));
    for (const { state, advice } of shownFindings) if (state === 'warning') expect(advice).to.be.a('string');
  }

  it('the status says nothing of certificates while single sign-on is off', () => expectTold([]));

  it('certificates that are valid for long are told as well', async () => {
    await sso.enable();
    await expectTold([['ok', '30 days or longer']]);
  });

  it('a certificate that ended is accepted, and the status warns with its name and its end', async () => {
    const ended = await createCertificateUntil('idp', inDays(-2));
    await sso.enable({ 'idp-cert': ended.cert });
    await expectTold([['warning', `the IdP certificate of single sign-on expired on ${day(-2)}`]]);
  });

  it('a certificate that ends within a month is told with the days that are left', async () => {
    const soon = await createCertificateUntil('sealift', inDays(12));
    await sso.enable({ certificate: soon.cert, 'private-key': soon.key });
    await expectTold([
      ['warning', 'the former IdP certificate of single sign-on expired on'],
      ['warning', `the certificate of Sealift for single sign-on expires on ${day(12)}, in 12 days`],
    ]);
  });

  it('a certificate that is not valid yet is accepted, and told with its first day', async () => {
    const next = await createCertificateUntil('idp', inDays(3 * 365));
    await sso.enable({ 'idp-cert': next.cert });
    const first = new Date(new X509Certificate(next.cert).validFrom).toISOString();
    await expectTold([
      ['warning', `the IdP certificate of single sign-on is not valid before ${first.slice(0, 10)}`],
      ['warning', 'the certificate of Sealift '],
    ]);
    const { body } = await sso.sealift.client.get('/api/v2/admin/saml-settings');
    expect(body.data.meta.certificates['idp-cert']).to.include({
      'valid-from': first,
      standing: 'not_yet_valid',
    });
    expectLogin(await sso.login({}, next));
  });

  it('the settings say whose each certificate is and when it is valid', async () => {
    const [ended, next, own] = await Promise.all([
      createCertificateUntil('idp', inDays(-2)),
      createCertificateUntil('idp', inDays(400)),
      createCertificateUntil('sealift', inDays(12)),
    ]);
    await sso.enable({ 'idp-cert': ended.cert, certificate: own.cert, 'private-key': own.key });
    const { body: changed } = await sso.sealift.change('saml', { 'idp-cert': next.cert });
    const { body: read } = await sso.sealift.client.get('/api/v2/admin/saml-settings');
    expect(read.data.meta).to.deep.equal(changed.data.meta);
    const { certificates } = read.data.meta;
    expect(certificates).to.have.all.keys('idp-cert', 'old-idp-cert', 'certificate');
    expect(certificates['idp-cert']).to.deep.equal({
      subject: 'CN=idp',
      issuer: 'CN=idp',
      fingerprint: new X509Certificate(next.cert).fingerprint256,
      'valid-from': new Date(new X509Certificate(next.cert).validFrom).toISOString(),
      'valid-until': new Date(new X509Certificate(next.cert).validTo).toISOString(),
      'days-left': 400,
      standing: 'valid',
    });
    expect(certificates['old-idp-cert']).to.include({ 'days-left': -2, standing: 'ended' });
    expect(certificates.certificate).to.include({ 'days-left': 12, standing: 'ends_soon' });
    const { body: off } = await sso.sealift.change('saml', { enabled: false, 'idp-cert': 'no certificate' });
    expect(off.data.meta.certificates).to.have.all.keys('old-idp-cert', 'certificate');
    const odd = withoutEnd(next);
    const { body: unknown, status } = await sso.sealift.change('saml', { 'idp-cert': odd });
    expect(status).to.equal(200);
    expect(unknown.data.meta.certificates).to.have.all.keys('old-idp-cert', 'certificate');
    const { body: mail } = await sso.sealift.client.get('/api/v2/admin/smtp-settings');
    expect(mail.data.meta).to.not.have.property('certificates');
  });
});
