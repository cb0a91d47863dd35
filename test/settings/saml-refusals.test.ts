import { expect } from 'chai';
import { createResponse, createResponseXml, encode, encryptAssertion } from './support/identity-provider.ts';
import {
  expectLogin,
  expectRefusal,
  startSingleSignOn,
  type SingleSignOn,
} from './support/single-sign-on.ts';
import { WRAPPINGS } from './support/wrappings.ts';

describe('refusals of a SAML log-in', () => {
  let sso: SingleSignOn;

  before(async () => {
    sso = await startSingleSignOn();
  });

  after(() => sso.sealift.stop());

  beforeEach(async () => {
    await sso.sealift.forget('saml');
    await sso.enable();
  });

  it('an answer without a signature is refused', async () => {
    expectRefusal(await sso.login({ sign: 'nothing' }), /refused: it is not signed$/);
  });

  it('an encrypted answer is refused as such where there is no key for it', async () => {
    const assertion = /<saml:Assertion.*<\/saml:Assertion>/s.exec(createResponseXml(sso.idp))?.[0] ?? '';
    expectRefusal(await sso.post(encryptAssertion(assertion, sso.stranger)), /have no private key$/);
  });

  it('an answer signed by somebody else is refused', async () => {
    expectRefusal(await sso.login({}, sso.stranger), /no accepted certificate fits its signature$/);
  });

  it('an answer changed after it was signed is refused', async () => {
    const xml = createResponseXml(sso.idp).replace('>ada<', '>root<');
    expectRefusal(await sso.post(encode(xml)), /not signed/);
  });

  it('an assertion that only the envelope is signed for is refused if it must be signed', async () => {
    await sso.enable({ 'want-assertions-signed': true });
    expectRefusal(await sso.login({ sign: 'response' }), /its assertion is not signed$/);
    expectLogin(await sso.login({ sign: 'both' }));
  });

  it('an answer that is expired, not yet valid, or confirmed for a time that is over is refused', async () => {
    expectRefusal(await sso.login({ notOnOrAfter: -60 }), /expired/);
    expectRefusal(await sso.login({ notBefore: 120 }), /not yet valid/);
    expectRefusal(await sso.login({ confirmedUntil: -60 }), /expired/);
  });

  it('an answer for another audience, or for none, is refused', async () => {
    expectRefusal(await sso.login({ audience: 'https://other.example' }), /for another service/);
    expectRefusal(await sso.login({ audience: null }), /for another service/);
  });

  it('an answer for another recipient or destination is refused', async () => {
    expectRefusal(await sso.login({ recipient: 'https://other.example/acs' }), /for another service/);
    expectRefusal(await sso.login({ destination: 'https://other.example/acs' }), /for another service/);
  });

  it('a replayed answer is refused, and one of two that come at once', async () => {
    const response = createResponse(sso.idp);
    expectLogin(await sso.post(response));
    expectRefusal(await sso.post(response), /already used/);
    const other = createResponse(sso.idp);
    const answers = await Promise.all([sso.post(other), sso.post(other)]);
    expect(answers.map(({ status }) => status)).to.have.members([200, 401]);
  });

  it('a replayed answer is refused while the clocks differ as much as they may', async () => {
    const { db } = sso.sealift.context;
    await db('saml_assertions').delete();
    const end = Date.now() + 300_000;
    expectLogin(await sso.login());
    const mark = await db('saml_assertions').first('expires_at');
    // Half a minute for the identity provider's clock, and half a minute for ours.
    expect(mark.expires_at.getTime()).to.be.at.least(end + 60_000);
  });

  it('a replayed assertion in a new envelope is refused', async () => {
    const xml = createResponseXml(sso.idp);
    expectLogin(await sso.post(encode(xml)));
    expectRefusal(
      await sso.post(encode(xml.replace(/(<samlp:Response[^>]*ID=")[^"]*/, '$1_another'))),
      /already used/,
    );
  });

  it('an answer to a request we never made is refused', async () => {
    expectRefusal(await sso.login({ inResponseTo: '_unknown' }), /no open login request/);
  });

  it('an answer whose envelope hides or changes the request it was made for is refused', async () => {
    const inResponseTo = await sso.beginLogin();
    expectRefusal(await sso.login({ responseInResponseTo: inResponseTo }), /belongs to another request/);
    const theirs = { inResponseTo: '_of-another-service', responseInResponseTo: null };
    expectRefusal(await sso.login(theirs), /no open login request/);
  });

  it('comments in a name, which a signature does not cover, are refused', async () => {
    const xml = createResponseXml(sso.idp, { username: 'adaevil' }).replace('>adaevil<', '>ada<!-- -->evil<');
    expectRefusal(await sso.post(encode(xml)), /comments/);
    const asSigned = { prepare: (assertion: string) => assertion.replace('>ada<', '>ad<!-- -->a<') };
    expectRefusal(await sso.login(asSigned), /comments/);
  });

  it('a document type and processing instructions are refused', async () => {
    const xml = createResponseXml(sso.idp);
    expectRefusal(await sso.post(encode(`<!DOCTYPE x [<!ENTITY a "b">]>${xml}`)), /declarations/);
    expectRefusal(await sso.post(encode(xml.replace('>ada<', '>a<?x?>da<'))), /processing instructions/);
  });

  it('an answer that reports a failure is refused although its assertion is valid', async () => {
    const status = 'urn:oasis:names:tc:SAML:2.0:status';
    const failed = createResponseXml(sso.idp).replace(`${status}:Success`, `${status}:Responder`);
    expectRefusal(await sso.post(encode(failed)), /reported a failure/);
    const silent = createResponseXml(sso.idp).replace(/<samlp:Status>.*<\/samlp:Status>/, '');
    expectRefusal(await sso.post(encode(silent)), /does not say that the log-in succeeded/);
    const both = createResponseXml(sso.idp).replace(
      '<samlp:Status>',
      `<samlp:Status><samlp:StatusCode Value="${status}:Requester"/></samlp:Status><samlp:Status>`,
    );
    expectRefusal(await sso.post(encode(both)), /reported a failure/);
  });

  it('signatures with SHA-1 are refused in new settings, and taken in those from before', async () => {
    for (const sha1 of ['signature', 'digest'] as const) {
      expectRefusal(await sso.login({ sha1 }), /signed with SHA-1/);
      await sso.enable({ 'accept-sha1-signatures': true });
      expectLogin(await sso.login({ sha1 }));
      await sso.enable({ 'accept-sha1-signatures': false });
    }
    const { db } = sso.sealift.context;
    await db.raw(
      `UPDATE settings SET attributes = (attributes::jsonb - 'accept-sha1-signatures')::json WHERE kind = 'saml'`,
    );
    expectLogin(await sso.login({ sha1: 'signature' }));
    expect(await sso.sealift.read('saml')).to.include({ 'accept-sha1-signatures': true });
  });

  it('two user names, none, and one with a line feed are refused', async () => {
    expectRefusal(await sso.login({ username: ['ada\nroot'] }), /control characters/);
    expectRefusal(await sso.login({ username: ['ada', 'root'] }), /more than one user name/);
    expectRefusal(await sso.login({ attributes: { Username: [] } }), /lacks the attribute/);
  });

  it('a text that is no XML or no SAML is refused', async () => {
    for (const text of ['', 'text', '<a/>', '<Response/>']) {
      expect((await sso.post(encode(text))).status).to.be.oneOf([400, 401]);
    }
  });

  for (const [name, wrap] of Object.entries(WRAPPINGS)) {
    it(`signature wrapping is refused: ${name}`, async () => {
      const signed = createResponseXml(sso.idp);
      const forged = createResponseXml(sso.stranger, {
        sign: 'nothing',
        attributes: { SiteAdmin: ['true'] },
      });
      const answer = await sso.post(encode(wrap(signed, forged)));
      expect(answer.status, answer.text).to.equal(401);
    });
  }
});
