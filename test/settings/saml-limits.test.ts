import { expect } from 'chai';
import { LIMITS } from '../../services/api/limits.ts';
import { loadDocument } from '../../libs/settings/documents.ts';
import { samlSettings, type SamlSettings } from '../../libs/settings/saml.ts';
import { providerOptions } from '../../services/api/saml/provider.ts';
import { createSamlVerifier, type SamlVerifier } from '../../services/api/saml/answer/verifier.ts';
import { eventually } from '../support/eventually.ts';
import { createCertificate, type Certificate } from './support/certificates.ts';
import { BEYOND_LIMITS, costliestAnswers, MALFORMED } from './support/hostile-xml.ts';
import { createResponse, encode, encryptAssertion } from './support/identity-provider.ts';
import { expectLogin, startSingleSignOn, type SingleSignOn } from './support/single-sign-on.ts';

describe('limits of a SAML answer', () => {
  let sso: SingleSignOn;
  let own: Certificate;

  before(async () => {
    sso = await startSingleSignOn();
    own = await createCertificate('sealift');
    await sso.enable({ certificate: own.cert, 'private-key': own.key });
  });

  after(() => sso.sealift.stop());

  for (const [what, limit, given, xml] of BEYOND_LIMITS) {
    const refusal = `${limit.subject}: ${given} are too many, at most ${limit.value} are allowed`;

    it(`an answer with ${what} is refused with the limit and what was sent`, async () => {
      const answer = await sso.post(encode(xml));
      expect([answer.status, answer.body.errors]).to.deep.equal([limit.status, [refusal]]);
    });

    // A request cannot hold an encrypted assertion of this size.
    if (limit === LIMITS.xmlBytes) continue;

    it(`an encrypted assertion with ${what} is refused with the limit and what was sent`, async () => {
      const answer = await sso.post(encryptAssertion(xml, own));
      expect([answer.status, answer.body.errors]).to.deep.equal([limit.status, [refusal]]);
    });
  }

  for (const [what, xml] of MALFORMED) {
    it(`an answer is refused as malformed before it is parsed if it has ${what}`, async () => {
      const answer = await sso.post(encode(xml));
      expect(answer.status).to.equal(401);
      expect(answer.body.errors[0]).to.match(/: it is not well formed$|comments, declarations/);
    });
  }

  it('an encrypted assertion gives a token, and one encrypted to somebody else does not', async () => {
    const xml = Buffer.from(createResponse(sso.idp), 'base64').toString();
    const assertion = /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml)?.[0] ?? '';
    expectLogin(await sso.post(encryptAssertion(assertion, own)));
    const other = await sso.post(encryptAssertion(assertion, await createCertificate('other')));
    expect(other.status).to.equal(401);
    expect(other.body.errors[0]).to.match(/not encrypted with our certificate/);
  });

  it('a form without a readable answer is refused with what to do', async () => {
    const send = async (form: string) => {
      const { status, body } = await sso.sealift.client.call('POST', '/users/saml/auth', undefined, {
        token: null,
        raw: form,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      return [status, body.errors[0]];
    };
    const missing = [400, 'SAMLResponse is required: send it as a form field'];
    for (const form of [
      '',
      'RelayState=x',
      'SAMLResponse=',
      'RelayState=x&SAMLResponse=&a=b',
      'xSAMLResponse=y',
    ])
      expect(await send(form), form).to.deep.equal(missing);
    expect(await send(`SAMLResponse=${'+'.repeat(1000)}`)).to.deep.equal([
      400,
      'SAMLResponse must be percent-encoded: send + as %2B',
    ]);
    expect(await send('SAMLResponse=%zz')).to.deep.equal([400, 'SAMLResponse must be percent-encoded']);
  });

  it('the answer is found anywhere in the form', async () => {
    const encoded = encodeURIComponent(createResponse(sso.idp));
    const { status, text } = await sso.sealift.client.call('POST', '/users/saml/auth', undefined, {
      token: null,
      raw: `RelayState=a%2Bb+c&SAMLResponse=${encoded}&other=x`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(status, text).to.equal(200);
  });

  it('a person in 1,900 groups can log in', async () => {
    const groups = Array.from({ length: 1900 }, (_, index) => `CN=group-${index},OU=teams,DC=example`);
    const answer = await sso.login({ attributes: { MemberOf: groups } });
    expectLogin(answer);
    expect(answer.body.data.groups).to.deep.equal(groups);
  });

  it('the costliest answers that the limits allow are verified in time', async () => {
    for (const [what, xml] of costliestAnswers(sso.stranger)) {
      const answer = await sso.post(encode(xml));
      expect(answer.status, what).to.equal(401);
    }
  });

  describe('the threads that verify', () => {
    let verifier: SamlVerifier;

    afterEach(() => verifier.stop());

    const verify = async (encoded: string) => {
      const { attributes } = await loadDocument(sso.sealift.context, samlSettings);
      const options = providerOptions(attributes as SamlSettings, sso.sealift.config);
      return verifier.verify({ encoded, acceptsSha1: false, options }, '203.0.113.1');
    };
    const refusalOf = (encoded: string): Promise<object> => verify(encoded).catch((error: object) => error);

    it('more answers than may wait are refused with 503 and Retry-After', async () => {
      verifier = createSamlVerifier();
      const { attributes } = await loadDocument(sso.sealift.context, samlSettings);
      const options = providerOptions(attributes as SamlSettings, sso.sealift.config);
      const encoded = createResponse(sso.idp);
      const outcomes = await Promise.allSettled(
        Array.from({ length: 60 }, (_, index) =>
          verifier.verify({ encoded, options, acceptsSha1: false }, `203.0.113.${index}`),
        ),
      );
      const reasons = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : undefined));
      const refused = reasons.filter((reason) => reason?.problems[0].detail === 'too many log-ins wait');
      expect(refused).to.have.length(26);
      expect(refused[0]).to.deep.include({ status: 503, headers: { 'Retry-After': '1' } });
    });

    it('an answer that takes too long is given up, and the next is verified', async () => {
      verifier = createSamlVerifier({ deadlineMs: 4000 });
      const endless = encode('<a>'.repeat(200_000));
      const given = await Promise.all([refusalOf(endless), refusalOf(endless), refusalOf(endless)]);
      for (const error of given) expect(error).to.include({ status: 503, code: 'unavailable' });
      await eventually(async () => (await verify(createResponse(sso.idp))).assertion.id !== '');
    });

    it('an answer that needs too much memory is given up, and the next is verified', async () => {
      verifier = createSamlVerifier({ deadlineMs: 4000 });
      const namespace = `<a xmlns:p="${'u'.repeat(200_000)}">${'<p:b/>'.repeat(1900)}</a>`;
      const large = createResponse(sso.idp, {
        prepare: (assertion) => assertion.replace('<saml:Conditions', `${namespace}<saml:Conditions`),
      });
      expect(await refusalOf(large)).to.include({ status: 503, code: 'unavailable' });
      await eventually(async () => (await verify(createResponse(sso.idp))).assertion.id !== '');
    });
  });
});
