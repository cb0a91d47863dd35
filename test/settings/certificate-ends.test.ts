import { expect } from 'chai';
import type { FindingAnswer } from '../../services/api/contract/status.ts';
import { eventually } from '../support/eventually.ts';
import { createCertificateUntil } from './support/certificates.ts';
import { startSingleSignOn, type SingleSignOn } from './support/single-sign-on.ts';

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
    await expectTold([['warning', `idp-cert: the certificate of the identity provider ended on ${day(-2)}`]]);
  });

  it('a certificate that ends within a month is told with the days that are left', async () => {
    const soon = await createCertificateUntil('sealift', inDays(12));
    await sso.enable({ certificate: soon.cert, 'private-key': soon.key });
    await expectTold([
      ['warning', 'old-idp-cert: the former certificate of the identity provider ended on'],
      ['warning', `certificate: the certificate of Sealift ends on ${day(12)}, in 12 days`],
    ]);
  });
});
