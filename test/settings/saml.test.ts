import { createVerify } from 'node:crypto';
import { expect } from 'chai';
import { pathOf } from './support/admin.ts';
import { createCertificate } from './support/certificates.ts';
import { AUDIENCE, CONSUMER, createResponse } from './support/identity-provider.ts';
import {
  expectLogin,
  expectRefusal,
  startSingleSignOn,
  type SingleSignOn,
} from './support/single-sign-on.ts';

describe('single sign-on with SAML', () => {
  let sso: SingleSignOn;

  before(async () => {
    sso = await startSingleSignOn();
  });

  after(() => sso.sealift.stop());

  beforeEach(async () => {
    await sso.sealift.forget('saml');
    await sso.enable();
  });

  describe('accepted log-ins', () => {
    for (const sign of ['assertion', 'response', 'both'] as const) {
      it(`an answer signed over the ${sign} is accepted, and gives a token of the default policy`, async () => {
        const answer = await sso.login({ sign });
        const token = expectLogin(answer);
        expect(answer.body.data).to.include({ username: 'ada', site_admin: false });
        expect(answer.body.auth).to.deep.include({ policies: ['default'], metadata: { username: 'ada' } });
        expect(await sso.reads(token)).to.equal(404);
        expect(answer.headers['cache-control']).to.equal('no-store');
      });
    }

    it('a site administrator by role gets a token that administers the site', async () => {
      const answer = await sso.login({ attributes: { MemberOf: ['developers', 'site-admins'] } });
      expect(await sso.reads(expectLogin(answer))).to.equal(200);
      expect(answer.body.data).to.deep.include({ groups: ['developers', 'site-admins'], site_admin: true });
    });

    it('a site administrator gets a token that may look itself up and end itself', async () => {
      const answer = await sso.login({ attributes: { SiteAdmin: ['true'] } });
      const token = expectLogin(answer);
      expect(answer.body.auth.policies).to.deep.equal(['default', 'site-admin']);
      const { client } = sso.sealift;
      const self = await client.get('/v1/auth/token/lookup-self', { token });
      expect(self.status, self.text).to.equal(200);
      expect(self.body.data.policies).to.deep.equal(['default', 'site-admin']);
      expect((await client.post('/v1/auth/token/revoke-self', {}, { token })).status).to.equal(204);
      expect(await sso.reads(token)).to.equal(401);
    });

    it('a single group whose name contains commas makes no site administrator', async () => {
      const answer = await sso.login({ attributes: { MemberOf: ['x,site-admins'] } });
      expect(await sso.reads(expectLogin(answer))).to.equal(404);
      expect(answer.body.data).to.deep.include({ groups: ['x,site-admins'], site_admin: false });
    });

    it('teams in one value between commas are accepted where the settings say so', async () => {
      await sso.enable({ 'split-group-values': true });
      const one = await sso.login({ attributes: { MemberOf: ['developers, site-admins ,'] } });
      expectLogin(one);
      expect(one.body.data).to.deep.include({ groups: ['developers', 'site-admins'], site_admin: true });
      const names = ['CN=ops,DC=example', 'CN=dev,DC=example'];
      await sso.enable({ 'site-admin-role': 'CN=ops,DC=example' });
      const several = await sso.login({ attributes: { MemberOf: names } });
      expect(several.body.data).to.deep.include({ groups: names, site_admin: true });
      const single = await sso.login({ attributes: { MemberOf: names.slice(0, 1) } });
      expect(single.body.data).to.include({ site_admin: true });
      await sso.enable({ 'site-admin-role': 'site-admins' });
      const inside = await sso.login({ attributes: { MemberOf: ['a,site-admins', 'b'] } });
      expect(inside.body.data).to.include({ site_admin: false });
    });

    it('the site-admin attribute wins over the role both ways', async () => {
      const yes = await sso.login({ attributes: { SiteAdmin: ['true'] } });
      expect(await sso.reads(expectLogin(yes))).to.equal(200);
      const no = await sso.login({ attributes: { SiteAdmin: ['false'], MemberOf: ['site-admins'] } });
      expect(await sso.reads(expectLogin(no))).to.equal(404);
    });

    it('attributes are read by the names that the settings give', async () => {
      await sso.enable({ 'attr-username': 'uid', 'attr-groups': 'roles', 'site-admin-role': 'ops' });
      const attributes = { uid: ['grace'], roles: ['ops'] };
      const answer = await sso.login({ attributes });
      expect(answer.body.data).to.deep.include({ username: 'grace', groups: ['ops'], site_admin: true });
      await sso.enable({ 'site-admin-role': '' });
      expect((await sso.login({ attributes: { ...attributes, roles: [''] } })).body.data.site_admin).to.equal(
        false,
      );
    });

    it('a log-in lasts as long as the settings say', async () => {
      await sso.enable({ 'sso-api-token-session-timeout': 1 });
      const answer = await sso.login({ attributes: { SiteAdmin: ['true'] } });
      const token = expectLogin(answer);
      expect(answer.body.auth.lease_duration).to.equal(1);
      expect(await sso.reads(token)).to.equal(200);
      await new Promise((resolve) => setTimeout(resolve, 1100));
      expect(await sso.reads(token)).to.equal(401);
    });

    it('the old certificate is accepted beside the new one until it is revoked', async () => {
      await sso.enable({ 'idp-cert': sso.later.cert });
      expectLogin(await sso.login({}, sso.idp));
      expectLogin(await sso.login({}, sso.later));
      const revoked = await sso.sealift.client.post(`${pathOf('saml')}/actions/revoke-old-certificate`);
      expect(revoked.status).to.equal(200);
      expectRefusal(await sso.login({}, sso.idp), /not signed/);
      expectLogin(await sso.login({}, sso.later));
    });

    it('the answer to a request of ours is accepted once', async () => {
      const inResponseTo = await sso.beginLogin();
      const options = { inResponseTo };
      expectLogin(await sso.login(options));
      expectRefusal(await sso.login(options), /no open login request/);
    });
  });

  it('single sign-on is a 404 while it is disabled, and tokens made otherwise go on working', async () => {
    const token = await sso.sealift.tokenWith('site-admin');
    await sso.sealift.change('saml', { enabled: false });
    expect((await sso.login()).status).to.equal(404);
    expect((await sso.sealift.client.get('/users/saml/login', { token: null })).status).to.equal(404);
    expect(await sso.reads(token)).to.equal(200);
    await sso.enable();
    expect(await sso.reads(token)).to.equal(200);
  });

  it('the metadata tell the identity provider what it must know, also before it is enabled', async () => {
    await sso.sealift.forget('saml');
    for (const path of ['/users/saml/metadata', '/users/saml/metadata.xml']) {
      const answer = await sso.sealift.client.get(path, { token: null });
      expect(answer.status).to.equal(200);
      expect(answer.headers['content-type']).to.match(/xml/);
      expect(answer.text).to.contain(`entityID="${AUDIENCE}"`).and.to.contain(`Location="${CONSUMER}"`);
    }
  });

  it('the metadata ask for signed assertions only where the settings do', async () => {
    for (const isWanted of [true, false]) {
      await sso.enable({ 'want-assertions-signed': isWanted });
      const { text } = await sso.sealift.client.get('/users/saml/metadata', { token: null });
      expect(text.includes('WantAssertionsSigned="true"')).to.equal(isWanted);
    }
  });

  it('requests are signed and the certificate is published where the settings say so', async () => {
    const own = await createCertificate('sealift');
    await sso.enable({ 'authn-requests-signed': true, certificate: own.cert, 'private-key': own.key });
    const { headers } = await sso.sealift.client.get('/users/saml/login', { token: null });
    const [signed, signature] = new URL(String(headers['location'])).search.slice(1).split('&Signature=');
    const verifier = createVerify('RSA-SHA256').update(signed ?? '');
    expect(verifier.verify(own.cert, decodeURIComponent(signature ?? ''), 'base64')).to.equal(true);
    const metadata = await sso.sealift.client.get('/users/saml/metadata', { token: null });
    expect(metadata.text).to.contain('AuthnRequestsSigned="true"').and.to.contain('use="signing"');
    expect(metadata.text).not.to.contain('PRIVATE KEY');
  });

  it('details of a log-in are shown with debug, to site administrators only', async () => {
    await sso.enable({ debug: true });
    const ordinary = await sso.login();
    expect(ordinary.body.data).not.to.have.property('debug');
    const admin = await sso.login({ attributes: { SiteAdmin: ['true'], MemberOf: ['a'] } });
    expect(admin.body.data.debug.attributes).to.deep.equal({
      Username: ['ada'],
      SiteAdmin: ['true'],
      MemberOf: ['a'],
    });
    expect(admin.body.data.debug.response_xml).to.contain('<samlp:Response');
    await sso.enable({ debug: false });
    expect((await sso.login({ attributes: { SiteAdmin: ['true'] } })).body.data).not.to.have.property(
      'debug',
    );
  });

  it('a log-in ends in a browser with a page that holds the token and no script', async () => {
    const response = createResponse(sso.idp, { username: '&lt;script&gt;alert(1)&lt;/script&gt;' });
    const answer = await sso.post(response, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect(answer.status).to.equal(200);
    expect(answer.headers['content-type']).to.match(/^text\/html/);
    expect(answer.headers['content-security-policy']).to.contain("default-src 'none'");
    expect(answer.headers).not.to.have.property('location');
    expect(answer.text)
      .to.match(/<code id="token">slt\./)
      .and.not.to.contain('<script>');
  });
});
