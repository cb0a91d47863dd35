import { X509Certificate } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import type { Answer } from '../support/client.ts';
import { pathOf } from './support/admin.ts';
import { createCertificate, createCertificateUntil } from './support/certificates.ts';
import {
  AUDIENCE,
  CONSUMER,
  createResponse,
  createResponseXml,
  encode,
  type AssertionOptions,
} from './support/identity-provider.ts';
import { expectRefusal, startSingleSignOn, type SingleSignOn } from './support/single-sign-on.ts';

const PAGE = { accept: 'text/html', 'sec-fetch-site': 'cross-site' };

describe('a test of single sign-on', () => {
  let sso: SingleSignOn;

  before(async () => {
    sso = await startSingleSignOn();
  });

  beforeEach(() => sso.enable({ 'attr-username': 'Username' }));

  after(() => sso.sealift.stop());

  const begin = async (): Promise<string> => {
    const answer = await sso.sealift.client.post(`${pathOf('saml')}/actions/test-sign-in`, {});
    expect(answer.status, answer.text).to.equal(200);
    const address = new URL(answer.body.data.attributes['sign-in-url']);
    expect(address.origin + address.pathname).to.equal('https://idp.example/sso');
    const packed = Buffer.from(address.searchParams.get('SAMLRequest') ?? '', 'base64');
    return /\sID="([^"]+)"/.exec(inflateRawSync(packed).toString())?.[1] ?? '';
  };
  const finish = (
    inResponseTo: string,
    attributes = {},
    headers: Record<string, string> = PAGE,
  ): Promise<Answer> => sso.post(createResponse(sso.idp, { inResponseTo, attributes }), headers);
  const countTokens = async (): Promise<number> => {
    const { rows } = await sso.sealift.context.db.raw('SELECT count(*)::int AS count FROM tokens');
    return rows[0].count;
  };

  it('a test shows attributes, teams and policies, and gives no token, whatever is asked for', async () => {
    await sso.sealift.client.post('/v1/sys/teams/dev', { policies: ['app-reader'] });
    const before = await countTokens();
    for (const headers of [PAGE, { accept: 'application/json' }]) {
      const id = await begin();
      const page = await finish(id, { MemberOf: ['dev'], Mail: ['&lt;b&gt;ada'] }, headers);
      expect(page.status, page.text).to.equal(200);
      expect(page.headers['content-type']).to.include('text/html');
      for (const text of ['Sign-in works', 'ada', 'dev', 'app-reader', 'Mail', '&#60;b&#62;ada'])
        expect(page.text, page.text).to.include(text);
      expect(page.text).to.not.match(/slt\.|<b>ada/);
      expect(page.headers['set-cookie']).to.equal(undefined);
      expectRefusal(await finish(id, {}, { accept: 'application/json' }), /no open login request/);
    }
    expect(await countTokens()).to.equal(before);
  });

  it('a test says where teams get policies if no team of the person has some', async () => {
    const without = await finish(await begin(), { MemberOf: ['unknown'] });
    expect(without.text).to.include('No team of this person has policies').and.to.include('Access › Teams');
    expect((await finish(await begin(), { MemberOf: ['dev'] })).text).to.not.include(
      'No team of this person',
    );
  });

  it('attributes that give no user name are shown all the same, with what is missing', async () => {
    await sso.enable({ 'attr-username': 'Login' });
    const page = await finish(await begin(), { Mail: ['ada@example.com'] });
    for (const text of [
      'Sign-in fails',
      'The identity provider&#39;s answer',
      'lacks the attribute that gives the user name',
      'looked for the user name in the attribute “Login”, which “Username attribute”',
      'ada@example.com',
    ])
      expect(page.text).to.include(text);
  });

  it('a test tells until when the certificate is valid, and that an ended one is accepted', async () => {
    const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
    const valid = await finish(await begin());
    expect(valid.text).to.match(/Valid until \d{4}-\d{2}-\d{2}/);
    const yesterday = Date.now() - 86_400_000;
    const ended = await createCertificateUntil('ended', new Date(yesterday));
    await sso.enable({ 'idp-cert': ended.cert });
    const page = await sso.post(createResponse(ended, { inResponseTo: await begin() }), PAGE);
    expect(page.text).to.include(`Ended on ${dayOf(yesterday)}; still accepted`);
  });

  it('a test says when only the former certificate matches', async () => {
    const former = 'Only the former IdP certificate matches';
    const next = await createCertificate('next');
    await sso.enable({ 'idp-cert': next.cert });
    const page = await finish(await begin());
    expect(page.text).to.include('Sign-in works').and.to.include(former);
    const present = await sso.post(createResponse(next, { inResponseTo: await begin() }), PAGE);
    expect(present.text).to.include('Sign-in works').and.to.not.include(former);
  });

  it('a test that is refused for load does not advise to compare certificates', async () => {
    const id = await begin();
    const response = createResponse(sso.stranger, { inResponseTo: id });
    // No more at once than one address may send: those are refused before anything is known of a test.
    const refused = await eventually(async () => {
      const pages = await Promise.all(Array.from({ length: 16 }, () => sso.post(response, PAGE)));
      return pages.find(({ text }) => text.includes('log-ins of this address wait'));
    });
    expect(refused?.status).to.equal(429);
    for (const text of ['<h1>Try again in a moment</h1>', 'too many at once', 'This was a test'])
      expect(refused?.text).to.include(text);
    expect(refused?.text).to.not.match(/Sign-in fails|Compare “IdP certificate”/);
  });

  it('an answer that a stranger signed is refused in a test as well', async () => {
    const response = createResponse(sso.stranger, { inResponseTo: await begin() });
    expectRefusal(await sso.post(response), /not signed/);
    const page = await sso.post(response, PAGE);
    expect(page.status).to.equal(401);
    const { fingerprint256: accepted } = new X509Certificate(sso.idp.cert);
    for (const text of ['Sign-in fails', 'no accepted certificate', 'Compare “IdP certificate”', accepted])
      expect(page.text).to.include(text);
    expect(page.text).to.include('This was a test').and.to.not.include('not well formed');
    const other = await sso.post(createResponse(sso.stranger, { inResponseTo: '_log-in' }), PAGE);
    expect(other.text).to.include('Not logged in').and.to.not.include('This was a test');
  });

  it('a refused test advises by the kind of fault, and names settings by their labels', async () => {
    const cases: [AssertionOptions, string][] = [
      [{ audience: 'https://other.example' }, `Enter ${AUDIENCE} as the entity ID`],
      [{ recipient: 'https://other.example/acs' }, `Enter ${CONSUMER} as the ACS URL`],
      [{ notOnOrAfter: -60 }, 'Compare the clocks'],
      [{ sign: 'nothing' }, 'Let the identity provider sign its assertions'],
      [{ sha1: 'signature' }, 'turn on “Accept SHA-1 signatures”'],
    ];
    for (const [options, advice] of cases) {
      const response = createResponse(sso.idp, { ...options, inResponseTo: await begin() });
      const page = await sso.post(response, PAGE);
      expect(page.text).to.include('Sign-in fails').and.to.include(advice);
      expect(page.text).to.not.include('accept-sha1-signatures');
    }
  });

  it('a failure that the identity provider tells is folded below its cure, as not signed', async () => {
    const denied = 'urn:oasis:names:tc:SAML:2.0:status:RequestDenied';
    const status =
      '<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Responder">' +
      `<samlp:StatusCode Value="${denied}"/></samlp:StatusCode>` +
      '<samlp:StatusMessage>&lt;b&gt;ada&lt;/b&gt; is not assigned</samlp:StatusMessage></samlp:Status>';
    for (const inResponseTo of [await begin(), '_log-in']) {
      const xml = createResponseXml(sso.idp, { inResponseTo });
      const response = encode(xml.replace(/<samlp:Status>.*<\/samlp:Status>/, status));
      const page = await sso.post(response, PAGE);
      expect(page.status, page.text).to.equal(401);
      for (const text of [denied, '&#60;b&#62;ada&#60;/b&#62; is not assigned', 'not signed'])
        expect(page.text).to.include(text);
      const [cure = '', details = ''] = page.text.split('<details>');
      expect(cure).to.match(/<h1>[^<]+<\/h1>\s*<p>(Your|The) identity provider refused the sign-in\. Often/);
      expect(cure).to.not.include('urn:oasis').and.to.not.include('If this goes on');
      expect(details).to.include(denied);
      expectRefusal(await sso.post(response), /the identity provider reported a failure$/);
    }
  });

  it('a test begins only while single sign-on is enabled, and says so', async () => {
    await sso.sealift.change('saml', { enabled: false });
    const answer = await sso.sealift.client.post(`${pathOf('saml')}/actions/test-sign-in`, {});
    expect(answer.status).to.equal(400);
    expect(answer.body.errors[0].detail).to.include('single sign-on is not enabled');
  });
});
