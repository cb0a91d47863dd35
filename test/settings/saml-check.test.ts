import { X509Certificate } from 'node:crypto';
import { expect } from 'chai';
import { createCertificate, type Certificate } from './support/certificates.ts';
import { pathOf } from './support/admin.ts';
import { startSingleSignOn, type SingleSignOn } from './support/single-sign-on.ts';

describe('checking a change of the SAML settings', () => {
  let sso: SingleSignOn;
  let certificates: Certificate[];

  before(async () => {
    sso = await startSingleSignOn();
    certificates = await Promise.all(['first', 'second', 'third'].map(createCertificate));
  });
  after(() => sso?.sealift.stop());

  const check = (attributes: object) =>
    sso.sealift.client.post(`${pathOf('saml')}/actions/check`, { data: { attributes } });
  const printOf = (index: number): string =>
    new X509Certificate(certificates[index]?.cert ?? '').fingerprint256;
  const goneAfter = async (attributes: object): Promise<string[]> => {
    const { body } = await check(attributes);
    const gone: { fingerprint: string }[] = body.data.attributes['no-longer-accepted'];
    return gone.map(({ fingerprint }) => fingerprint);
  };

  it('a check tells the faults of a change at their attributes, and changes nothing', async () => {
    await sso.enable();
    const { body: before } = await sso.sealift.client.get(pathOf('saml'));
    const answer = await check({ 'idp-cert': 'none', 'sso-endpoint-url': 'http://idp', debug: 'yes' });
    expect(answer.status).to.equal(422);
    const pointers = (answer.body.errors as { source: { pointer: string } }[]).map(
      ({ source }) => source.pointer,
    );
    expect(pointers).to.have.members(
      ['idp-cert', 'sso-endpoint-url', 'debug'].map((name) => `/data/attributes/${name}`),
    );
    expect((await check({ 'site-admin-role': 'operators' })).status).to.equal(200);
    const { body: after } = await sso.sealift.client.get(pathOf('saml'));
    expect(after).to.deep.equal(before);
    expect(
      await sso.sealift.context.db('audit_events').where('path', 'like', '%actions/check'),
    ).to.deep.equal([]);
  });

  it('a check tells which certificates a change would make of no use', async () => {
    await sso.sealift.change('saml', { enabled: false, 'idp-cert': null });
    const cert = (index: number) => ({ 'idp-cert': certificates[index]?.cert });
    await sso.sealift.change('saml', cert(0));
    expect(await goneAfter(cert(1))).to.deep.equal([]);
    await sso.sealift.change('saml', cert(1));
    expect(await goneAfter({ debug: true })).to.deep.equal([]);
    expect(await goneAfter(cert(2))).to.deep.equal([printOf(0)]);
    expect(await goneAfter(cert(0))).to.deep.equal([]);
    expect(await goneAfter({ 'idp-cert': null })).to.deep.equal([printOf(1), printOf(0)]);
    const { body } = await check(cert(2));
    expect(body.data.attributes.certificates['idp-cert']).to.include({
      subject: 'CN=third',
      standing: 'valid',
    });
    expect(body.data.attributes.certificates['old-idp-cert']).to.include({ subject: 'CN=second' });
  });
});
